// Answers questions to navmeshes with the C++ Detour in WebAssembly.
//
// node peer.mjs FOLDER: for each NAME.bin of the folder answers the lines `sx sy sz ex ey ez` of NAME.txt
// with a line of JSON each in NAME.jsonl, and saves the mesh again as NAME.out. Of each set of layers NAME.tset it
// builds the mesh, and saves it as NAME.out.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  NavMeshQuery,
  TileCacheMeshProcess,
  exportNavMesh,
  importNavMesh,
  importTileCache,
  init,
} from '@recast-navigation/core';

const HALF_EXTENTS = { x: 2, y: 4, z: 2 };
const MAX_POLYS = 4096;

function answer(query, numbers) {
  const [start, end] = [0, 3].map((at) => {
    const [x, y, z] = numbers.slice(at, at + 3);
    return query.findNearestPoly({ x, y, z }, { halfExtents: HALF_EXTENTS });
  });
  if (!start.nearestRef || !end.nearestRef) {
    return { start: start.nearestRef, end: end.nearestRef, corridor: [] };
  }
  const found = query.findPath(
    start.nearestRef,
    end.nearestRef,
    start.nearestPoint,
    end.nearestPoint,
    { maxPathPolys: MAX_POLYS },
  );
  if (!found.success || found.polys.size >= MAX_POLYS) {
    throw new Error(`no corridor from ${start.nearestRef} to ${end.nearestRef}`);
  }
  const corridor = Array.from({ length: found.polys.size }, (_, at) => found.polys.get(at));
  found.polys.destroy();
  return { start: start.nearestRef, end: end.nearestRef, corridor };
}

await init();
const folder = process.argv[2];
for (const file of readdirSync(folder).filter((file) => file.endsWith('.bin')).sort()) {
  const name = join(folder, file.slice(0, -'.bin'.length));
  const { navMesh } = importNavMesh(new Uint8Array(readFileSync(`${name}.bin`)));
  const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
  const lines = readFileSync(`${name}.txt`, 'utf8').split('\n').filter((line) => line !== '');
  const answers = lines.map((line) => JSON.stringify(answer(query, line.split(' ').map(Number))));
  writeFileSync(`${name}.jsonl`, `${answers.join('\n')}\n`);
  writeFileSync(`${name}.out`, exportNavMesh(navMesh));
  query.destroy();
  navMesh.destroy();
}

// Areas and flags of polygons as RecastDemo sets them: plain ground is area 0, water is swum in, doors are opened.
const FLAGS = [1, 2, 1, 5, 1];
const meshProcess = new TileCacheMeshProcess((params, areas, flags) => {
  for (let at = 0; at < params.polyCount(); at++) {
    const area = areas.get(at) === 63 ? 0 : areas.get(at);
    areas.set(at, area);
    flags.set(at, FLAGS[area] ?? 0);
  }
});
for (const file of readdirSync(folder).filter((file) => file.endsWith('.tset')).sort()) {
  const name = join(folder, file.slice(0, -'.tset'.length));
  const { navMesh } = importTileCache(new Uint8Array(readFileSync(`${name}.tset`)), meshProcess);
  writeFileSync(`${name}.out`, exportNavMesh(navMesh));
}
