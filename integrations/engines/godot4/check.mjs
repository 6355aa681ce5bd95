// Tests the files for Godot 4 in Godot's web engine, in Chromium without a window: node check.mjs ENGINE FILES
//
// ENGINE is the folder with `index.js` and `index.wasm`. For each NAME.tscn in FILES there are NAME.tres and NAME.json of
// `walkable export`, and for sets of flags NAME.FLAGS.paths, the answers of `walkable path --include FLAGS`. FILES also
// contains `main.gd`, `walkable_live.gd` and `live.jsonl`, the output of `walkable watch --protocol`.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const [engine, files] = process.argv.slice(2);
const PATIENCE = 120_000;
// Horizontal distance in which a path must reach its end, in meters. The scenes do not have the detail surface.
const REACH = 0.5;
// Godot searches between the middles of edges, so its paths are not the same.
const MAX_RATIO = 1.6;
const round = (number) => Math.round(number * 1000) / 1000;
const sorted = (list) => [...list].map((one) => JSON.stringify(one)).sort();
const horizontal = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);
const isLink = (name) => name.startsWith('Link_');
const linkOf = (name) => Number(name.split('_')[2]);
const length = (points) => points.slice(1).reduce((sum, at, i) => sum + Math.hypot(...at.map((x, k) => x - points[i][k])), 0);

// The levels, with the navmesh that the files should contain.
const names = await readdir(files);
const levels = new Map();
for (const file of names.filter((name) => name.endsWith('.tscn')).sort()) {
  const name = file.slice(0, -5);
  levels.set(name, JSON.parse(await readFile(join(files, `${name}.json`), 'utf8')));
}
assert(levels.size > 0, 'there are no scenes');

// What to ask Godot, and Walkable's answers.
const jobs = new Map();
for (const file of names.filter((name) => name.endsWith('.paths')).sort()) {
  const [level, flags] = file.split('.');
  const answers = (await readFile(join(files, file), 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  // Ends far from the ground are moved to it differently.
  const usable = (answer) => answer.start?.snap.horizontal < REACH && answer.end?.snap.horizontal < REACH
    && horizontal(answer.start.point, answer.end.point) >= 1;
  jobs.set(`${level}.${flags}`, { level, layers: Number(flags), answers: new Map([...answers.entries()].filter(([, one]) => usable(one))) });
}
const asked = (level, suffix, keep) => [...jobs].filter(([, job]) => job.level === level && keep(job)).map(([name, job]) => ({
  name: name + suffix,
  layers: job.layers,
  queries: [...job.answers].map(([id, { start, end }]) => ({ id, from: start.point, to: end.point })),
}));
const plan = [];
for (const level of levels.keys()) {
  plan.push({ name: level, resource: false, jobs: asked(level, '', () => true) });
  plan.push({ name: level, resource: true, jobs: asked(level, '/tres', (job) => job.layers === 0xffff) });
}

// All levels have voxels of this size.
const project = `config_version=5
[application]
config/name="walkable"
run/main_scene="res://main.tscn"
[navigation]
3d/default_cell_size=0.3
3d/default_cell_height=0.2
`;
const main = `[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node"]
script = ExtResource("1")
`;
const packed = new Map([
  ['project.godot', project],
  ['main.tscn', main],
  ['jobs.json', JSON.stringify(plan)],
  ['.godot/global_script_class_cache.cfg', 'list=[]\n'],
]);
for (const name of names.filter((one) => /\.(gd|tscn|tres|jsonl)$/.test(one))) packed.set(name, await readFile(join(files, name)));

// Returns the files as one of Godot 4.6, in version 3 of its format: a header, the files, the directory.
function pack(version) {
  const RELATIVE_OFFSETS = 2;
  const header = Buffer.alloc(112);
  header.write('GDPC');
  [3, ...version, RELATIVE_OFFSETS].forEach((number, index) => header.writeUInt32LE(number, 4 + 4 * index));
  header.writeBigUInt64LE(BigInt(header.length), 24);
  const contents = [];
  const directory = [Buffer.alloc(4)];
  directory[0].writeUInt32LE(packed.size);
  let offset = 0;
  for (const [name, content] of packed) {
    const bytes = Buffer.from(content);
    const path = Buffer.alloc(4 * Math.ceil(Buffer.byteLength(name) / 4));
    path.write(name);
    const entry = Buffer.alloc(4 + path.length + 36);
    entry.writeUInt32LE(path.length);
    path.copy(entry, 4);
    entry.writeBigUInt64LE(BigInt(offset), 4 + path.length);
    entry.writeBigUInt64LE(BigInt(bytes.length), 12 + path.length);
    createHash('md5').update(bytes).digest().copy(entry, 20 + path.length);
    contents.push(bytes);
    directory.push(entry);
    offset += bytes.length;
  }
  header.writeBigUInt64LE(BigInt(header.length + offset), 32);
  return Buffer.concat([header, ...contents, ...directory]);
}

// The engine is not started with `--headless`: for browsers, errors about freed objects follow then in some projects.
const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><canvas id="canvas"></canvas>
<script src="index.js"></script>
<script>
new Engine({
  executable: 'index',
  canvas: document.getElementById('canvas'),
  canvasResizePolicy: 0,
  args: ['--audio-driver', 'Dummy'],
  onPrint: (...text) => console.log(...text),
  onPrintError: (...text) => console.error(...text),
  onExit: (code) => console.log('{"kind":"exit","code":' + code + '}'),
}).startGame().catch((error) => console.error(error.stack || error));
</script>`;
const answers = new Map([
  ['/', Buffer.from(page)],
  ['/index.pck', pack([4, 6, 0])],
  ['/index.js', await readFile(join(engine, 'index.js'))],
  ['/index.wasm', await readFile(join(engine, 'index.wasm'))],
]);
const TYPES = { '': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.pck': 'application/octet-stream' };
const server = createServer((request, response) => {
  const body = answers.get(request.url);
  if (!body) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(request.url)], 'content-length': body.length });
  return response.end(body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const said = [];
const problems = [];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const tab = await browser.newPage();
  tab.on('pageerror', (error) => problems.push(`${error.stack || error}`));
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Godot does not end: ${JSON.stringify({ problems, last: said.at(-1) })}`)), PATIENCE);
    tab.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' || message.type() === 'warning') problems.push(text);
      else if (text.startsWith('{')) said.push(JSON.parse(text));
      if (said.at(-1)?.kind === 'exit') {
        clearTimeout(timer);
        resolve();
      }
    });
    tab.goto(`http://127.0.0.1:${server.address().port}/`).catch(reject);
  });
} finally {
  await browser.close();
  server.close();
}
assert.deepEqual(problems, [], 'Godot reports problems');
const all = (kind, keep = () => true) => said.filter((line) => line.kind === kind && keep(line));
assert.equal(all('done').length, 1, 'the script did not reach its end');
const [{ version, display }] = all('engine');

