// A page's session with its host, without a wire: what is refused, what is answered, and a state that is never wrong whatever is lost.
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { reduce } from '../contract/reduce.ts';
import type { Handlers } from '../contract/requests.ts';
import { type EngineState, emptyState } from '../contract/state.ts';
import { type HostMessage, heartbeatMs } from '../contract/wire.ts';
import { engineHandlers } from './engine-handlers.ts';
import { FakeEngine } from './fake-engine.ts';
import { Session } from './session.ts';

let engine: FakeEngine;
let session: Session;
let sent: HostMessage[];
let isClear: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  sent = [];
  isClear = true;
  session = new Session({
    engine,
    handlers: engineHandlers(engine) as Handlers,
    now: () => engine.now,
    send: (message) => sent.push(structuredClone(message)),
    isClear: () => isClear,
  });
});
afterEach(() => {
  session[Symbol.dispose]();
  vi.useRealTimers();
});

const job = (id: string) =>
  engine.tracker.registerJob({ job: id, kind: 'k', circuit: 'c', partitions: 2, priority: 'normal', mode: 'pipelined' });

/** The state of a page that applies what it was sent. */
function pageState(): EngineState {
  let state = emptyState;
  for (const message of sent) {
    if (message.type === 'snapshot') state = message.snapshot.state;
    if (message.type === 'events')
      for (const event of message.events) {
        expect(event.seq).toBe(state.seq + 1);
        state = reduce(state, event);
      }
  }
  return state;
}

const refused = () => sent.flatMap((message) => (message.type === 'refusal' ? [message.error] : []));

test.each([
  [undefined],
  ['follow'],
  [{}],
  [{ type: 'shutdown' }],
  [{ type: 'follow' }],
  [{ type: 'follow', everyMs: 0 }],
  [{ type: 'follow', everyMs: 50, more: 1 }],
  [{ type: 'ask', id: -1, name: 'submit', payload: {} }],
  [{ type: 'ask', id: 1, name: 'x'.repeat(65), payload: {} }],
])('%j is no message: the session says so, and nothing is done', (message) => {
  expect(() => session.receive(message)).toThrow(expect.objectContaining({ code: 'MessageInvalid' }));
  expect([sent, engine.asked]).toEqual([[], []]);
});

test.each(['shutdown', 'constructor', 'toString', '__proto__', ''])('there is no request named %j', async (name) => {
  session.receive({ type: 'ask', id: 7, name, payload: {} });
  await vi.runAllTimersAsync();
  expect(sent).toMatchObject([{ type: 'refusal', id: 7, error: { code: 'RequestUnknown' } }]);
});

test.each([
  ['submit', {}, 'submit: circuit'],
  ['submit', { circuit: { zkey: 'a' }, partitions: [{ witness: 'w', input: 'i' }] }, 'submit: partitions[0]'],
  ['cancel', { job: 'a', force: true }, 'cancel: '],
  ['cancel', null, 'cancel: '],
])('%s with %j is refused with the field', async (name, payload, begins) => {
  session.receive({ type: 'ask', id: 1, name, payload });
  await vi.runAllTimersAsync();
  expect(refused()).toMatchObject([{ code: 'RequestInvalid', message: expect.stringContaining(begins) }]);
  expect(engine.asked).toEqual([]);
});

it('answers what was asked, and refuses with what the engine says', async () => {
  session.receive({ type: 'ask', id: 3, name: 'submit', payload: { circuit: { zkey: 'a.zkey' }, partitions: [{ witness: 'w' }] } });
  session.receive({ type: 'ask', id: 4, name: 'cancel', payload: { job: 'none' } });
  await vi.runAllTimersAsync();
  const byId = sent.toSorted((a, b) => ('id' in a && 'id' in b ? a.id - b.id : 0));
  expect(byId).toMatchObject([
    { type: 'answer', id: 3, result: { job: 'job-1', attached: false } },
    { type: 'refusal', id: 4, error: { code: 'JobUnknown' } },
  ]);
});

it('what the program itself did wrong is said to be a bug, without what may be secret', async () => {
  engine.refusal = new TypeError('x is undefined');
  session.receive({ type: 'ask', id: 1, name: 'evict', payload: { circuit: 'a' } });
  await vi.runAllTimersAsync();
  expect(refused()).toMatchObject([{ code: 'Internal' }]);
});

it('begins with a snapshot and goes on with batches, at the pace that was asked for', () => {
  job('before');
  session.receive({ type: 'follow', everyMs: 50 });
  expect(sent).toMatchObject([{ type: 'snapshot', snapshot: { ageMs: 0, state: { seq: 1 } } }]);
  for (const id of ['a', 'b', 'c']) job(id);
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(50);
  expect(sent).toHaveLength(2);
  session.receive({ type: 'pace', everyMs: 16 });
  job('d');
  vi.advanceTimersByTime(16);
  expect(sent).toHaveLength(3);
  expect(pageState()).toEqual(engine.snapshot());
});

it('says that it is there while nothing happens', () => {
  session.receive({ type: 'follow', everyMs: 50 });
  vi.advanceTimersByTime(5 * heartbeatMs);
  const beats = sent.filter(({ type }) => type === 'events');
  expect(beats.length).toBeGreaterThanOrEqual(4);
  expect(beats.every((beat) => 'events' in beat && beat.events.length === 0)).toBe(true);
});

it('a page that does not read costs a bounded number of events, and gets a snapshot when it reads again', () => {
  session.receive({ type: 'follow', everyMs: 50 });
  isClear = false;
  for (let i = 0; i < 25_000; i++) engine.tracker.emit({ type: 'memoryMeasured', rssBytes: i });
  vi.advanceTimersByTime(10 * heartbeatMs);
  expect(sent).toHaveLength(1);
  isClear = true;
  vi.advanceTimersByTime(heartbeatMs);
  expect(sent.filter((one) => one.type !== 'events' || one.events.length > 0).map(({ type }) => type)).toEqual([
    'snapshot',
    'snapshot',
  ]);
  job('after');
  vi.advanceTimersByTime(heartbeatMs);
  expect(pageState()).toEqual(engine.snapshot());
});

it('asked to begin anew, it sends a snapshot that nothing was lost before or comes twice after', () => {
  session.receive({ type: 'follow', everyMs: 50 });
  job('a');
  session.receive({ type: 'follow', everyMs: 50 });
  job('b');
  vi.advanceTimersByTime(50);
  expect(pageState()).toEqual(engine.snapshot());
});

it('ended, it hears and says nothing more', () => {
  session.receive({ type: 'follow', everyMs: 50 });
  job('a');
  session[Symbol.dispose]();
  job('b');
  vi.advanceTimersByTime(5 * heartbeatMs);
  expect(sent).toHaveLength(1);
});
