// The app in a real Chromium, against the real engine and real circuits: what a person does from the first start on, and a page that is
// never wrong about what the engine does.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleJob } from '../../main/host/app-handlers.ts';
import { temporaryFolder } from '../cuzk.ts';
import { findChromium, launch } from './browser.ts';
import { EngineLog, sampleWorkers, type WorkerSample } from './engine-log.ts';
import { type Serving, startServing } from './serving.ts';

const chromium = findChromium();
if (!chromium) console.warn('the app in a browser is not tested: there is no Chromium (apt-get install chromium)');
const pictures = process.env.CUZK_PICTURES ?? join(temporaryFolder(), 'pictures');

describe.skipIf(!chromium)('the app in a browser', { timeout: 90_000 }, () => {
  let browser: Browser;
  let page: Page;
  let serving: Serving;
  let home: string;
  const problems: string[] = [];

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    home = temporaryFolder();
    [browser, serving] = await Promise.all([launch(chromium!), startServing(home)]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (problem) => problems.push(String(problem)));
    await page.goto(serving.app);
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.[Symbol.asyncDispose]();
  });

  const picture = (name: string) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const ended = () => page.getByLabel('Ended last').getByRole('listitem');

  test('at the first start it says what to do, and the token is out of sight', async () => {
    await page.getByRole('heading', { name: 'Nothing is running' }).waitFor();
    expect(page.url()).not.toContain('token');
    await picture('first-start');
  });

  test('the sample is one click away: sixteen partitions, seen on their way, all proved', async () => {
    await page.getByRole('button', { name: 'Prove the sample' }).click();
    await page.getByRole('progressbar').waitFor();
    await picture('sample-runs');
    await ended().filter({ hasText: 'succeeded' }).waitFor();
    expect(await ended().count()).toBe(1);
    await picture('sample-done');
  });

  test('at no moment does a worker say idle while the engine proves on it, nor the other way round', async () => {
    await using log = await EngineLog.open(serving);
    const samples: WorkerSample[] = [];
    const sampling = sampleWorkers(page, samples);
    const jobs = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        log.request('submit', { ...sampleJob()!, kind: `sampled-${i}`, mode: i % 4 === 3 ? 'monolithic' : 'pipelined' }),
      ),
    );
    await log.until((event) => event.type === 'jobEnded' && event.job === jobs.at(-1)!.job);
    for (const { job } of jobs) await log.until((event) => event.type === 'jobEnded' && event.job === job);
    await page.waitForFunction((seq) => Number(document.querySelector<HTMLElement>('.app')!.dataset.seq) >= seq, log.lastSeq);
    await sampling.stop();
    const busy = samples.filter(({ workers }) => workers.some(({ phase }) => phase === 'proving'));
    console.log(`${samples.length} states sampled, ${busy.length} of them with a device worker at work`);
    expect(busy.length).toBeGreaterThan(100);
    for (const { seq, workers } of samples) {
      const proving = log.provingAt(seq);
      for (const { worker, phase, text, label } of workers) {
        const assignment = proving.get(worker);
        expect({ seq, worker, isProving: phase === 'proving' }).toEqual({ seq, worker, isProving: assignment !== undefined });
        if (!assignment) continue;
        expect(label).not.toMatch(/idle/);
        expect(text).toContain(`#${assignment.partition}`);
      }
    }
  });

  test('a cancelled job ends at once, and its partitions with it', async () => {
    await using log = await EngineLog.open(serving);
    const { job } = await log.request('submit', {
      ...sampleJob()!,
      partitions: Array(20).fill(sampleJob()!.partitions).flat(),
      kind: 'to-cancel',
    });
    await page.getByRole('button', { name: `Cancel the job ${job}` }).click();
    await ended().filter({ hasText: 'to-cancel' }).filter({ hasText: 'cancelled' }).waitFor();
    await page.getByRole('heading', { name: 'Nothing is running' }).waitFor();
  });

  const fillIn = async (input: string, kind: string) => {
    const { circuit } = sampleJob()!;
    await page.getByRole('link', { name: 'Prove' }).first().click();
    await page.getByLabel('Proving key (.zkey)').fill(circuit.zkey);
    await page.getByLabel(/Witnesses \(\.wtns\) or inputs/).fill(input);
    await page.getByLabel('Witness calculator (.wasm)').fill(circuit.wasm!);
    await page.getByLabel('Kind').fill(kind);
  };

  test('what is wrong with a file stands next to it before anything is proved', async () => {
    await fillIn('/nowhere/input.json', 'refused');
    const about = page.locator('.field', { hasText: 'Witnesses (.wtns)' }).locator('.problem');
    await about.getByText('there is no such file').waitFor();
    await page.getByLabel('About the key').getByText('1,946').waitFor();
    await picture('prove-problem');
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect(page.url()).toMatch(/#\/prove$/);
  });

  test('an input that does not satisfy the circuit is told with its file, the reason, and what to do', async () => {
    const file = join(home, 'wrong.json');
    const [first] = sampleJob()!.partitions as { input: string }[];
    // The leaf of another place in the tree.
    writeFileSync(file, readFileSync(first!.input, 'utf8').replace(/"leaf": "\d+"/, '"leaf": "12345"'));
    await fillIn(file, 'unsatisfied');
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    const failed = ended().filter({ hasText: 'unsatisfied' });
    await failed.waitFor();
    await picture('failed');
    expect(await failed.textContent()).toContain(file);
    expect(await failed.locator('b').textContent()).toBe('InputAssertFailed');
  });

  test('reloaded in the middle of a job it shows the job as it is', async () => {
    await using log = await EngineLog.open(serving);
    const sample = sampleJob()!;
    const { job } = await log.request('submit', {
      ...sample,
      partitions: Array(6).fill(sample.partitions).flat(),
      kind: 'reloaded',
    });
    await page.getByLabel(`Job ${job}, reloaded`).waitFor();
    await page.reload();
    await page.getByLabel(`Job ${job}, reloaded`).waitFor();
    const samples: WorkerSample[] = [];
    const sampling = sampleWorkers(page, samples);
    await log.until((event) => event.type === 'jobEnded' && event.job === job);
    await sampling.stop();
    expect(samples.length).toBeGreaterThan(5);
    for (const { seq, workers } of samples)
      expect(workers.filter(({ phase }) => phase === 'proving').map(({ worker }) => worker)).toEqual(
        [...log.provingAt(seq).keys()].sort((a, b) => a - b),
      );
    await ended().filter({ hasText: 'reloaded' }).filter({ hasText: 'succeeded' }).waitFor();
  });

  test('when the host is killed the page says that it is stale; when it is back the page goes on by itself', async () => {
    const { port } = new URL(serving.url);
    {
      await using log = await EngineLog.open(serving);
      const sample = sampleJob()!;
      await log.request('submit', { ...sample, partitions: Array(20).fill(sample.partitions).flat(), kind: 'killed' });
      await page.getByLabel(/, killed$/).waitFor();
      await serving.kill();
    }
    await page.getByRole('button', { name: /^State: \d+ s old/ }).waitFor();
    await picture('stale');
    // The token is kept in a file: the page's own is still good.
    serving = await startServing(home, { port: Number(port) });
    await page.getByRole('heading', { name: 'Nothing is running' }).waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Prove the sample' }).click();
    await ended().filter({ hasText: 'succeeded' }).waitFor();
  });

  test('a page with a wrong token says so', async () => {
    const other = await browser.newPage();
    await other.goto(serving.app.replace(/token=.*/, 'token=a-wrong-token-of-some-length'));
    await other
      .getByText(/no valid token/)
      .first()
      .waitFor();
    await other.close();
  });

  test('ended by Ctrl-C, the host leaves nothing behind, and the page has met no error of its own', async () => {
    expect(await serving.stop()).toBe(130);
    expect(problems.filter((text) => !/WebSocket|ERR_CONNECTION_REFUSED/.test(text))).toEqual([]);
  });
});