// Layers and costs, of the navmesh and as they arrived in the server.
const costs = (mesh, { area, flags }) => {
  const { cost, entering_cost } = mesh.areas.find(({ id }) => id === area);
  return { layers: flags, travel: round(cost), enter: round(entering_cost) };
};
const arrived = (line) => ({ layers: line.layers, travel: round(line.travel_cost), enter: round(line.enter_cost) });
const point = (at) => at.map(round);

for (const [level, mesh] of levels) {
  const of = (line) => line.level === level;
  const links = mesh.off_mesh_links;
  const ofLink = new Set(links.map((link) => link.polygon));
  const ground = mesh.polygons.filter((_, number) => !ofLink.has(number));
  assert.deepEqual(all('unknown', of), [], level);

  // A region for each tile, area and set of flags. The first of a tile has its name.
  const groups = new Map();
  for (const poly of ground) {
    const { x, z, layer } = mesh.tiles[poly.tile];
    const tile = `Tile_${x}_${z}_${layer}`;
    const key = JSON.stringify([tile, poly.area, poly.flags]);
    if (!groups.has(key)) groups.set(key, { tile, ...costs(mesh, poly), polygons: 0 });
    groups.get(key).polygons += 1;
  }
  const regions = all('region', of);
  const tileOf = (name) => name.split('_').slice(0, 4).join('_');
  assert.deepEqual(
    sorted(regions.map(({ name, polygons, ...line }) => ({ tile: tileOf(name), ...arrived(line), polygons }))),
    sorted([...groups.values()]),
    `${level}: regions`,
  );
  for (const { tile } of groups.values()) assert.equal(regions.filter(({ name }) => name === tile).length, 1, `${level}: ${tile}`);
  for (const line of regions) {
    assert.deepEqual([line.cell_size, line.cell_height, line.agent_radius].map(round), [0.3, 0.2, 0.6], line.name);
  }
  assert.deepEqual(
    sorted(all('link', of).map((line) => (
      { id: linkOf(line.name), ...arrived(line), both: line.bidirectional, start: point(line.start), end: point(line.end) }))),
    sorted(links.map((link) => (
      { id: link.user_id, ...costs(mesh, link), both: link.bidirectional, start: point(link.start), end: point(link.end) }))),
    `${level}: links`,
  );

  // Pairs of polygons that are linked over an edge, within a tile or not. Links narrower than a tenth of a voxel are ignored.
  const pairs = new Set();
  mesh.polygons.forEach((poly, from) => poly.links.forEach(({ to, edge, portal }) => {
    if (edge !== null && !ofLink.has(from) && !ofLink.has(to) && Math.hypot(...portal[0].map((x, k) => x - portal[1][k])) > 0.03) {
      pairs.add([from, to].sort((a, b) => a - b).join());
    }
  }));

  // The scene without and with Godot's margin, and the resource.
  assert.equal(all('map', of).length, 3, level);
  for (const map of all('map', of)) {
    const where = `${level}, ${map.regions} regions, margin ${map.margin}`;
    assert.deepEqual([map.cell_size, map.cell_height].map(round), [0.3, 0.2], where);
    assert.equal(map.polygons, ground.length, where);
    assert([groups.size, 1].includes(map.regions), where);
    assert(map.shared_edges >= pairs.size, `${where}: ${map.shared_edges} common edges, ${pairs.size} linked pairs`);
    // Without the margin, exactly the common edges connect polygons. The margin also connects corners.
    const n = map.merged_edges + map.connected_edges;
    assert(map.margin ? n >= map.shared_edges : n === map.shared_edges, `${where}: ${n} connections, ${map.shared_edges} common edges`);
  }
}

