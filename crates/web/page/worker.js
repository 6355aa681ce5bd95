// Bakes one tile after another, or runs one other job. The page compiles the program once and sends it to this worker.

import { initSync, worker_bake, worker_input, worker_job, worker_level } from './walkable.js';

globalThis.walkableWorker = {
  send(message) {
    // `message` is a view of the program's memory, so it is copied.
    const own = message.slice();
    postMessage({ message: own }, [own.buffer]);
  },
};

onmessage = ({ data: { module, job, bake, level, input, tile, withStages } }) => {
  if (module) {
    initSync({ module });
    return;
  }
  if (job) {
    worker_job(job);
    return;
  }
  if (level) worker_level(level);
  if (input) worker_input(input);
  const result = worker_bake(tile[0], tile[1], withStages);
  postMessage({ bake, result }, [result.buffer]);
};
