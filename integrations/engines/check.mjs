// Checks exported files with the programs that read them in Node.
//
// node check.mjs FOLDER: every .glb and .gltf of the folder must have no errors and warnings in the Khronos validator.
// For every NAME.glb with queries NAME.queries, each a line `sx sy sz ex ey ez`, and the results NAME.paths of
// `walkable path --queries`, three-pathfinding must find a path to the same end, of about the same length.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import validator from 'gltf-validator';
import { Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { Pathfinding } from 'three-pathfinding';

const folder = process.argv[2];
const files = readdirSync(folder).sort();
let failures = 0;

function check(holds, text) {
  if (!holds) {
    failures += 1;
    console.error(`FAILED: ${text}`);
  }
}

async function validate(file) {
  const bytes = new Uint8Array(readFileSync(join(folder, file)));
  const report = await validator.validateBytes(bytes, { uri: file });
  const { numErrors, numWarnings, messages } = report.issues;
  check(numErrors + numWarnings === 0, `${file}: ${JSON.stringify(messages.slice(0, 5))}`);
  console.log(`${file}: ${report.info.totalTriangleCount} triangles, valid glTF ${report.info.version}`);
}

async function geometryOf(file) {
  const bytes = readFileSync(join(folder, file));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { scene } = await new GLTFLoader().parseAsync(buffer, '');
  scene.updateMatrixWorld(true);
  const geometries = [];
  scene.traverse((object) => {
    if (object.isMesh) geometries.push(object.geometry.clone().applyMatrix4(object.matrixWorld));
  });
  return mergeGeometries(geometries);
}

const length = (points) =>
  points.slice(1).reduce((sum, point, index) => sum + point.distanceTo(points[index]), 0);

async function findPaths(name) {
  const pathfinding = new Pathfinding();
  pathfinding.setZoneData(name, Pathfinding.createZone(await geometryOf(`${name}.glb`)));
  const lines = (ending) =>
    readFileSync(join(folder, `${name}.${ending}`), 'utf8').trim().split('\n');
  const [queries, results] = [lines('queries'), lines('paths').map((line) => JSON.parse(line))];
  check(queries.length === results.length, `${name}: ${results.length} results`);
  let n = 0;
  let missing = 0;
  let longest = 1;
  for (const index of queries.keys()) {
    const { status, length: meters, start: from, end: to } = results[index];
    // three-pathfinding finds no polygon at a place on the border of the navmesh.
    const isInside = (end) => end?.snap.horizontal === 0;
    if (status !== 'complete' || meters < 1 || !isInside(from) || !isInside(to)) continue;
    const expected = results[index].points.map((point) => new Vector3(...point));
    const [start, end] = [expected[0], expected.at(-1)];
    const group = pathfinding.getGroup(name, start, true);
    const found = pathfinding.findPath(start, end, name, group);
    if (!found?.length) {
      // three-pathfinding finds no polygon at a place on an edge, or half a meter above the polygon.
      missing += 1;
      continue;
    }
    check(found.at(-1).distanceTo(end) < 0.5, `${name}: query ${index + 1}: another end`);
    longest = Math.max(longest, length([start, ...found]) / length(expected));
    n += 1;
  }
  check(n > 6 * missing, `${name}: ${missing} of ${n + missing} queries have no path`);
  check(longest < 1.6, `${name}: a path is ${longest} times longer`);
  console.log(`${name}.glb: ${n} of ${n + missing} paths found by three-pathfinding, at most ${longest.toFixed(2)} times the length`);
}

for (const file of files.filter((file) => /\.(glb|gltf)$/.test(file))) await validate(file);
for (const file of files.filter((file) => file.endsWith('.queries'))) {
  await findPaths(file.slice(0, -'.queries'.length));
}
process.exitCode = failures ? 1 : 0;
