// Starts the editor, passes files to it, and runs the workers.

import init, * as walkable from './walkable.js';

// Maximum size of a file that the user opens.
const MAX_FILE = 512 * 2 ** 20;
// Maximum sizes of files that the user opened and that are kept in the browser: one file, and all files.
const MAX_KEPT_FILE = 64 * 2 ** 20;
const MAX_KEPT = 256 * 2 ** 20;
// Maximum size of a file behind a link, of all files that belong to it, and their maximum number.
const MAX_FETCHED = 128 * 2 ** 20;
const MAX_FETCHED_SUM = 512 * 2 ** 20;
const MAX_FETCHED_FILES = 64;
// Maximum number of workers that bake tiles.
const MAX_WORKERS = 4;
// Prefix of the keys of the program's own files in `localStorage`: preferences and unsaved work.
const PROGRAM = 'walkable:/.walkable/';

// ---- State of the page before the window is open, and after an error

// Messages that are shown while the program is not running, in the language of the browser.
const TEXTS = navigator.language.startsWith('zh') ? {
  loading: '正在加载 Walkable…',
  noStart: 'Walkable 无法启动。它需要支持 WebAssembly 和 WebGL 2 或 WebGPU 的浏览器。',
  stopped: 'Walkable 因错误而停止。请重新加载页面：您的工作已保留。',
} : {
  loading: 'Loading Walkable…',
  noStart: 'Walkable cannot start. It needs a browser with WebAssembly and WebGL 2 or WebGPU.',
  stopped: 'Walkable has stopped because of an error. Reload the page: your work is kept.',
};
document.getElementById('text').textContent = TEXTS.loading;

function fail(text, error) {
  const state = document.getElementById('state');
  state.hidden = false;
  document.getElementById('bar').hidden = true;
  document.getElementById('text').textContent = text;
  document.getElementById('why').textContent = `${error?.stack || error?.message || error || ''}`.slice(0, 2000);
}

// ---- Files kept in the browser

// Each space of names (`files/space.rs`) has stores of its own, so that the same name in two of them is two files.

function database(name, stores) {
  return new Promise((resolve) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store, { keyPath: 'path' }));
    request.onsuccess = () => resolve(request.result);
    // Private windows may have no storage. The editor works without it.
    request.onerror = () => resolve(null);
  });
}

// The files of the user.
const FILES = { database: database('walkable', ['files']), name: 'files' };
// Files of the program: pictures of recent levels, and the files of links that unsaved work refers to.
const ofProgram = database('walkable-program', ['pictures', 'links']);
const PICTURES = { database: ofProgram, name: 'pictures' };
const LINKS = { database: ofProgram, name: 'links' };

async function transact(store, mode, work) {
  const opened = await store.database;
  if (!opened) return null;
  return new Promise((resolve) => {
    const transaction = opened.transaction(store.name, mode);
    const result = work(transaction.objectStore(store.name));
    transaction.oncomplete = () => resolve(result?.result ?? null);
    transaction.onabort = transaction.onerror = () => resolve(null);
  });
}

const allIn = async (store) => (await transact(store, 'readonly', (files) => files.getAll())) || [];
const put = (store, file) => transact(store, 'readwrite', (files) => files.put(file));
const remove = (store, path) => transact(store, 'readwrite', (files) => files.delete(path));

// Keeps a file of the user; the oldest ones make room for it.
async function keep(name, bytes) {
  if (bytes.length > MAX_KEPT_FILE) return;
  await put(FILES, { path: `/${name}`, bytes, time: Date.now() });
  let room = MAX_KEPT;
  for (const file of (await allIn(FILES)).sort((a, b) => b.time - a.time)) {
    room -= file.bytes.length;
    if (room < 0) await remove(FILES, file.path);
  }
}

let keptOfLinks = Promise.resolve();

// Keeps a file of a link if there is room, after the ones before.
function keepOfLink(link, name, bytes) {
  keptOfLinks = keptOfLinks.then(async () => {
    const used = (await allIn(LINKS)).reduce((sum, file) => sum + file.bytes.length, 0);
    if (used + bytes.length <= MAX_KEPT) await put(LINKS, { path: `${link}/${name}`, link, name, bytes });
  });
}

