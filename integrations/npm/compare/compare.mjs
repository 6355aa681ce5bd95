// Compares the package with recast-navigation-js: size, time to load a tile set, time and equality of paths.
//
// node compare.mjs LEVEL.bin: both load the same file, in one process, and answer the same 10,000 seeded queries in turns of 500.

import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { NavMeshQuery, importNavMesh, init } from '@recast-navigation/core';
import { Filter, NavMesh } from 'walkable';

const QUERIES = 10_000;
const TURN = 500;

const modules = (file) => new URL(`node_modules/${file}`, import.meta.url);
const size = (files) => {
  const bytes = files.map((file) => readFileSync(modules(file)));
  const compressed = bytes.reduce((sum, file) => sum + brotliCompressSync(file).length, 0);
  return `${bytes.reduce((sum, file) => sum + file.length, 0)} bytes, ${compressed} by Brotli`;
};
const timed = (run) => {
  const start = process.hrtime.bigint();
  const result = run();
  return [result, Number(process.hrtime.bigint() - start) / 1e6];
};

console.log('walkable:', size(['walkable/walkable_bg.wasm', 'walkable/walkable.js']));
const theirs = '@recast-navigation';
const wasm = `${theirs}/wasm/dist/recast-navigation.wasm`;
console.log('recast-navigation:', size([`${wasm}.wasm`, `${wasm}.js`, `${theirs}/core/dist/index.mjs`]));

const bytes = readFileSync(process.argv[2]);
await init();
const load = { ours: [], theirs: [] };
let [ours, navMesh] = [];
for (let turn = 0; turn < 10; turn += 1) {
  const [mesh, time] = timed(() => NavMesh.fromBytes(bytes));
  const [other, otherTime] = timed(() => importNavMesh(new Uint8Array(bytes)).navMesh);
  [ours, navMesh] = [mesh, other];
  load.ours.push(time);
  load.theirs.push(otherTime);
}
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
console.log(`load: ${median(load.ours).toFixed(2)} ms, recast-navigation ${median(load.theirs).toFixed(2)} ms`);

const query = new NavMeshQuery(navMesh, { maxNodes: 2048 });
const filter = new Filter();
const places = ours.randomPoints(2 * QUERIES, 1);
const place = (at) => Array.from(places.subarray(3 * at, 3 * at + 3));
const point = ([x, y, z]) => ({ x, y, z });
let [same, complete] = [0, 0];
const sums = { ours: 0, theirs: 0 };
for (let first = 0; first < QUERIES; first += TURN) {
  const queries = Array.from({ length: TURN }, (_, at) => [place(2 * (first + at)), place(2 * (first + at) + 1)]);
  const [found, time] = timed(() => queries.map(([start, end]) => {
    const path = ours.findPath(start, end, filter);
    const result = [path.points, path.status];
    path.free();
    return result;
  }));
  const halfExtents = { x: 2, y: 4, z: 2 };
  const [expected, otherTime] = timed(() => queries.map(([start, end]) => query.computePath(point(start), point(end), {
    halfExtents, maxPathPolys: 2048, maxStraightPathPoints: 2048,
  }).path));
  sums.ours += time;
  sums.theirs += otherTime;
  found.forEach(([points, status], at) => {
    complete += status === 'complete' ? 1 : 0;
    const flat = expected[at].flatMap(({ x, y, z }) => [x, y, z]);
    same += flat.length === points.length && flat.every((x, axis) => x === points[axis]) ? 1 : 0;
  });
}
const each = (sum) => ((1000 * sum) / QUERIES).toFixed(1);
console.log(`paths: ${each(sums.ours)} µs each, recast-navigation ${each(sums.theirs)} µs, ratio ${(sums.ours / sums.theirs).toFixed(2)}`);
console.log(`${complete} of ${QUERIES} complete, ${same} with equal points`);
