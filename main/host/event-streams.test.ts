// The stream of events over real sockets: nothing is missed, nothing comes twice, and no client costs more than its place in the ring.
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { EngineEvent } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import type { EngineState } from '../contract/state.ts';
import type { StreamLimits } from './event-streams.ts';
import { FakeEngine } from './fake-engine.ts';
import { Host } from './server.ts';

interface Message {
  event?: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  data: any;
}

let engine: FakeEngine;
let host: Host;
const clients: IncomingMessage[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await host.close();
});

async function start(streams: Partial<StreamLimits> = {}) {
  engine = new FakeEngine();
  host = await Host.start({
    engine,
    listen: { host: '127.0.0.1', port: 0 },
    token: 'a-token-of-some-length',
    now: () => engine.now,
    streams: { batchMs: 5, ...streams },
  });
}

/** A client that reads everything: messages and comments as they come. */
async function listen(lastEventId?: string) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${host.url}/events`, { headers, agent: false }, resolve).on('error', reject),
  );
  clients.push(response);
  const messages: Message[] = [];
  const comments: string[] = [];
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block);
      else
        messages.push(
          Object.fromEntries(
            block
              .split('\n')
              .map((line) => line.split(/: (.*)/s, 2))
              .map(read),
          ) as unknown as Message,
        );
    }
  });
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  const until = (count: number) =>
    vi.waitFor(() => expect(messages.length).toBeGreaterThanOrEqual(count), { timeout: 5000, interval: 5 });
  return { response, messages, comments, ended, until };
}
const read = ([name, value]: string[]) => [name, name === 'data' ? JSON.parse(value!) : value];

const emit = (count = 1) => {
  for (let i = 0; i < count; i++) engine.tracker.emit({ type: 'memoryMeasured', rssBytes: i });
};
const seqs = (messages: Message[]) => messages.filter(({ event }) => event !== 'snapshot').map(({ data }) => data.seq);
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

test('begins with the state, and every event after it makes the state of the engine', async () => {
  await start();
  engine.tracker.registerWorkers([{ kind: 'synthesis' }]);
  engine.now += 30;
  const { messages, until, response } = await listen();
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  await until(1);
  expect(messages[0]).toMatchObject({ event: 'snapshot', data: { seq: 1, at: 1000, ageMs: 30 } });
  engine.tracker.registerJob({ job: 'A', kind: 'two\nlines', circuit: 'c', partitions: 2, priority: 'normal', mode: 'pipelined' });
  emit(300);
  await until(302);
  const state = messages
    .slice(1)
    .reduce((before, { data }) => reduce(before, data as EngineEvent), messages[0]!.data.state as EngineState);
  expect(state).toEqual(engine.snapshot());
  for (const { id, data } of messages) expect(id).toMatch(new RegExp(`^${data.seq}-`));
});

test('a client that comes back goes on where it was', async () => {
  await start();
  const first = await listen();
  emit(10);
  await first.until(11);
  first.response.destroy();
  emit(10);
  const second = await listen(first.messages[4]!.id);
  await second.until(16);
  emit();
  await second.until(17);
  expect(second.messages.every(({ event }) => event === undefined)).toBe(true);
  expect(seqs(second.messages)).toEqual(from(5, 17));
});

test.each([
  ['events that are gone', '3'],
  ['events that are yet to come', '999'],
  ['events of an engine before this one', '95-0123456789ab'],
  ['nonsense', 'abc'],
])('a client that asks for %s gets the state instead', async (_, id) => {
  await start({ ringEvents: 20 });
  emit(100);
  const { messages, until } = await listen(id);
  await until(1);
  emit();
  await until(2);
  expect(messages[0]).toMatchObject({ event: 'snapshot', data: { seq: 100 } });
  expect(seqs(messages)).toEqual([101]);
});

test('more events at once than the ring holds: the state again, and no gap after it', async () => {
  await start({ ringEvents: 20 });
  const { messages, until } = await listen();
  await until(1);
  emit(100);
  await until(2);
  emit(3);
  await until(5);
  expect(messages.map(({ event, data }) => [event, data.seq])).toEqual([
    ['snapshot', 0],
    ['snapshot', 100],
    [undefined, 101],
    [undefined, 102],
    [undefined, 103],
  ]);
});

test('events of one moment go out in one write', async () => {
  await start({ batchMs: 20 });
  const { response, until } = await listen();
  await until(1);
  let chunks = 0;
  response.on('data', () => chunks++);
  for (let i = 0; i < 50; i++) {
    emit();
    if (i % 10 === 0) await sleep(1);
  }
  await until(51);
  expect(chunks).toBeLessThan(15);
});

test('says now and then that it is still there', async () => {
  await start({ heartbeatMs: 30 });
  const { comments } = await listen();
  await vi.waitFor(() => expect(comments.length).toBeGreaterThan(2), { timeout: 5000 });
});

test('a client that does not read is dropped, whatever happens, and memory stays', { timeout: 30_000 }, async () => {
  await start({ slowMs: 100, ringEvents: 100_000 });
  const socket = connect(host.address.port, '127.0.0.1').on('error', () => {});
  socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const head = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
  expect(head).toContain('200 OK');
  socket.pause();
  let most = 0;
  const deadline = Date.now() + 20_000;
  while (host.openStreams > 0 && Date.now() < deadline) {
    for (let i = 0; i < 500; i++) engine.tracker.emit({ type: 'memoryHeld', owner: 'x'.repeat(1000), bytes: i });
    await sleep(2);
    most = Math.max(most, host.unsentBytes);
  }
  expect(host.openStreams).toBe(0);
  // One batch, and what the sockets themselves take.
  expect(most).toBeLessThan(1 << 20);
  let tail = '';
  socket.on('data', (chunk) => {
    tail = (tail + chunk).slice(-200);
  });
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(tail).toContain(': dropped: this client reads too slowly');
});

test('there are only so many streams, and closed ones make room', async () => {
  await start({ mostStreams: 2 });
  const first = await listen();
  await listen();
  const third = await listen();
  expect(third.response.statusCode).toBe(503);
  first.response.destroy();
  await vi.waitFor(() => expect(host.openStreams).toBe(1));
  expect((await listen()).response.statusCode).toBe(200);
});

test('the end of the server is said to every client', async () => {
  await start();
  const { comments, ended } = await listen();
  await host.close();
  await ended;
  expect(comments.at(-1)).toBe(': the server is closing');
});
