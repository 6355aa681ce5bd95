// Tests of the installed package: node --test test.mjs, with the folder of the reference files in FILES.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import init, { AgentOptions, Crowd, Filter, NavMesh } from 'walkable';
import initBake, { Level } from 'walkable/bake';

const folder = process.env.FILES;
const read = (file) => readFileSync(join(folder, file));
const load = () => NavMesh.fromBytes(read('sample.bin'));

await init();
await initBake();

test('a tile set is loaded and written with the same bytes', () => {
  const mesh = load();
  assert.ok(mesh.tileCount > 1 && mesh.polygonCount > mesh.tileCount);
  assert.equal(mesh.bounds.length, 6);
  assert.ok(mesh.triangles().length >= 9 * mesh.tileCount);
  assert.deepEqual(Buffer.from(mesh.toBytes()), read('sample.bin'));
});

test('paths have the numbers of the command line', () => {
  const mesh = load();
  const lines = (file) => read(file).toString().trim().split('\n');
  const expected = lines('paths.jsonl').map((line) => JSON.parse(line));
  const queries = lines('queries.txt');
  assert.equal(expected.length, queries.length);
  let complete = 0;
  queries.forEach((line, at) => {
    const numbers = line.split(' ').map(Number);
    const path = mesh.findPath(numbers.slice(0, 3), numbers.slice(3), new Filter());
    const { status, corridor, points, length } = expected[at];
    assert.equal(path.status, status, line);
    assert.deepEqual(Array.from(path.corridor, Number), corridor, line);
    assert.deepEqual(path.points, Float32Array.from(points.flat()), line);
    assert.equal(path.length, Math.fround(length), line);
    complete += path.status === 'complete' ? 1 : 0;
  });
  assert.ok(complete > queries.length / 2);
});

test('filters change paths, and a missing path has a reason', () => {
  const mesh = load();
  const filter = new Filter();
  const [start, end] = [[2, 0, 20], [20, 0, 20]];
  assert.equal(mesh.findPath(start, end, filter).status, 'complete');
  filter.includeFlags = 0;
  const none = mesh.findPath(start, end, filter);
  assert.equal(none.status, 'unreachable');
  assert.ok(none.why.length > 5, none.why);
  assert.equal(new Filter().cost(1), 1);
  assert.throws(() => filter.setCost(64, 1), /there is no area 64/);
  assert.throws(() => filter.setCost(1, -1), /-1/);
});

test('other queries stay on the navmesh', () => {
  const mesh = load();
  const filter = new Filter();
  const points = mesh.randomPoints(50, 7);
  assert.deepEqual(points, mesh.randomPoints(50, 7));
  assert.notDeepEqual(points, mesh.randomPoints(50, 8));
  for (let at = 0; at < 150; at += 3) {
    const place = mesh.nearest(points.slice(at, at + 3), filter);
    assert.equal(typeof place.polygon, 'bigint');
    const end = Array.from(place.point, (x, axis) => x + [5, 0, 3][axis]);
    const moved = mesh.moveAlong(place, end, filter);
    assert.ok(mesh.nearest(moved.point, filter));
    const { t, normal } = mesh.raycast(place, end, filter);
    assert.ok((t === undefined || t >= 0) && normal.length === 3);
    assert.ok(mesh.wallDistance(place, 2, filter) <= 2);
    const shortest = mesh.findShortestPath(place.point, points.slice(0, 3), filter);
    const detour = mesh.findPath(place.point, points.slice(0, 3), filter);
    assert.ok(shortest.status !== 'complete' || shortest.length <= detour.length + 1e-3);
  }
  assert.equal(mesh.nearest([1e4, 0, 0], filter), undefined);
});

test('a crowd reaches its targets, the same way each time', () => {
  const run = () => {
    const [mesh, filter, crowd] = [load(), new Filter(), new Crowd(20, 0.6)];
    const starts = mesh.randomPoints(20, 1);
    const target = mesh.nearest(mesh.randomPoints(1, 2), filter);
    for (let at = 0; at < 60; at += 3) {
      crowd.setTarget(crowd.addAgent(mesh, starts.slice(at, at + 3), new AgentOptions(0.3, 2)), target);
    }
    assert.throws(() => crowd.addAgent(mesh, starts.slice(0, 3), new AgentOptions(0.3, 2)), /20 agents/);
    const before = crowd.positions();
    for (let step = 0; step < 600; step += 1) crowd.update(mesh, 0.05);
    const after = crowd.positions();
    const far = (places) => {
      const [x, , z] = target.point;
      return crowd.agents().reduce((all, _, at) => all + Math.hypot(places[3 * at] - x, places[3 * at + 2] - z), 0);
    };
    assert.ok(far(after) < far(before) / 2, `${far(after)} of ${far(before)} m`);
    assert.equal(crowd.state(0), 'walking');
    assert.equal(crowd.state(99), undefined);
    assert.ok(crowd.removeAgent(0) && !crowd.removeAgent(0));
    assert.equal(crowd.agents().length, 19);
    return after;
  };
  assert.deepEqual(run(), run());
});

