// node compare.mjs FOLDER: for every NAME.detour, the output of test.cpp, checks that its corridors and points equal
// those of NAME.paths, the output of `walkable path --queries`.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const lines = (file) => readFileSync(join(folder, file), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
for (const file of readdirSync(folder).filter((file) => file.endsWith('.detour')).sort()) {
  const [theirs, ours] = [lines(file), lines(file.replace(/detour$/, 'paths'))];
  let failures = theirs.length === ours.length ? 0 : 1;
  let [n, nSame] = [0, 0];
  for (const [index, expected] of ours.entries()) {
    const found = theirs[index];
    const isSame =
      String(found.corridor) === String(expected.corridor) &&
      found.complete === (expected.status === 'complete') &&
      found.points.length === expected.points.length &&
      found.points.flat().every((at, place) => Math.fround(at) === Math.fround(expected.points.flat()[place]));
    const hasPath = expected.corridor.length > 0;
    failures += isSame ? 0 : 1;
    n += hasPath ? 1 : 0;
    nSame += hasPath && isSame ? 1 : 0;
    if (!isSame) console.error(`FAILED: ${file}: query ${index + 1}:`, found.points, expected.points);
  }
  console.log(`${file.replace(/detour$/, 'bin')}: ${nSame} of ${n} corridors and points equal in Detour`);
  if (failures > 0 || n === 0) process.exitCode = 1;
}
