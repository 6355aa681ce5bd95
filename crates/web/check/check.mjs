// Tests the page in Chromium: node check.mjs PAGE FILES
// PAGE is the folder of `.ci/web`. FILES contains the results of the native program for the same levels and settings.
// The environment variable PICTURES names a folder for pictures of the window.
// The last step, WebGPU, opens a window and needs a display.

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const [pageFolder, files] = process.argv.slice(2);
const PATIENCE = 60_000;
// A file that does not exist. The browser reports an error when the page reads it.
const ABSENT = 'files/absent.glb';
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
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(`${error.stack || error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith(ABSENT)) problems.push(message.text());
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
    assert(now.notices.some((notice) => notice.startsWith('Unsaved work was found')), now.notices.join('\n'));
    assert(now.tiles !== tiles && !now.unsaved, 'the sample is opened as it is');
    await command('file.recover-work');
    await frames();
    await picture('reload');
    // The first button opens the unsaved work.
    for (const key of ['Tab', 'Enter']) {
      await page.keyboard.press(key);
      await frames();
    }
    await until('the unsaved work', (now) => isBaked(now) && now.tiles === tiles && now.unsaved);
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
      indexedDB.open('walkable').onsuccess = ({ target: { result: database } }) => {
        const request = database.transaction('files').objectStore('files').getAllKeys();
        request.onsuccess = () => resolve(request.result.filter((path) => path.startsWith('/.walkable/thumbnails/')).length);
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
    await page.goto(`${address}#level=${ABSENT}`);
    const isTold = (now) => now.notices.some((notice) => notice.startsWith('The link cannot be opened') && notice.includes('404'));
    await until('the error', isTold);
  });
  await step('opens a project by link, with its level', async () => {
    await page.goto(`${address}#project=files/saved.walkable`);
    const isOpen = (now) => now.level === 'level.glb' && now.project === '/saved.walkable' && isBaked(now);
    await until('the project', isOpen);
  });
  await step('bakes layers for obstacles in a worker', async () => {
    await writeProject('layers.walkable', ({ document }) => {
      document.obstacles = { prepared: true, list: [] };
      document.settings.tile_size = 32;
    });
    await page.goto(`${address}#project=files/layers.walkable`);
    await until('the layers', (now) => now.project === '/layers.walkable' && isBaked(now) && now.layers > 0);
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
    await until('the glTF file', (now) => now.level === 'level.gltf' && now.project === '/of-gltf.walkable' && isBaked(now));
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
