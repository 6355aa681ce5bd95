// Tests the example in Chromium without a window: node check.mjs URL. A click must find a path, and agents must walk.

import { strict as assert } from 'node:assert';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
const errors = [];
page.on('pageerror', (error) => errors.push(String(error)));
await page.goto(process.argv[2]);
await page.waitForFunction(() => globalThis.example, null, { timeout: 60_000 });
const positions = () => page.evaluate(() => Array.from(globalThis.example.crowd.positions()));
const before = await positions();
await page.mouse.click(450, 300);
const text = () => page.textContent('#status');
assert.match(await text(), /^Path: complete, [0-9.]+ m/, await text());
await page.waitForFunction(
  (start) => {
    const now = globalThis.example.crowd.positions();
    return start.some((x, at) => Math.abs(x - now[at]) > 1);
  },
  before,
  { timeout: 60_000 },
);
if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });
assert.deepEqual(errors, []);
console.log(`example: ${await text()}; agents walk`);
await browser.close();
