// What one page can and cannot do over its texts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BridgeMessage } from '../contract/bridge.ts';
import type { CuzkError } from '../contract/errors.ts';
import type { Handlers } from '../contract/requests.ts';
import { mostMessageBytes } from '../contract/wire.ts';
import { FakeEngine } from '../host/fake-engine.ts';
import { PageLink } from './page-link.ts';

let engine: FakeEngine;
let heard: BridgeMessage[];
let refused: CuzkError[];
let link: PageLink;
const about = { app: 'cuzk 1' };
const handlers = { about: async () => about } as unknown as Handlers;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  engine = new FakeEngine();
  [heard, refused] = [[], []];
  link = new PageLink({
    engine,
    handlers,
    now: () => engine.now,
    deliver: (text) => heard.push(JSON.parse(text)),
    onRefused: (problem) => refused.push(problem),
  });
});
afterEach(() => {
  link[Symbol.dispose]();
  vi.useRealTimers();
});
const say = (message: unknown) => link.receive(JSON.stringify(message));
const ask = (name: string, payload: unknown = {}) => say({ type: 'ask', id: 7, name, payload });
const settle = () => vi.advanceTimersByTimeAsync(20);

test('a request is answered', async () => {
  ask('about');
  await settle();
  expect(heard).toEqual([{ type: 'answer', id: 7, result: about }]);
});

test.each([
  ['an unknown request', () => ask('shell', { command: 'rm' }), 'RequestUnknown'],
  ['a name that every object has', () => ask('constructor'), 'RequestUnknown'],
  ['a wrong payload', () => ask('about', { extra: 1 }), 'RequestInvalid'],
])('%s is refused, and the session goes on', async (_, attack, code) => {
  attack();
  await settle();
  expect(heard).toMatchObject([{ type: 'refusal', id: 7, error: { code } }]);
  ask('about');
  await settle();
  expect(heard.at(-1)).toMatchObject({ type: 'answer' });
});

const long = JSON.stringify({ type: 'ask', id: 1, name: 'about', payload: 'x'.repeat(mostMessageBytes) });
const wide = JSON.stringify({ type: 'ask', id: 1, name: 'about', payload: 'ü'.repeat(mostMessageBytes * 0.6) });
test.each([
  ['too long', long],
  ['too long in bytes', wide],
  ['no JSON', '{'],
  ['no text', { type: 'follow', everyMs: 50 }],
  ['nothing', undefined],
  ['no message', '{"type":"evaluate","code":"1"}'],
  ['too fast', '{"type":"follow","everyMs":0}'],
  ['of more than it may have', '{"type":"follow","everyMs":50,"__proto__":1,"x":2}'],
])('what is %s ends the session, and both sides hear why', async (_, value) => {
  say({ type: 'follow', everyMs: 50 });
  link.receive(value);
  expect(refused).toMatchObject([{ code: 'MessageInvalid' }]);
  expect(heard.at(-1)).toMatchObject({ type: 'ended', error: { code: 'MessageInvalid', remedy: expect.any(String) } });
  const told = heard.length;
  engine.tracker.registerWorkers([{ kind: 'synthesis' }]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(heard.length).toBe(told);
  say({ type: 'follow', everyMs: 50 });
  expect(heard.at(-1)).toMatchObject({ type: 'snapshot' });
});

test('a page that takes nothing is told nothing more until it does, and then how things stand', async () => {
  say({ type: 'follow', everyMs: 50 });
  const kind = 'k'.repeat(200_000);
  for (let i = 0; i < 40; i++) {
    await engine.submit({ circuit: { zkey: 'c' }, partitions: [{ witness: 'w' }], kind });
    await vi.advanceTimersByTimeAsync(60);
  }
  const told = heard.length;
  expect(told).toBeLessThan(30);
  await vi.advanceTimersByTimeAsync(5000);
  expect(heard.length).toBe(told);
  link.taken(Number.NaN);
  link.taken(-1e9);
  link.taken('all');
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard.length).toBe(told);
  link.taken(1e9);
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard.length).toBeGreaterThan(told);
});

test('a session that was ended answers nothing, whatever was asked before', async () => {
  ask('about');
  link.end();
  await settle();
  expect(heard).toEqual([]);
});
