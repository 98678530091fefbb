import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CuzkError } from '../../main/contract/errors.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import { FakeEngine } from '../../main/host/fake-engine.ts';
import { Host } from '../../main/host/server.ts';
import type { Snapshot } from './connection.ts';
import { HttpConnection } from './http-connection.ts';

const token = 'a-token-of-sixteen-characters';
let engine: FakeEngine;
let host: Host;
let connection: HttpConnection;

async function serve(listen = { host: '127.0.0.1', port: 0 }) {
  host = await Host.start({ engine, listen, token, now: () => engine.now });
}

beforeEach(async () => {
  engine = new FakeEngine();
  engine.tracker.emit({ type: 'engineStarted', budgetBytes: 1000, devices: [], wallMs: 0 });
  await serve();
  connection = new HttpConnection({ base: host.url, token, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 50)) });
});
afterEach(() => host[Symbol.asyncDispose]());

function listen() {
  const heard = { events: [] as EngineEvent[], snapshots: [] as Snapshot[], lost: [] as string[], calls: 0 };
  const end = connection.subscribe({
    onEvents: (events) => {
      heard.calls++;
      heard.events.push(...events);
    },
    onSnapshot: (snapshot) => heard.snapshots.push(snapshot),
    onLost: ({ message }) => heard.lost.push(message),
  });
  return { heard, end };
}

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 500 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
};
const measured = (rssBytes: number) => engine.tracker.emit({ type: 'memoryMeasured', rssBytes });

describe('the contract over HTTP, against the real host', () => {
  it('takes a snapshot with its age', async () => {
    engine.now += 250;
    expect(await connection.snapshot()).toEqual({ state: engine.snapshot(), ageMs: 250 });
  });

  it('hears a snapshot first, then every event in order', async () => {
    const { heard, end } = listen();
    await until(() => heard.snapshots.length === 1);
    for (let i = 1; i <= 300; i++) measured(i);
    await until(() => heard.events.length === 300);
    expect(heard.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, i) => i + 2));
    end();
  });

  it('begins again when the host was gone, with a snapshot', async () => {
    const { heard, end } = listen();
    await until(() => heard.snapshots.length === 1);
    const { port } = new URL(host.url);
    await host[Symbol.asyncDispose]();
    await until(() => heard.lost.length > 0);
    measured(7);
    await serve({ host: '127.0.0.1', port: Number(port) });
    await until(() => heard.snapshots.length === 2);
    expect(heard.snapshots[1]!.state.rssBytes).toBe(7);
    end();
  });

  it('asks for each command where the host takes it', async () => {
    const request = { circuit: { zkey: 'm.zkey' }, partitions: [{ witness: '0.wtns' }] };
    expect(await connection.command('submit', request)).toEqual({ job: 'job-1', attached: false });
    expect(await connection.command('cancel', { job: 'job-1' })).toEqual({ ended: true });
    expect(await connection.command('retry', { job: 'job-1', requestKey: 'k' })).toEqual({ job: 'job-1-again', attached: false });
    expect(await connection.command('preload', { circuit: 'm.zkey', device: 'cpu' })).toEqual({ devices: ['cpu'] });
    expect(await connection.command('evict', { circuit: 'm.zkey' })).toEqual({ devices: ['cpu'] });
    expect(engine.asked).toHaveLength(5);
    expect(engine.asked[0]).toEqual({ submit: request });
  });

  it('hands on a refusal with its code, file and remedy', async () => {
    engine.refusal = new CuzkError('FileNotFound', 'there is no such file', { file: 'm.zkey', remedy: 'check the path' });
    const refused = connection.command('preload', { circuit: 'm.zkey' });
    await expect(refused).rejects.toMatchObject({ code: 'FileNotFound', file: 'm.zkey', remedy: 'check the path' });
  });

  it('says so when nobody answers, and when the token is wrong', async () => {
    const wrong = new HttpConnection({ base: host.url, token: 'another-token-of-the-size' });
    await expect(wrong.command('evict', { circuit: 'm.zkey' })).rejects.toMatchObject({ code: 'HttpUnauthorized' });
    const nobody = new HttpConnection({ base: 'http://127.0.0.1:1', token });
    await expect(nobody.command('evict', { circuit: 'm.zkey' })).rejects.toMatchObject({ code: 'EngineUnreachable' });
  });
});
