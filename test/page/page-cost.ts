// What the page costs in a real Chromium, under 64 workers, 4,096 partitions and 2,000 events a second: pictures a second, the longest task,
// memory; and how long a person waits for the first screen.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { startServing } from './serving.ts';

export interface ScreenCost {
  screen: string;
  seconds: number;
  framesPerSecond: number;
  longestTaskMs: number;
  /** Tasks of 50 ms and more: what the browser calls long. */
  longTasks: number;
  /** After garbage collection, at the begin and at the end. */
  heapMiB: [begin: number, end: number];
}

const heapMiB = async (page: Page): Promise<number> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize / 2 ** 20;
};

/** Measures one screen of the demo's load for `seconds`, after a warm-up. */
export async function screenCost(
  browser: Browser,
  url: string,
  screen: string,
  path: string,
  seconds: number,
): Promise<ScreenCost> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/demo/demo.html?scenario=load#${path}`);
  await page.waitForSelector('main :is(section, form, canvas)');
  // The first minute of a worker's shares fills, code is compiled.
  await sleep(Math.min(10_000, seconds * 500));
  const begin = await heapMiB(page);
  const measured = await page.evaluate(async (ms) => {
    let frames = 0;
    let longestTaskMs = 0;
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        longTasks++;
        longestTaskMs = Math.max(longestTaskMs, duration);
      }
    });
    observer.observe({ type: 'longtask' });
    const from = performance.now();
    await new Promise<void>((resolve) => {
      const count = (now: number) => {
        frames++;
        if (now - from < ms) requestAnimationFrame(count);
        else resolve();
      };
      requestAnimationFrame(count);
    });
    observer.disconnect();
    return { framesPerSecond: (1000 * frames) / (performance.now() - from), longestTaskMs, longTasks };
  }, seconds * 1000);
  const end = await heapMiB(page);
  await page.close();
  return { screen, seconds, ...measured, heapMiB: [begin, end] };
}

/** Milliseconds from the start of `cuzk serve` and from opening the address to workers on the screen, the engine being warm. */
export async function firstScreen(browser: Browser, times = 5): Promise<{ startMs: number; openMs: number }> {
  const home = mkdtempSync(join(tmpdir(), 'cuzk-bench-'));
  const took: { startMs: number; openMs: number }[] = [];
  for (let i = 0; i <= times; i++) {
    const from = performance.now();
    await using serving = await startServing(home);
    const served = performance.now();
    const page = await browser.newPage();
    await page.goto(serving.app);
    await page.waitForSelector('[data-worker]');
    // The first start is the cold one.
    if (i > 0) took.push({ startMs: served - from, openMs: performance.now() - served });
    await page.close();
  }
  rmSync(home, { recursive: true, force: true });
  const median = (of: (one: (typeof took)[0]) => number) => took.map(of).sort((a, b) => a - b)[Math.floor(took.length / 2)]!;
  return { startMs: median(({ startMs }) => startMs), openMs: median(({ openMs }) => openMs) };
}
