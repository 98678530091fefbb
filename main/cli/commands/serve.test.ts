// The command from its options to its end, with an engine that only the test drives.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Handlers } from '../../contract/requests.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HostedEngine } from '../../host/engine-face.ts';
import { engineHandlers } from '../../host/engine-handlers.ts';
import { FakeEngine } from '../../host/fake-engine.ts';
import { type Context, UsageError } from '../context.ts';
import { Output } from '../output.ts';
import { type ServeOptions, serve } from './serve.ts';

let folder: string;
let stop: AbortController;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  vi.stubEnv('CUZK_HOME', join(folder, 'home'));
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function begin(options: ServeOptions) {
  const stdout = new PassThrough().setEncoding('utf8');
  const stderr = new PassThrough().setEncoding('utf8');
  const context: Context = {
    output: new Output({ stdout, stderr }, { json: true, debug: false }),
    signal: stop.signal,
    prover: () => Promise.reject(new Error('not here')),
  };
  const steps: string[] = [];
  const ended = serve(context, options, async () => {
    steps.push('opened');
    const engine = new FakeEngine();
    return {
      engine,
      handlers: engineHandlers(engine) as Handlers,
      [Symbol.asyncDispose]: async () => {
        steps.push('disposed');
      },
    };
  });
  const said = () => JSON.parse(String(stdout.read()).split('\n')[0]!) as { url: string; tokenFile: string; loopback: boolean };
  return { ended, said, steps, listening: () => vi.waitFor(() => expect(stdout.readableLength).toBeGreaterThan(0)) };
}

// The compiler's test: what is served is the engine's own face.
(engine: Engine): HostedEngine => engine;

test('serves on the address that it prints, with the token in the file that it names, until it is stopped', async () => {
  const { ended, said, steps, listening } = begin({ listen: '127.0.0.1:0' });
  await listening();
  const { url, tokenFile, loopback } = said();
  expect({ tokenFile, loopback }).toEqual({ tokenFile: join(folder, 'home', 'serve-token'), loopback: true });
  expect((await fetch(`${url}/status`)).status).toBe(200);
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  const evicted = await fetch(`${url}/keys/evict`, { method: 'POST', headers: { authorization }, body: '{"circuit":"m.zkey"}' });
  expect(await evicted.json()).toEqual({ devices: ['cpu'] });
  const events = await fetch(`${url}/events`);
  stop.abort();
  expect(await ended).toBe(0);
  expect(await events.text()).toContain(': the server is closing');
  expect(steps).toEqual(['opened', 'disposed']);
  await expect(fetch(`${url}/status`)).rejects.toThrow();
});

test('takes the token from a given file', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'my-own-token-of-length\n');
  const { said, listening } = begin({ listen: '127.0.0.1:0', tokenFile });
  await listening();
  const answer = await fetch(`${said().url}/jobs/none`, { headers: { authorization: 'Bearer my-own-token-of-length' } });
  expect(answer.status).toBe(404);
});

test('an engine whose address is taken is disposed of', async () => {
  const first = begin({ listen: '127.0.0.1:0' });
  await first.listening();
  const second = begin({ listen: new URL(first.said().url).host });
  await expect(second.ended).rejects.toMatchObject({ code: 'ListenFailed' });
  expect(second.steps).toEqual(['opened', 'disposed']);
});

test('what is no address is wrong usage, before anything is opened', async () => {
  const { ended, steps } = begin({ listen: 'everywhere' });
  await expect(ended).rejects.toThrow(UsageError);
  expect(steps).toEqual([]);
});
