// Tests the page in Chromium: node check.mjs PAGE FILES
// PAGE is the folder of `.ci/web`. FILES contains the results of the native program for the same levels and settings.
// The environment variable PICTURES names a folder for pictures of the window.
// The last step, WebGPU, opens a window and needs a display.

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const [pageFolder, files] = process.argv.slice(2);
const PATIENCE = 60_000;
// Ends of the addresses of files that do not exist. The browser reports an error when the page reads one.
const ABSENT = ['files/absent.glb'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  const file = path.startsWith('/files/') ? join(files, path.slice(7)) : join(pageFolder, path === '/' ? 'index.html' : path);
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(file)] || 'application/octet-stream', 'content-length': found.size });
  return createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const OPTIONS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const WEBGL = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
// Headless Chromium shows a white page with WebGPU on the software driver.
const WEBGPU = ['--use-angle=swiftshader', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan,VulkanFromANGLE,DefaultANGLEVulkan', '--disable-vulkan-surface'];

const profiles = [];
let browser;
let page;
const problems = [];

async function openBrowser(options, headless = true) {
  const profile = await mkdtemp(join(tmpdir(), 'walkable-web-'));
  profiles.push(profile);
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    viewport: { width: 1280, height: 800 },
    headless,
    args: [...OPTIONS, ...options],
  });
  await openTab();
}

async function openTab() {
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(`${error.stack || error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !ABSENT.some((end) => message.location().url.endsWith(end))) problems.push(message.text());
  });
}

// Returns the state; `null` before the window is open, and while the page is reloaded.
const state = () => page.evaluate(() => (globalThis.walkable ? JSON.parse(globalThis.walkable.state()) : null))
  .catch((error) => {
    if (/context was destroyed|navigation/.test(error.message)) return null;
    throw error;
  });
const command = async (id) => assert(await page.evaluate((id) => globalThis.walkable.command(id), id), `no command ${id}`);

async function until(what, holds) {
  const end = Date.now() + PATIENCE;
  let now = null;
  while (Date.now() < end) {
    assert.deepEqual(problems, [], 'errors of the page');
    now = await state();
    if (now && holds(now)) return now;
    // The test polls, because the page has no event for this.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not within ${PATIENCE / 1000} s; the state is ${JSON.stringify(now)}`);
}

// The page starts as many workers for tiles as there are cores, and at most four.
const N_WORKERS = Math.min(4, availableParallelism());
const isBaked = (now) => !now.busy && now.bake_ms !== null && now.polygons > 0;

async function picture(name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
}

// Waits until the page has drawn what follows from the last input.
const frames = () => page.evaluate(async () => {
  for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
});

// Passes files to the page as if they were dropped on it.
async function drop(...names) {
  const files = await Promise.all(names.map(async (name) => [basename(name), (await readFile(name)).toString('base64')]));
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) {
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
}

async function exported() {
  const download = page.waitForEvent('download', { timeout: PATIENCE });
  await command('file.export.mesh-detour');
  return readFile(await (await download).path());
}

// Writes the saved project with a change.
async function writeProject(name, change) {
  const project = JSON.parse(await readFile(join(files, 'saved.walkable'), 'utf8'));
  change(project);
  await writeFile(join(files, name), JSON.stringify(project));
}

// Returns the number of distinct colors in a PNG file.
function colors(png) {
  return page.evaluate(async (text) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, png.toString('base64'));
}

// Returns whether `path` is the file `name` of a link to the server's folder `files`.
const isOfLink = (path, name) => /^\/link-[0-9a-f]{32}\/files\//.test(path) && path.endsWith(`/files/${name}`);

