// Baking in Node: the WebAssembly file is read from the disk, so that everything works without `await init()`.

import { readFileSync } from 'node:fs';
import { initSync } from './walkable_bake.js';

initSync({ module: readFileSync(new URL('./walkable_bake_bg.wasm', import.meta.url)) });

export * from './walkable_bake.js';
// The same call as in a browser, where it loads the file.
export default async function init() {}
