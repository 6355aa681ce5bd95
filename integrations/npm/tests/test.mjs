// Tests of the installed package: node --test test.mjs, with the folder of the reference files in FILES.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import init, { AgentOptions, Crowd, Filter, NavMesh } from 'walkable';

const folder = process.env.FILES;
const read = (file) => readFileSync(join(folder, file));
const load = () => NavMesh.fromBytes(read('sample.bin'));

await init();

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