// Adds the stored files to the editor: those of the program only for these tabs, and those of links if they are needed.
async function addStored(tabs) {
  for (const { path, bytes } of await allIn(FILES)) walkable.add_file(path, bytes);
  for (const { path, bytes } of await allIn(PICTURES)) walkable.add_program_file(path, bytes);
  const links = new Set();
  for (const [key, text] of Object.entries(localStorage).filter(([key]) => key.startsWith(PROGRAM))) {
    const name = key.slice(PROGRAM.length);
    const tab = tabOf(name);
    for (const [, link] of tab === null ? [] : text.matchAll(/link-([0-9a-f]{32})/g)) links.add(link);
    if (tab === null || tabs.includes(tab)) walkable.add_program_file(name, new TextEncoder().encode(text));
  }
  for (const { path, link, name, bytes } of await allIn(LINKS)) {
    if (links.has(link)) walkable.add_link_file(link, name, bytes);
    else remove(LINKS, path);
  }
}

// Returns the number of the tab whose unsaved work is in the program's file `name`; `null` if it is another file.
function tabOf(name) {
  const found = /^unsaved-(\d+)\/.*\.walkable$/.exec(name);
  return found && Number(found[1]);
}

function download(path, bytes) {
  const link = document.createElement('a');
  link.download = path.split('/').pop();
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// ---- Workers

let module;

// Workers that do one bake at a time, tile by tile.
class Pool {
  constructor(size) {
    this.size = size;
    this.workers = [];
    this.bake = null; // { id, input, withStages, tiles, next }
    this.bakeId = 0;
    this.level = null;
    this.levelId = 0;
    this.baked = [];
  }

  fill() {
    while (this.workers.length < this.size) this.add();
  }

  add() {
    const worker = { port: new Worker('worker.js', { type: 'module' }), bake: 0, level: 0, tile: null };
    worker.port.onmessage = ({ data }) => {
      if (data.bake !== this.bake?.id) return;
      worker.tile = null;
      this.baked.push(data.result);
      this.feed(worker);
      walkable.wake();
    };
    worker.port.onerror = (event) => {
      // The worker ran out of memory, or has a bug. Its tile fails, and a new worker replaces it.
      const text = new TextEncoder().encode(walkable.worker_error(event.message || ''));
      const [x, z] = worker.tile || [];
      this.replace(worker);
      if (x === undefined || !this.bake) return;
      const result = new Uint8Array(9 + 8 * walkable.n_stages() + text.length);
      const view = new DataView(result.buffer);
      view.setUint32(0, x, true);
      view.setUint32(4, z, true);
      result[8] = 1;
      result.set(text, result.length - text.length);
      this.baked.push(result);
      walkable.wake();
    };
    worker.port.postMessage({ module });
    this.workers.push(worker);
    return worker;
  }

  replace(worker) {
    worker.port.terminate();
    this.workers.splice(this.workers.indexOf(worker), 1);
    this.feed(this.add());
  }

  feed(worker) {
    const { bake } = this;
    if (!bake || worker.tile || bake.next >= bake.tiles.length) return;
    const message = { bake: bake.id, withStages: bake.withStages };
    if (worker.level !== this.levelId) message.level = this.level;
    if (worker.bake !== bake.id) message.input = bake.input;
    [worker.level, worker.bake] = [this.levelId, bake.id];
    worker.tile = message.tile = [bake.tiles[bake.next], bake.tiles[bake.next + 1]];
    bake.next += 2;
    worker.port.postMessage(message);
  }

  start(level, input, tiles, withStages) {
    this.stop();
    if (level) [this.level, this.levelId] = [level, this.levelId + 1];
    this.bake = { id: (this.bakeId += 1), input, withStages, tiles, next: 0 };
    this.fill();
    this.workers.forEach((worker) => this.feed(worker));
  }

  stop() {
    this.bake = null;
    this.baked = [];
    // A worker does not receive messages in the middle of a tile, so it is replaced.
    for (const worker of this.workers.filter((worker) => worker.tile)) this.replace(worker);
  }
}

const N_WORKERS = Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1);
const pools = { bake: new Pool(N_WORKERS), preview: new Pool(N_WORKERS), stages: new Pool(1) };

