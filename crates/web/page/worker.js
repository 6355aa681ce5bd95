// Bakes one tile after another. The page compiles the program once and sends it to this worker.

import { initSync, worker_bake, worker_input, worker_level } from './walkable.js';

onmessage = ({ data: { module, bake, level, input, tile } }) => {
  if (module) {
    initSync({ module });
    return;
  }
  if (level) worker_level(level);
  if (input) worker_input(input);
  const result = worker_bake(tile[0], tile[1]);
  postMessage({ bake, result }, [result.buffer]);
};
