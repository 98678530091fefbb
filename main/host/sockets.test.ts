// The contract over real WebSockets: what is refused before and after the upgrade, and a page that sees the engine's state.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { reduce } from '../contract/reduce.ts';
import type { Handlers } from '../contract/requests.ts';
import { emptyState } from '../contract/state.ts';
import { closeCodes, type HostMessage, mostMessageBytes, subprotocol } from '../contract/wire.ts';
import { engineHandlers } from './engine-handlers.ts';
import { FakeEngine } from './fake-engine.ts';
import { Host } from './server.ts';
import type { SocketLimits } from './sockets.ts';

const token = 'a/token+of=some, length';
let engine: FakeEngine;
let host: Host;
const opened: WebSocket[] = [];
beforeEach(() => start());
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.terminate();
  await host.close();
});

async function start(sockets: Partial<SocketLimits> = {}) {
  engine = new FakeEngine();
  host = await Host.start({
    engine,
    handlers: engineHandlers(engine) as Handlers,
    listen: { host: '127.0.0.1', port: 0 },
    token,
    now: () => engine.now,
    sockets,
  });
}

interface Client {
  socket: WebSocket;
  messages: HostMessage[];
  closed: Promise<{ code: number; reason: string }>;
}

const protocolsOf = (given: string | null) => [
  subprotocol,
  ...(given === null ? [] : [`token.${Buffer.from(given).toString('base64url')}`]),
];

/** Opens a socket; rejects with the status of an upgrade that is refused. */
async function open(given: string | null = token, headers: Record<string, string> = {}, path = '/socket'): Promise<Client> {
  const socket = new WebSocket(`${host.url.replace('http', 'ws')}${path}`, protocolsOf(given), { headers });
  opened.push(socket);
  const messages: HostMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve).on('error', reject);
    socket.on('unexpected-response', (_, response) => reject(new Error(`status ${response.statusCode}`)));
  });
  return { socket, messages, closed };
}

const send = ({ socket }: Client, message: unknown) => socket.send(JSON.stringify(message));

test.each([
  ['an origin of another site', { origin: 'http://evil.example' }],
  ['an origin on another port', { origin: 'http://127.0.0.1:1' }],
  ['no page at all (null)', { origin: 'null' }],
  ['a request that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a name that is not this machine’s, as after DNS rebinding', { host: 'rebound.example' }],
])('%s is refused before there is a socket', async (_, headers) => {
  await expect(open(token, headers)).rejects.toThrow('status 403');
  expect(host.openSockets).toBe(0);
});

it('there are sockets on one path only', async () => {
  await expect(open(token, {}, '/status')).rejects.toThrow('status 404');
});

test.each([
  ['no token', null],
  ['another token', 'another token'],
  ['a beginning of the token', token.slice(0, -1)],
  ['an empty one', ''],
])('%s: the socket is closed and nothing that came over it was heard', async (_, given) => {
  const client = await open(given);
  send(client, { type: 'ask', id: 1, name: 'cancel', payload: { job: 'a' } });
  send(client, { type: 'follow', everyMs: 50 });
  expect(await client.closed).toEqual({ code: closeCodes.token, reason: 'the token is missing or wrong' });
  expect([client.messages, engine.asked, host.openSockets]).toEqual([[], [], 0]);
});

test.each([
  ['no JSON', 'hello'],
  ['no message', '{"type":"shutdown"}'],
  ['bytes', Buffer.from('{"type":"follow","everyMs":50}')],
])('%s closes the socket with the reason', async (_, data) => {
  const client = await open();
  client.socket.send(data);
  expect(await client.closed).toMatchObject({ code: closeCodes.message, reason: expect.stringContaining('no message') });
});

it('a message that is too large closes the socket, and is not kept in memory', async () => {
  const client = await open();
  client.socket.send('x'.repeat(mostMessageBytes + 1));
  expect((await client.closed).code).toBe(1009);
});

it('unknown requests and wrong payloads are refused, and the socket goes on', async () => {
  const client = await open();
  send(client, { type: 'ask', id: 1, name: 'shutdown', payload: {} });
  send(client, { type: 'ask', id: 2, name: 'submit', payload: { circuit: {} } });
  send(client, { type: 'ask', id: 3, name: 'evict', payload: { circuit: 'a' } });
  await vi.waitFor(() => expect(client.messages).toHaveLength(3));
  expect(client.messages).toMatchObject([
    { type: 'refusal', id: 1, error: { code: 'RequestUnknown' } },
    { type: 'refusal', id: 2, error: { code: 'RequestInvalid' } },
    { type: 'answer', id: 3, result: { devices: ['cpu'] } },
  ]);
});

it('what a page is told adds up to the engine’s state', async () => {
  const client = await open();
  send(client, { type: 'follow', everyMs: 10 });
  for (let i = 0; i < 500; i++) {
    engine.tracker.registerJob({ job: `j${i}`, kind: 'k', circuit: 'c', partitions: 1, priority: 'low', mode: 'pipelined' });
    if (i % 50 === 0) await sleep(5);
  }
  await vi.waitFor(() => {
    let state = emptyState;
    for (const message of client.messages) {
      if (message.type === 'snapshot') state = message.snapshot.state;
      if (message.type === 'events') state = message.events.reduce(reduce, state);
    }
    expect(state).toEqual(engine.snapshot());
  });
  expect(client.messages.length).toBeLessThan(100);
});

it('takes a bounded number of pages, and another when one has gone', async () => {
  await host.close();
  await start({ mostSockets: 2 });
  const first = await open();
  await open();
  await expect(open()).rejects.toThrow('status 503');
  first.socket.close();
  await first.closed;
  await vi.waitFor(() => expect(host.openSockets).toBe(1));
  await open();
});

it('a page that is gone without a word is found out', async () => {
  await host.close();
  await start({ pingMs: 30 });
  const { port } = host.address;
  const raw = connect(port, '127.0.0.1');
  raw.write(
    `GET /socket HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: ${protocolsOf(token).join(', ')}\r\n\r\n`,
  );
  await vi.waitFor(() => expect(host.openSockets).toBe(1));
  await vi.waitFor(() => expect(host.openSockets).toBe(0), 3000);
  raw.destroy();
});

it('closing the server tells the pages', async () => {
  const client = await open();
  await host.close();
  expect(await client.closed).toEqual({ code: 1001, reason: 'the server is closing' });
});