// Workers of other jobs, each with its messages, by number.
const jobs = new Map();
let jobId = 0;

globalThis.walkablePage = {
  startJob(request) {
    const id = (jobId += 1);
    const job = { port: new Worker('worker.js', { type: 'module' }), messages: [] };
    const take = (message) => {
      job.messages.push(message);
      walkable.wake();
    };
    job.port.onmessage = ({ data }) => take(data.message);
    job.port.onerror = (event) => take(walkable.job_failure(walkable.worker_error(event.message || '')));
    job.port.postMessage({ module });
    // `request` is a view of the program's memory, so it is copied.
    const own = request.slice();
    job.port.postMessage({ job: own }, [own.buffer]);
    jobs.set(id, job);
    return id;
  },
  takeMessages(id) {
    return jobs.get(id)?.messages.splice(0) ?? [];
  },
  stopJob(id) {
    jobs.get(id)?.port.terminate();
    jobs.delete(id);
  },
  startBake(pool, level, input, tiles, withStages) {
    // `tiles` is a view of the program's memory, so it is copied.
    pools[pool].start(level, input, tiles.slice(), withStages);
  },
  stopBake(pool) {
    pools[pool].stop();
  },
  takeBaked(pool) {
    return pools[pool].baked.splice(0);
  },
  // `bytes` are views of the program's memory, so they are copied.
  programFile(name, bytes) {
    const isPicture = name.startsWith('thumbnails/');
    if (isPicture) {
      if (bytes) put(PICTURES, { path: name, bytes: bytes.slice() });
      else remove(PICTURES, name);
    } else if (bytes) {
      try {
        localStorage.setItem(PROGRAM + name, new TextDecoder().decode(bytes));
      } catch (error) {
        // The program expects the error as a string.
        throw `the browser does not store it: ${error.message}`;
      }
    } else {
      localStorage.removeItem(PROGRAM + name);
    }
  },
  written(name, bytes) {
    const own = bytes.slice();
    download(name, own);
    if (name.endsWith('.walkable')) keep(name, own);
  },
  stored(name, bytes) {
    keep(name, bytes.slice());
  },
  removed(name) {
    remove(FILES, `/${name}`);
  },
  linkFile(link, name, bytes) {
    keepOfLink(link, name, bytes.slice());
  },
  pick(endings) {
    const input = document.createElement('input');
    [input.type, input.multiple, input.accept] = ['file', true, endings];
    input.onchange = () => take([...input.files]);
    input.click();
  },
};

// ---- Files of the user

async function take(files) {
  const added = [];
  for (const file of files) {
    try {
      if (file.size > MAX_FILE) throw new Error(walkable.size_error(file.name, MAX_FILE));
      added.push(walkable.store_file(file.name, new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      walkable.show_file_error(file.name, error.message ?? `${error}`);
    }
  }
  walkable.open_files(added);
}

for (const kind of ['dragenter', 'dragover', 'drop']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (kind === 'drop') take([...event.dataTransfer.files]);
  }, true);
}

// ---- Links: #level=URL, #project=URL, #repro=URL

// Prefix of a `data:` URL that contains a repro file.
const REPRO_DATA = 'data:application/zlib;base64,';

// Returns a new number, in hexadecimal digits.
function randomNumber() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(walkable.http_error(url, response.status));
  return readAll(response.body, url);
}

