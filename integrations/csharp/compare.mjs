// node compare.mjs FOLDER: for every NAME.csharp, the output of Test.cs, checks that its tiles, polygons and off-mesh links
// equal those of NAME.json, written by `walkable export`, and that the detail surface covers all polygons.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

// Whether `ours` has everything of `theirs`, with numbers equal in 32 bits. Further fields of ours do not matter.
function hasAll(ours, theirs) {
  if (typeof theirs === 'number') return Math.fround(ours) === Math.fround(theirs);
  if (theirs === null || typeof theirs !== 'object') return ours === theirs;
  const isSameLength = !Array.isArray(theirs) || ours?.length === theirs.length;
  return isSameLength && Object.entries(theirs).every(([key, value]) => hasAll(ours?.[key], value));
}

function areaOf({ tiles, polygons }) {
  const twice = polygons.map(({ tile, vertices }) => {
    const ring = vertices.map((vertex) => tiles[tile].vertices[vertex]);
    return ring.reduce((sum, a, index) => {
      const b = ring[(index + 1) % ring.length];
      return sum + a[0] * b[2] - a[2] * b[0];
    }, 0);
  });
  return Math.abs(twice.reduce((sum, one) => sum + one)) / 2;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.csharp')).sort();
for (const file of files) {
  const { damagedButRead, is64Bit, surface, ...theirs } = read(file);
  const ours = read(file.replace(/csharp$/, 'json'));
  const name = file.replace(/csharp$/, 'bin');
  for (const part of Object.keys(theirs)) {
    if (!hasAll(ours[part], theirs[part])) {
      console.error(`FAILED: ${name}: other ${part}`);
      process.exitCode = 1;
    }
  }
  const area = areaOf(ours);
  if (Math.abs(surface.area / area - 1) > 1e-4 || is64Bit !== /64/.test(name)) {
    console.error(`FAILED: ${name}: surface of ${surface.area} m², polygons of ${area} m²; 64 bits: ${is64Bit}`);
    process.exitCode = 1;
  }
  console.log(
    `${name}: ${theirs.tiles.length} tiles, ${theirs.polygons.length} polygons, ${theirs.off_mesh_links.length} off-mesh links ` +
      `and ${surface.triangles} detail triangles equal in C#; ${damagedButRead} of 2000 damaged files read, the others refused`,
  );
}
if (files.length === 0) process.exitCode = 1;