// Returns what the browser stores: `local` is the program's own files by their keys, `files` and `links` the files of the
// user and those of links by their paths, each with its size and its SHA-256 hash.
const stored = () => page.evaluate(async () => {
  const all = async (database, store) => {
    const opened = await new Promise((resolve) => (indexedDB.open(database).onsuccess = (event) => resolve(event.target.result)));
    const request = opened.transaction(store).objectStore(store).getAll();
    const files = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    opened.close();
    return Object.fromEntries(await Promise.all(files.map(async ({ path, bytes }) => {
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      return [path, `${bytes.length} ${hash}`];
    })));
  };
  const [files, links] = await Promise.all([all('walkable', 'files'), all('walkable-program', 'links')]);
  return { local: { ...localStorage }, files, links };
});

// Returns the unsaved work in the storage, of all tabs, sorted.
const works = ({ local }) => Object.entries(local).filter(([key]) => key.endsWith('.walkable')).map(([, text]) => text).sort();

// Returns the stored preferences without what the page changes in each session: the scale, which the test changes, times, the
// camera, and the tour, which an opened level ends.
function preferences({ local }) {
  const { prefs } = JSON.parse(local['walkable:/.walkable/preferences.json']);
  return { ...prefs, scale: null, tour: null, recent: prefs.recent.map(({ source }) => source), last: prefs.last?.[0] };
}

// Waits until the page has stored that this file is open.
const untilRemembered = (path) => page.waitForFunction((path) => (
  localStorage.getItem('walkable:/.walkable/preferences.json')?.includes(path)
), `${path}"`, { timeout: PATIENCE });

const isOffered = (now) => now.notices.some((notice) => notice.startsWith('Unsaved work was found'));

// Changes the agent's radius, and waits until a recovery file of this tab has it.
async function changeRadius(radius) {
  await page.evaluate((radius) => globalThis.walkable.set_setting('agent_radius', radius), `${radius}`);
  await page.waitForFunction((radius) => Object.entries(localStorage).some(([key, text]) => (
    key.endsWith('running.walkable') && Math.abs(JSON.parse(text).document.settings.agent_radius - radius) < 1e-6
  )), radius, { timeout: PATIENCE });
}

// Opens the first unsaved work of the list.
async function recover() {
  await command('file.recover-work');
  await frames();
  for (const key of ['Tab', 'Enter']) {
    await page.keyboard.press(key);
    await frames();
  }
}

// Saves the project, and returns the name of its file.
async function save() {
  const download = page.waitForEvent('download', { timeout: PATIENCE });
  await command('file.save');
  const name = (await download).suggestedFilename();
  await until('the saved project', (now) => !now.unsaved && now.project === `/files/${name}`);
  return name;
}

async function step(name, work) {
  const started = Date.now();
  const said = await work();
  console.log(`${name}: ${said ?? 'ok'} (${Date.now() - started} ms)`);
}