// Returns all bytes of a stream. Errors contain `name`.
async function readAll(stream, name) {
  const pieces = [];
  let size = 0;
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MAX_FETCHED) {
      reader.cancel();
      throw new Error(walkable.size_error(name, MAX_FETCHED));
    }
    pieces.push(read.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// Percent-decodes a path; returns it as it is if it is malformed.
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

// Fetches a file of a link and the files that it refers to, of which these may refer to others. Returns its path.
async function fetchWithFiles(link, url, name, fetched = { first: url, urls: new Set(), size: 0 }) {
  fetched.urls.add(url);
  const bytes = await fetchBytes(url);
  fetched.size += bytes.length;
  if (fetched.size > MAX_FETCHED_SUM) throw new Error(walkable.size_error(fetched.first, MAX_FETCHED_SUM));
  for (const [uri, isRequired] of walkable.references(name, bytes)) {
    const other = new URL(uri, url);
    if (fetched.urls.has(other.href)) continue;
    if (fetched.urls.size >= MAX_FETCHED_FILES) throw new Error(walkable.file_count_error(url, MAX_FETCHED_FILES));
    try {
      if (other.origin !== new URL(url).origin) throw new Error(walkable.server_error(other.href.slice(0, 200)));
      await fetchWithFiles(link, other.href, walkable.name_beside(name, decoded(uri)), fetched);
    } catch (error) {
      if (isRequired) throw error;
    }
  }
  return walkable.add_link_file(link, name, bytes);
}

async function linked() {
  const terms = new URLSearchParams(location.hash.slice(1));
  const target = terms.get('project') || terms.get('repro') || terms.get('level');
  if (!target) return null;
  const link = randomNumber();
  if (target.startsWith(REPRO_DATA) && terms.get('repro') === target) {
    return walkable.add_link_file(link, 'linked.repro', await decodeRepro(target.slice(REPRO_DATA.length)));
  }
  const url = new URL(target, location.href);
  if (!/^https?:/.test(url.href)) throw new Error(walkable.scheme_error(target.slice(0, 200)));
  return fetchWithFiles(link, url.href, walkable.name_beside('', decoded(url.pathname)) || 'level');
}

// Decodes base64 and decompresses zlib.
async function decodeRepro(base64) {
  try {
    const compressed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return await readAll(new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate')), 'linked.repro');
  } catch (error) {
    // `atob` throws a DOMException, `DecompressionStream` a TypeError.
    const isDamaged = error instanceof DOMException || error instanceof TypeError;
    throw isDamaged ? new Error(walkable.damaged_link_error()) : error;
  }
}

// ---- Start

// Returns the number of this tab among the open tabs, then those of closed tabs that left unsaved work. This tab holds
// them until it is closed.
async function tabNumbers() {
  if (!navigator.locks) return [0];
  const isFree = (n) => new Promise((resolve) => {
    navigator.locks.request(`walkable-tab-${n}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    });
  });
  const numbers = [];
  for (let n = 0; !numbers.length; n += 1) if (await isFree(n)) numbers.push(n);
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PROGRAM));
  const withWork = new Set(keys.map((key) => tabOf(key.slice(PROGRAM.length))));
  for (const n of withWork) {
    if (n !== null && !numbers.includes(n) && await isFree(n)) numbers.push(n);
  }
  return numbers;
}

async function compiled() {
  const response = await fetch('walkable_bg.wasm');
  if (!response.ok) throw new Error(`walkable_bg.wasm: the server answers ${response.status}`);
  const total = Number(response.headers.get('content-length')) || 0;
  const encoded = response.headers.get('content-encoding');
  const fill = document.getElementById('fill');
  let n_read = 0;
  const counted = new TransformStream({
    transform(piece, out) {
      n_read += piece.length;
      if (total && !encoded) fill.style.width = `${Math.min(100, (100 * n_read) / total)}%`;
      out.enqueue(piece);
    },
  });
  // Some servers send another content type for WebAssembly.
  const headers = { 'content-type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(response.body.pipeThrough(counted), { headers }));
}

async function main() {
  module = await compiled();
  await init({ module_or_path: module });
  pools.bake.fill();
  walkable.set_program_number(randomNumber());
  const tabs = await tabNumbers();
  await addStored(tabs);
  let first;
  let problem = null;
  try {
    first = (await linked()) ?? undefined;
  } catch (error) {
    problem = error;
  }
  await walkable.start(document.getElementById('canvas'), tabs[0], first);
  document.getElementById('state').hidden = true;
  if (problem) walkable.show_link_error(problem.message);
  globalThis.walkable = walkable;
}

addEventListener('error', (event) => {
  if (/unreachable|RuntimeError|memory/.test(`${event.error} ${event.message}`)) {
    fail(TEXTS.stopped, event.error);
  }
});
addEventListener('beforeunload', (event) => {
  if (globalThis.walkable?.is_unsaved()) event.preventDefault();
});
addEventListener('hashchange', () => location.reload());

main().catch((error) => {
  fail(TEXTS.noStart, error);
});