// Why Walkable does not find paths, in all levels.
const reasons = new Set();
let n_crossings = 0;
for (const [name, { level, answers: expected }] of jobs) {
  const mesh = levels.get(level);
  const links = new Map(mesh.off_mesh_links.map((link) => [mesh.polygons[link.polygon].reference, link.user_id]));
  const flags = new Map(mesh.polygons.map((poly) => [poly.reference, poly.flags]));
  const layers = new Map([...all('region'), ...all('link')].filter((line) => line.level === level).map((line) => [line.name, line.layers]));
  for (const suffix of ['', '/tres']) {
    const found = all('path', (line) => line.job === name + suffix);
    // The resource has no flags.
    if (suffix && !name.endsWith('.65535')) continue;
    assert.equal(found.length, expected.size, `${name}${suffix}: answers`);
    let [n, n_incomplete, longest, n_crossed] = [0, 0, 1, 0];
    for (const { query, points, owners, same } of found) {
      const { status, why, corridor, start, end, points: ours } = expected.get(query);
      const where = `${name}${suffix}: from ${start.point} to ${end.point}`;
      assert(same, `${where}: map_get_path and query_path differ`);
      const crossed = corridor.map((ref) => links.get(String(ref))).filter((id) => id !== undefined);
      // The resource has no links.
      if (suffix && crossed.length) continue;
      const last = points.at(-1);
      const distance = last ? horizontal(last, end.point) : Infinity;
      if (status !== 'complete') {
        // Below or above the end is not there.
        assert(distance > REACH || Math.abs(last[1] - end.point[1]) > 1, `${where}: Godot finds a path, but Walkable: ${why}`);
        reasons.add(why);
        n_incomplete += 1;
        continue;
      }
      assert(distance < REACH, `${where}: Godot's path ends ${distance} m beside the end`);
      longest = Math.max(longest, length(points) / length(ours));
      if (!suffix) {
        assert.deepEqual([...new Set(owners.filter(isLink).map(linkOf))], crossed, `${where}: crossed links`);
        assert.deepEqual(
          sorted(new Set(owners.map((owner) => layers.get(owner)))),
          sorted(new Set(corridor.map((ref) => flags.get(String(ref))))),
          `${where}: flags on the way`,
        );
      }
      n += 1;
      n_crossed += crossed.length;
    }
    assert(n > 0, `${name}: no query has a path`);
    assert(longest < MAX_RATIO, `${name}${suffix}: a path is ${longest} times longer`);
    const regions = suffix ? 'one region' : `${all('region', (line) => line.level === level).length} regions`;
    const more = `${n_crossed} crossings of links, ${n_incomplete} ends out of reach`;
    console.log(`${name}${suffix}: ${regions}, ${n} paths, at most ${longest.toFixed(2)} times the length; ${more}`);
    n_crossings += n_crossed;
  }
}
assert(n_crossings > 0, 'no path crosses a link');
for (const why of ['one_way', 'filtered', 'disconnected']) assert(reasons.has(why), `no path fails because it is ${why}`);

const live = all('live');
assert.deepEqual(live.map(({ signal, id }) => [signal, id]), [['greeted', undefined], ['replied', 1], ['refused', 2], ['replied', 3]]);
assert.equal(live[1].line.tiles[0].length, live[0].line.tiles[0].bytes, 'bytes of a tile');
assert.match(live[2].reason, /nonsense/);
assert.equal(live[3].line.first.cause, 'one_way');
assert.equal(all('unsent')[0].id, 0, 'a message without a connection has no id');
console.log('the client of the protocol reads the lines of `walkable watch`');
console.log(`all paths found by Godot ${version}, display driver ${display}`);