try {
  await openBrowser(WEBGL);
  await step('opens', async () => {
    await page.goto(address);
    await until('the window', () => true);
  });
  await step('bakes the sample', async () => {
    const now = await until('the first bake', isBaked);
    assert.equal(now.level, 'Sample');
    assert.equal(now.errors, 0);
    await picture('first');
    return `${now.polygons} polygons, ${now.bake_ms.toFixed(0)} ms, of which tiles ${now.tile_ms.toFixed(0)} ms`;
  });
  await page.locator('canvas').focus();
  await page.keyboard.press('Escape');
  await command('tool.path');
  // Two frames later, the notices are closed.
  for (let n = 0; n < 2; n++) await page.evaluate(() => new Promise(requestAnimationFrame));
  await picture('browser');
  // The first bakes run before the browser has optimized the program.
  await step('bakes the sample again', async () => {
    const times = [];
    for (let n = 0; n < 40; n += 1) {
      await command('bake.start');
      times.push((await until('the bake', isBaked)).tile_ms);
    }
    times.sort((a, b) => a - b);
    return `of 40 bakes, the tile takes ${times[0].toFixed(1)} ms at best, ${times[20].toFixed(1)} ms in the median`;
  });
  await step('exports the bytes of the native program', async () => {
    assert.deepEqual(await exported(), await readFile(join(files, 'sample.bin')));
  });
  await step('changes settings', async () => {
    await page.evaluate(() => globalThis.walkable.set_setting('tile_size', '32'));
    await until('the bake in tiles', (now) => isBaked(now) && now.tiles > 1);
    // The order in which workers bake tiles has no influence on the file.
    assert.deepEqual(await exported(), await readFile(join(files, 'tiled.bin')));
    const why = await page.evaluate(() => {
      try {
        return globalThis.walkable.set_setting('cell_size', '-1');
      } catch (error) {
        return `${error}`;
      }
    });
    assert.match(why, /cell_size/);
  });
  await step('finds a path between two clicks', async () => {
    await command('path.clear');
    await command('tool.path');
    await page.mouse.click(500, 420);
    await page.mouse.click(640, 380);
    const now = await until('the path', (now) => now.path > 0);
    await picture('path');
    return `${now.path} polygons`;
  });
  await step('compares searches in a worker', async () => {
    // The worker that explains the path has ended.
    await until('the explanation', (now) => !now.busy && now.obstacle);
    const n_workers = page.workers().length;
    const started = page.waitForEvent('worker', { timeout: PATIENCE });
    await command('lab.run');
    await started;
    const now = await until('the comparison', (now) => !now.busy && now.compared > 5);
    assert.equal(page.workers().length, n_workers, 'the worker has ended');
    await picture('lab');
    return `${now.compared} searches`;
  });
  await step('checks the navmesh in a worker', async () => {
    const n_workers = page.workers().length;
    const started = page.waitForEvent('worker', { timeout: PATIENCE });
    const { checks } = await state();
    await command('check.run');
    await started;
    await until('the check', (now) => !now.busy && now.checks === checks + 1);
    assert.equal(page.workers().length, n_workers, 'the worker has ended');
  });
  await step('shows stages that came with the tiles', async () => {
    const n_workers = page.workers().length;
    await command('view.previous-stage');
    await until('the stage', (now) => !now.busy && now.stages === now.tiles);
    assert.equal(page.workers().length, n_workers, 'no tile is baked again');
    await picture('stage');
    await command('view.next-stage');
  });
  await step('shows stages of many tiles, baked again in a worker', async () => {
    await page.evaluate(() => globalThis.walkable.set_setting('tile_size', '8'));
    await until('the bake in tiles', (now) => isBaked(now) && now.tiles > 64 && now.stages < 9);
    await command('view.previous-stage');
    const now = await until('the stages', (now) => !now.busy && now.stages > 64);
    assert(page.workers().length > N_WORKERS, 'a worker for stages was started');
    await picture('stages');
    await command('view.next-stage');
    await page.evaluate(() => globalThis.walkable.set_setting('tile_size', '32'));
    await until('the bake in larger tiles', (now) => isBaked(now) && now.tiles < 64);
    return `${now.stages} tiles`;
  });
  await step('keeps unsaved work over a reload', async () => {
    const { tiles, unsaved } = await state();
    assert(unsaved);
    // Changes are kept at once, or some seconds after the change before.
    const isKept = ([key, text]) => key.endsWith('running.walkable') && JSON.parse(text).document.settings.tile_size === 32;
    await page.waitForFunction(`Object.entries(localStorage).some(${isKept})`, null, { timeout: PATIENCE });
    await page.reload();
    const now = await until('the reloaded page', isBaked);
    assert(isOffered(now), now.notices.join('\n'));
    assert(now.tiles !== tiles && !now.unsaved, 'the sample is opened as it is');
    await recover();
    const opened = await until('the unsaved work', (now) => isBaked(now) && now.tiles === tiles && now.unsaved);
    assert(!isOffered(opened), 'it is no longer offered');
    await picture('reload');
    const download = page.waitForEvent('download', { timeout: PATIENCE });
    await command('file.save');
    await download;
    await until('the saved work', (now) => !now.unsaved);
  });
  await step('opens a GLB from the file picker', async () => {
    const chooser = page.waitForEvent('filechooser', { timeout: PATIENCE });
    await command('file.open');
    await (await chooser).setFiles(join(files, 'level.glb'));
    const now = await until('the GLB', (now) => now.level === 'level.glb' && isBaked(now));
    await picture('glb');
    return `${now.triangles} triangles, ${now.polygons} polygons`;
  });
  await step('saves a picture of the 3D view', async () => {
    await command('file.picture');
    await frames();
    const download = page.waitForEvent('download', { timeout: PATIENCE });
    // From the last button, Cancel, to Save.
    for (const key of ['Shift+Tab', 'Shift+Tab', 'Enter']) {
      await page.keyboard.press(key);
      await frames();
    }
    const png = await readFile(await (await download).path());
    const n = await colors(png);
    assert(n > 100, `the picture has ${n} colors`);
    return `${png.length} bytes, ${n} colors`;
  });
  await step('saves a project and opens it after a reload', async () => {
    await page.evaluate(() => globalThis.walkable.set_setting('agent_radius', '0.3'));
    const download = page.waitForEvent('download', { timeout: PATIENCE });
    await command('file.save');
    const text = await readFile(await (await download).path(), 'utf8');
    assert.match(text, /walkable_project/);
    await writeFile(join(files, 'saved.walkable'), text);
    await until('the saved project', (now) => !now.unsaved && now.project);
    // Preferences are stored every two seconds.
    await page.waitForFunction(() => localStorage.getItem('walkable:/.walkable/preferences.json')?.includes('.walkable"'), null, { timeout: PATIENCE });
    await page.reload();
    const now = await until('the project', (now) => now.project && isBaked(now));
    assert.equal(now.level, 'level.glb');
  });
  await step('keeps pictures of recent levels', async () => {
    const kept = () => page.evaluate(() => new Promise((resolve) => {
      indexedDB.open('walkable-program').onsuccess = ({ target: { result: database } }) => {
        const request = database.transaction('pictures').objectStore('pictures').getAllKeys();
        request.onsuccess = () => resolve(request.result.length);
      };
    }));
    // Of the sample and the GLB.
    const end = Date.now() + PATIENCE;
    while (await kept() < 2) {
      assert(Date.now() < end, `${await kept()} pictures`);
      await frames();
    }
    await page.reload();
    await until('the project', (now) => now.project && isBaked(now));
    await command('file.close-level');
    await until('the start page', (now) => now.level === null);
    await frames();
    await picture('start');
    return `${await kept()} pictures`;
  });
  await step('opens a level by link', async () => {
    // The page reloads itself when the link changes.
    await page.goto(`${address}#level=files/level.glb`);
    await until('the level', (now) => now.level === 'level.glb' && !now.project && isBaked(now));
    await page.goto(`${address}#level=${ABSENT[0]}`);
    const isTold = (now) => now.notices.some((notice) => notice.startsWith('The link cannot be opened') && notice.includes('404'));
    await until('the error', isTold);
  });
  await step('opens a project by link, with its level', async () => {
    await page.goto(`${address}#project=files/saved.walkable`);
    const isOpen = (now) => now.level === 'level.glb' && isOfLink(now.project, 'saved.walkable') && isBaked(now);
    await until('the project', isOpen);
  });
  await step('bakes layers for obstacles in a worker', async () => {
    await writeProject('layers.walkable', ({ document }) => {
      document.obstacles = { prepared: true, list: [] };
      document.settings.tile_size = 32;
    });
    await page.goto(`${address}#project=files/layers.walkable`);
    await until('the layers', (now) => isOfLink(now.project, 'layers.walkable') && isBaked(now) && now.layers > 0);
    await page.evaluate(() => {
      const { walkablePage } = globalThis;
      const start = walkablePage.startJob;
      walkablePage.n_jobs = 0;
      walkablePage.startJob = (request) => {
        walkablePage.n_jobs += 1;
        return start(request);
      };
      globalThis.walkable.set_setting('agent_radius', '0.4');
    });
    const now = await until('the layers again', (now) => isBaked(now) && now.layers > 0 && now.unsaved);
    assert(await page.evaluate(() => globalThis.walkablePage.n_jobs) > 0, 'a worker bakes the layers');
    return `${now.layers} layers`;
  });
  await step('opens linked files with all files that they refer to', async () => {
    await writeProject('of-gltf.walkable', (project) => (project.level.file = 'level.gltf'));
    await page.goto(`${address}#project=files/of-gltf.walkable`);
    await until('the glTF file', (now) => now.level === 'level.gltf' && isOfLink(now.project, 'of-gltf.walkable') && isBaked(now));
    await page.goto(`${address}#level=files/scene.gset`);
    await until('the scene', (now) => now.level === 'dropped.obj' && isBaked(now));
    await page.goto(`${address}#level=files/room.map.scen`);
    await until('the map', (now) => now.level === 'room.map.scen' && now.triangles > 0 && !now.busy);
  });
  await step('opens dropped files, the level with its settings', async () => {
    await page.goto(address);
    await until('the window', (now) => !now.busy && !now.unsaved);
    await drop(join(files, 'dropped.cfg'), join(files, 'dropped.obj'));
    await until('the level', (now) => now.level === 'dropped.obj' && isBaked(now) && now.tiles > 1);
    for (const name of ['dropped.ply', 'dropped.tri']) {
      await drop(join(files, name));
      await until(name, (now) => now.level === name && isBaked(now));
    }
    await drop(join(files, 'dropped.tiles'));
    await until('the tile store', (now) => now.level === null && now.polygons > 0 && !now.busy);
  });
  await step('cancels a bake', async () => {
    await drop(join(files, 'town.obj'), join(files, 'town.cfg'));
    await until('the bake', (now) => now.level === 'town.obj' && now.busy && now.tiles > 3);
    await command('bake.cancel');
    const asked = Date.now();
    const now = await until('the end', (now) => !now.busy);
    const ms = Date.now() - asked;
    assert(ms < 1000, `only after ${ms} ms`);
    assert.equal(now.bake_ms, null);
    return `${ms} ms, after ${now.tiles} tiles`;
  });
  // The last step, because the level of a repro file is unsaved work, which dropped files would replace only after a question.
  await step('opens a repro file by link, and explains its path', async () => {
    await page.goto(`${address}#repro=files/path.repro`);
    const now = await until('the explanation', (now) => isBaked(now) && now.obstacle);
    await picture('repro');
    return now.obstacle;
  });
  await step('copies a link that contains the repro file, and opens it', async () => {
    const { obstacle } = await state();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await command('file.copy-link.path-repro');
    await until('the message', (now) => now.notices.some((notice) => notice.startsWith('Link copied')));
    const copied = await page.waitForFunction(() => navigator.clipboard.readText(), null, { timeout: PATIENCE });
    const link = await copied.jsonValue();
    assert(link.startsWith(`${address}#repro=data:application/zlib;base64,`), link.slice(0, 100));
    await page.goto('about:blank');
    await page.goto(link);
    const now = await until('the explanation', (now) => isBaked(now) && now.obstacle);
    assert.equal(now.obstacle, obstacle);
    await page.goto('about:blank');
    await page.goto(link.slice(0, -100));
    const isTold = (now) => now.notices.some((notice) => notice.startsWith('The link cannot be opened') && notice.includes('damaged'));
    await until('the error', isTold);
    return `${link.length} characters`;
  });
  await browser.close();
  await openBrowser(WEBGL);
  await step('links change no files of the user or of the program', async () => {
    await page.goto(address);
    await until('the window', isBaked);
    await drop(join(files, 'saved.walkable'), join(files, 'level.glb'));
    await until('the project', (now) => now.project === '/files/saved.walkable' && isBaked(now));
    await command('window.zoom-in');
    await changeRadius(0.45);
    await untilRemembered('/files/saved.walkable');
    const before = await stored();
    assert.equal(works(before).length, 1);
    // Files that a link names like those of the program, with the content of a project and of preferences.
    const evil = await readFile(join(files, 'saved.walkable'), 'utf8');
    for (const folder of ['.walkable/unsaved-0', '.walkable/thumbnails', 'evil']) await mkdir(join(files, folder), { recursive: true });
    for (const name of ['running', 'recovered-1']) {
      for (const slash of ['/', '%2F', '%252F']) await writeFile(join(files, `.walkable${slash}unsaved-0${slash}${name}.walkable`), evil);
    }
    await writeFile(join(files, '.walkable/preferences.json'), '{"prefs": {"scale": 0.5}}');
    const targets = ['running.walkable', 'recovered-1.walkable'].flatMap((name) => (
      ['%252F', '%25252F', '/'].map((slash) => `level=files/.walkable${slash}unsaved-0${slash}${name}`)
    ));
    const levels = ['.walkable/preferences.json', '/files/.walkable/preferences.json', './a/../.walkable/unsaved-0/running.walkable',
      '.walkable\\preferences.json', '/.walkable/preferences.json', '/program-/../files/level.glb'];
    for (const [n, level] of levels.entries()) {
      await writeProject(`evil-${n}.walkable`, (project) => (project.level.file = level));
      targets.push(`project=files/evil-${n}.walkable`);
    }
    await writeFile(join(files, 'evil.gset'), 'f .walkable/preferences.json\n');
    // Another project with the name of a stored one, and one that says that it is unsaved work of it.
    await writeProject('evil/saved.walkable', (project) => (project.level.file = '../level.glb'));
    await writeProject('evil/unsaved.walkable', (project) => {
      Object.assign(project, { level: { file: '../level.glb' }, unsaved: { of: '/files/saved.walkable' } });
    });
    targets.push('level=files/evil.gset', 'project=files/evil/saved.walkable', 'project=files/evil/unsaved.walkable');
    ABSENT.push('/.walkable/preferences.json', '/.walkable/unsaved-0/level.glb');
    for (const target of targets) {
      await page.goto('about:blank');
      await page.goto(`${address}#${target}`);
      await until(target, (now) => !now.busy && isOffered(now));
      // What the page writes next.
      const text = await page.evaluate(() => localStorage.getItem('walkable:/.walkable/preferences.json'));
      await command(JSON.parse(text).prefs.scale < 1.2 ? 'window.zoom-in' : 'window.zoom-out');
      await page.waitForFunction((text) => localStorage.getItem('walkable:/.walkable/preferences.json') !== text, text, { timeout: PATIENCE });
      const now = await stored();
      assert.deepEqual(now.files, before.files, target);
      assert.deepEqual(works(now), works(before), target);
      assert.deepEqual(preferences(now), preferences(before), target);
    }
    return `${targets.length} links`;
  });
  await step('saves the project of a link under another name than a stored one', async () => {
    const before = await stored();
    await page.goto('about:blank');
    await page.goto(`${address}#project=files/evil/saved.walkable`);
    await until('the project', (now) => isOfLink(now.project, 'evil/saved.walkable') && isBaked(now));
    assert.equal(await save(), 'saved-1.walkable');
    // Another level of the same name is stored beside it.
    await writeProject('other/saved.walkable', () => {});
    await page.goto('about:blank');
    await page.goto(`${address}#project=files/other/saved.walkable`);
    const { triangles } = await until('the project', (now) => isOfLink(now.project, 'other/saved.walkable') && isBaked(now));
    assert.equal(await save(), 'saved-2.walkable');
    const added = ['/saved-1.walkable', '/saved-2.walkable', '/level-1/level.glb'];
    const isStored = async () => Object.keys((await stored()).files).length === Object.keys(before.files).length + added.length;
    const end = Date.now() + PATIENCE;
    while (!await isStored()) {
      assert(Date.now() < end, JSON.stringify(await stored()));
      await frames();
    }
    const { files: now } = await stored();
    for (const path of added) assert(now[path], path);
    for (const [path, file] of Object.entries(before.files)) assert.equal(now[path], file, path);
    await untilRemembered('/files/saved-2.walkable');
    await page.goto('about:blank');
    await page.goto(address);
    await until('the saved project', (now) => now.project === '/files/saved-2.walkable' && isBaked(now) && now.triangles === triangles);
  });
  await browser.close();
  await openBrowser(WEBGL);
  await step('offers changed work of a link, with its level', async () => {
    await page.goto(`${address}#level=files/dropped.obj`);
    const { triangles } = await until('the level', (now) => now.level === 'dropped.obj' && isBaked(now));
    assert.deepEqual((await stored()).links, {}, 'nothing is stored before it is changed');
    await changeRadius(0.5);
    const end = Date.now() + PATIENCE;
    while (!Object.keys((await stored()).links).length) {
      assert(Date.now() < end, 'the level is stored');
      await frames();
    }
    await page.goto('about:blank');
    await page.goto(address);
    await until('the offer', (now) => isBaked(now) && isOffered(now) && now.level === 'Sample');
    await recover();
    const isOpen = (now) => now.level === 'dropped.obj' && now.triangles === triangles && isBaked(now) && now.unsaved;
    assert(!isOffered(await until('the unsaved work', isOpen)), 'it is no longer offered');
    await untilRemembered(`/files/${await save()}`);
    await page.goto('about:blank');
    await page.goto(address);
    const now = await until('the saved project', (now) => now.level === 'dropped.obj' && now.triangles === triangles && isBaked(now));
    assert(!isOffered(now));
    const removed = Date.now() + PATIENCE;
    while (Object.keys((await stored()).links).length) {
      assert(Date.now() < removed, 'no work needs the files of the link');
      await frames();
    }
  });
  await step('finds the unsaved work of a closed second tab', async () => {
    const first = page;
    await openTab();
    await page.goto(address);
    await until('the second tab', isBaked);
    await changeRadius(0.55);
    const second = page;
    await openTab();
    await page.goto(address);
    assert(!isOffered(await until('the third tab', isBaked)), 'the second tab is open');
    await page.close();
    await second.close();
    page = first;
    await page.goto('about:blank');
    await page.goto(address);
    await until('the offer', (now) => isBaked(now) && isOffered(now));
    await recover();
    assert(!isOffered(await until('the unsaved work', (now) => isBaked(now) && now.unsaved)), 'it is no longer offered');
  });
  await step('asks before a tab with changes is closed', async () => {
    const closing = async () => {
      // Browsers ask only if the user has used the page.
      await page.mouse.click(640, 400);
      const asked = page.waitForEvent('dialog', { timeout: PATIENCE }).catch(() => null);
      await page.close({ runBeforeUnload: true });
      return asked;
    };
    assert((await state()).unsaved);
    const dialog = await closing();
    assert.equal(dialog?.type(), 'beforeunload');
    await dialog.dismiss();
    await save();
    const other = await page.context().newPage();
    assert.equal(await closing(), null, 'nothing is unsaved');
    assert(page.isClosed());
    page = other;
  });
  await browser.close();
  await openBrowser(WEBGPU, false);
  await step('draws with WebGPU', async () => {
    await page.goto(address);
    await until('the bake', isBaked);
    await page.keyboard.press('Escape');
    const is_webgpu = await page.evaluate(() => document.getElementById('canvas').getContext('webgpu') !== null);
    assert(is_webgpu, 'this Chromium has no WebGPU');
    await picture('webgpu');
    const n = await colors(await page.screenshot());
    assert(n > 1000, `the page has only ${n} colors`);
    return `${n} colors`;
  });
} catch (error) {
  await picture('failed');
  console.error(error);
  console.error(problems.join('\n'));
  process.exitCode = 1;
} finally {
  await browser?.close();
  for (const profile of profiles) await rm(profile, { recursive: true, force: true });
  server.close();
}