test('what is wrong is thrown as an error', () => {
  const bytes = read('sample.bin');
  assert.throws(() => NavMesh.fromBytes(bytes.subarray(0, bytes.length / 2)), Error);
  assert.throws(() => NavMesh.fromBytes(new Uint8Array(0)), Error);
  for (let at = 0; at < 400; at += 1) {
    const damaged = Uint8Array.from(bytes);
    damaged[(at * 7919) % bytes.length] ^= 1 << at % 8;
    try {
      NavMesh.fromBytes(damaged).findPath([2, 0, 20], [20, 0, 20], new Filter());
    } catch (error) {
      assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), String(error));
    }
  }
  const mesh = load();
  assert.throws(() => mesh.findPath([1, 2], [1, 2, 3], new Filter()), /start has 2 numbers/);
  assert.throws(() => mesh.findPath([NaN, 0, 0], [1, 2, 3], new Filter()), Error);
  mesh.free();
});

/** Vertices and triangles of an OBJ file. */
const parseObj = (text) => {
  const rows = (kind) => text.split('\n').filter((line) => line.startsWith(`${kind} `)).map((line) => line.trim().split(/\s+/).slice(1));
  const triangles = rows('f').flatMap((words) => {
    const corners = words.map((word) => Number.parseInt(word, 10) - 1);
    return corners.slice(2).flatMap((corner, at) => [corners[0], corners[at + 1], corner]);
  });
  return [Float32Array.from(rows('v').flat().map(Number)), Uint32Array.from(triangles)];
};

/** The level with a fault, and what is known about it. */
const fault = () => {
  const level = new Level(...parseObj(read('level.obj').toString()));
  return [level, read('settings.cfg').toString(), JSON.parse(read('truth.json'))];
};

const QUAD = [Float32Array.from([0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0]), Uint32Array.from([0, 1, 2, 0, 2, 3])];

test('bakes have the bytes of the command line', () => {
  const [level, settings] = fault();
  assert.ok(level.triangleCount > 10);
  assert.deepEqual(Buffer.from(level.bake(settings)), read('level.bin'));
  const values = settings.split('\n').map((line) => line.trim().split('=')).filter((pair) => pair.length === 2);
  assert.deepEqual(Buffer.from(level.bake(Object.fromEntries(values))), read('level.bin'));
});

test('settings are given by their names', () => {
  const level = new Level(...QUAD);
  const tiles = (settings) => NavMesh.fromBytes(level.bake(settings)).tileCount;
  assert.equal(tiles(), 1);
  // Tiles of 20 cells of 0.3 m: four cover 20 m.
  assert.equal(tiles({ tile_size: 20 }), 16);
  assert.equal(tiles({ tile_size: '20', origin: null, filter_ledge_spans: false }), 16);
  assert.equal(tiles('tile_size=20'), 16);
  const bounds = (settings) => Array.from(NavMesh.fromBytes(level.bake(settings)).bounds.slice(0, 3));
  assert.deepEqual(bounds({ tile_size: 20, origin: [-1, -1, -2] }), [-1, -1, -2]);
  assert.deepEqual(bounds({ tile_size: 20, origin: Float32Array.of(-4, 0, -4) }), [-4, 0, -4]);
  assert.notDeepEqual(level.bake({ filter_ledge_spans: false }), level.bake({ filter_ledge_spans: true }));
  assert.throws(() => level.bake({ agent_size: 1 }), /agent_size/);
  assert.throws(() => level.bake({ agent_radius: -1 }), /agent_radius/);
  assert.throws(() => level.bake({ agent_radius: {} }), /agent_radius must be a number/);
  assert.throws(() => level.bake({ origin: [1, 2] }), /origin must be/);
  assert.throws(() => level.bake(7), /settings must be an object/);
  assert.throws(() => level.bake('nonsense'), /line 1/);
  assert.throws(() => level.bake({ cell_size: 0.001 }), /limit/);
  assert.throws(() => level.bake({ cell_size: 0.002 }), /memory/);
  assert.throws(() => level.bake({ agent_max_slope: 0 }), /nothing is walkable: all 2 triangles/);
});

test('a place and a path are explained', () => {
  const [level, settings, truth] = fault();
  const why = level.whyNoPath(settings, truth.from, truth.to);
  assert.notEqual(why.status, 'complete');
  assert.ok([truth.cause, ...truth.accept].includes(why.first.cause), why.first.text);
  assert.ok(why.first.text.length > 10);
  assert.deepEqual(why.fixes, []);
  const fixed = level.whyNoPath(settings, truth.from, truth.to, true);
  assert.ok(fixed.fixes.length > 0);

  const quad = new Level(...QUAD);
  assert.deepEqual(quad.whyHere(undefined, [10, 0, 10]), { walkable: true, chain: [], fixes: [], fixes_cut_short: false });
  const edge = quad.whyHere({ agent_radius: 0.6 }, [0.2, 0, 10]);
  assert.ok(!edge.walkable);
  assert.equal(edge.chain[0].cause, 'level_edge');
  assert.throws(() => quad.whyHere({}, [1, 2]), /at has 2 numbers, not three/);
});

test('bad levels are refused', () => {
  assert.throws(() => new Level(Float32Array.of(1, 2), Uint32Array.of(0, 1, 2)), /vertices has 2 numbers/);
  assert.throws(() => new Level(QUAD[0], Uint32Array.of(0, 1, 9)), /vertex 9/);
  assert.throws(() => new Level(Float32Array.of(NaN, 0, 0), Uint32Array.of(0, 0, 0)), /finite/);
  assert.throws(() => new Level(QUAD[0], new Uint32Array()), /no triangles/);
});
