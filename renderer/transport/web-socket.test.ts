import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CuzkError } from '../../main/contract/errors.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import type { Handlers } from '../../main/contract/requests.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import { engineHandlers } from '../../main/host/engine-handlers.ts';
import { FakeEngine } from '../../main/host/fake-engine.ts';
import { Host } from '../../main/host/server.ts';
import { LinkConnection } from './link-connection.ts';
import { webSocketLink } from './web-socket.ts';

const token = 'a token, of ünusual/characters+=';
let engine: FakeEngine;
let host: Host;
let connection: LinkConnection;
const ends: (() => void)[] = [];
const sockets: WebSocket[] = [];

async function serve(listen = { host: '127.0.0.1', port: 0 }) {
  const handlers = engineHandlers(engine) as Handlers;
  host = await Host.start({ engine, handlers, listen, token, now: () => engine.now });
}

beforeEach(async () => {
  engine = new FakeEngine();
  engine.tracker.emit({ type: 'engineStarted', budgetBytes: 1000, devices: [], wallMs: 0 });
  await serve();
  connection = connectionTo(host.url);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await host[Symbol.asyncDispose]();
});

function connectionTo(url: string, given: string | undefined = token): LinkConnection {
  const make = (...args: ConstructorParameters<typeof WebSocket>) => {
    const socket = new WebSocket(...args);
    sockets.push(socket);
    return socket;
  };
  return new LinkConnection({ name: 'test', open: webSocketLink(`${url.replace('http', 'ws')}/socket`, given, make) });
}

function listen(to = connection) {
  const heard = { events: [] as EngineEvent[], snapshots: [] as Snapshot[], lost: [] as string[], calls: 0 };
  const end = to.subscribe({
    onEvents: (events) => {
      heard.calls++;
      heard.events.push(...events);
    },
    onSnapshot: (snapshot) => heard.snapshots.push(snapshot),
    onLost: ({ message }) => heard.lost.push(message),
  });
  ends.push(end);
  return { heard, end };
}

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 500 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
};
const measured = (rssBytes: number) => engine.tracker.emit({ type: 'memoryMeasured', rssBytes });

describe('the contract over a WebSocket, against the real host', () => {
  it('takes a snapshot with its age', async () => {
    engine.now += 250;
    listen();
    expect(await connection.snapshot()).toEqual({ state: engine.snapshot(), ageMs: 250 });
    measured(1);
    expect((await connection.snapshot()).state).toEqual(engine.snapshot());
  });

  it('hears a snapshot first, then every event in order, at either pace', async () => {
    const { heard } = listen();
    await until(() => heard.snapshots.length === 1);
    for (let i = 1; i <= 300; i++) measured(i);
    connection.setLively(true);
    for (let i = 301; i <= 600; i++) measured(i);
    await until(() => heard.events.length === 600);
    expect(heard.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, i) => i + 2));
  });

  it('begins again when the host was gone, with a snapshot', async () => {
    const { heard } = listen();
    await until(() => heard.snapshots.length === 1);
    const { port } = new URL(host.url);
    await host[Symbol.asyncDispose]();
    await until(() => heard.lost.length > 0);
    measured(7);
    await serve({ host: '127.0.0.1', port: Number(port) });
    await until(() => heard.snapshots.length === 2);
    expect(heard.snapshots[1]!.state.rssBytes).toBe(7);
    measured(8);
    await until(() => heard.events.length === 1);
  });

  it('does not reconnect for a page that has left', async () => {
    const { heard, end } = listen();
    await until(() => heard.snapshots.length === 1);
    end();
    const made = sockets.length;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([sockets.length, heard.lost]).toEqual([made, []]);
  });

  it('asks for each command', async () => {
    // Before the link is open.
    listen();
    const request = { circuit: { zkey: 'm.zkey' }, partitions: [{ witness: '0.wtns' }] };
    expect(await connection.request('submit', request)).toEqual({ job: 'job-1', attached: false });
    expect(await connection.request('cancel', { job: 'job-1' })).toEqual({ ended: true });
    expect(await connection.request('retry', { job: 'job-1', requestKey: 'k' })).toEqual({ job: 'job-1-again', attached: false });
    expect(await connection.request('preload', { circuit: 'm.zkey', device: 'cpu' })).toEqual({ devices: ['cpu'] });
    expect(await connection.request('evict', { circuit: 'm.zkey' })).toEqual({ devices: ['cpu'] });
    expect(engine.asked).toHaveLength(5);
    expect(engine.asked[0]).toEqual({ submit: request });
  });

  it('hands on a refusal with its code, file and remedy', async () => {
    listen();
    engine.refusal = new CuzkError('FileNotFound', 'there is no such file', { file: 'm.zkey', remedy: 'check the path' });
    const refused = connection.request('preload', { circuit: 'm.zkey' });
    await expect(refused).rejects.toMatchObject({ code: 'FileNotFound', file: 'm.zkey', remedy: 'check the path' });
  });

  it('says so when nobody answers, and when the token is wrong', async () => {
    const wrong = connectionTo(host.url, 'another token');
    const { heard } = listen(wrong);
    await expect(wrong.request('evict', { circuit: 'm.zkey' })).rejects.toMatchObject({ code: 'EngineUnreachable' });
    await until(() => heard.lost.length > 0);
    expect(heard.lost[0]).toContain('no valid token');
    const nobody = connectionTo('http://127.0.0.1:1');
    listen(nobody);
    await expect(nobody.snapshot()).rejects.toThrow('the engine does not answer');
    await expect(nobody.request('evict', { circuit: 'm.zkey' })).rejects.toMatchObject({ code: 'EngineUnreachable' });
  });

  it('what was asked when the host went is refused, not left waiting', async () => {
    const { heard } = listen();
    await until(() => heard.snapshots.length === 1);
    engine.preload = () => new Promise(() => {});
    const refused = expect(connection.request('preload', { circuit: 'm.zkey' })).rejects.toMatchObject({
      code: 'EngineUnreachable',
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await host[Symbol.asyncDispose]();
    await refused;
  });
});
