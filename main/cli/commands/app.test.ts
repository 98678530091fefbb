// The app's window, with a stand-in for the browser that tells how it was called.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import type { Handlers } from '../../contract/requests.ts';
import { findBrowser, noScreen } from '../../host/app-window.ts';
import { engineHandlers } from '../../host/engine-handlers.ts';
import { FakeEngine } from '../../host/fake-engine.ts';
import type { Context } from '../context.ts';
import { Output } from '../output.ts';
import { app } from './app.ts';

let folder: string;
let stop: AbortController;
let engine: FakeEngine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  vi.stubEnv('CUZK_HOME', join(folder, 'home'));
  vi.stubEnv('DISPLAY', ':1');
  vi.stubEnv('PATH', folder);
  stop = new AbortController();
  engine = new FakeEngine();
});
afterEach(() => {
  stop.abort();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser that writes down its arguments and lives for so many seconds. */
function browser(seconds: number, code = 0): void {
  const file = join(folder, 'chromium');
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/args\n/bin/sleep ${seconds}\necho broken >&2\nexit ${code}\n`);
  chmodSync(file, 0o755);
}

function begin() {
  const stdout = new PassThrough().setEncoding('utf8');
  const stderr = new PassThrough().setEncoding('utf8');
  const said: { event: string; [field: string]: unknown }[] = [];
  const hear = (text: string) =>
    said.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  stdout.on('data', hear);
  stderr.on('data', hear);
  const context: Context = {
    output: new Output({ stdout, stderr }, { json: true, debug: false }),
    signal: stop.signal,
    prover: () => Promise.reject(new Error('not here')),
  };
  const open = async () => ({
    engine,
    handlers: engineHandlers(engine) as Handlers,
    [Symbol.asyncDispose]: async () => {},
  });
  return { ended: app(context, {}, open), said, events: () => said.map(({ event }) => event) };
}

// The page must have been bundled for there to be an address: npm test does it before.
it('shows the address by a file that only its owner reads, so that no list of processes shows the token', async () => {
  browser(2);
  const { ended, said } = begin();
  expect(await ended).toBe(0);
  const args = readFileSync(join(folder, 'args'), 'utf8').split('\n');
  const launch = args.find((arg) => arg.startsWith('--app='))!.slice('--app='.length);
  const address = said.find(({ event }) => event === 'serving')!.app as string;
  const file = fileURLToPath(launch);
  expect(readFileSync(file, 'utf8')).toContain(address);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(args.join(' ')).not.toContain('token');
});

it('closing the window waits for the jobs that run', async () => {
  browser(2);
  const { ended, said } = begin();
  engine.tracker.registerJob({ job: 'a', kind: 'k', circuit: 'c', partitions: 1, priority: 'normal', mode: 'pipelined' });
  await vi.waitFor(() => expect(said).toContainEqual(expect.objectContaining({ note: 'jobs run', jobs: 1 })), 10_000);
  engine.tracker.jobCompleted('a', 'cancelled');
  expect(await ended).toBe(0);
});

test.each([
  ['fails', () => browser(0, 1), 'broken'],
  ['is not there', () => {}, 'no Chromium is installed'],
  ['has no screen', () => vi.stubEnv('DISPLAY', ''), 'no screen'],
])('a browser that %s: says why, and goes on serving', async (_, make, why) => {
  make();
  vi.stubEnv('WAYLAND_DISPLAY', '');
  const { ended, said } = begin();
  await vi.waitFor(() =>
    expect(said).toContainEqual(expect.objectContaining({ note: 'no window', why: expect.stringContaining(why) })),
  );
  const { url } = said.find(({ event }) => event === 'serving') as unknown as { url: string };
  expect((await fetch(`${url}/status`)).status).toBe(200);
  stop.abort();
  await ended;
});

it('a browser that hands the window to another of its own leaves this one serving', async () => {
  browser(0);
  const { ended, said } = begin();
  await vi.waitFor(() => expect(said).toContainEqual(expect.objectContaining({ note: 'window elsewhere' })));
  stop.abort();
  await ended;
});

it('finds no browser in an empty PATH, and a screen on Windows and macOS always', () => {
  expect(findBrowser({ PATH: folder })).toBeUndefined();
  browser(0);
  expect(findBrowser({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'chromium'));
  expect([noScreen({}, 'win32'), noScreen({}, 'darwin'), noScreen({ WAYLAND_DISPLAY: 'w' }, 'linux')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
