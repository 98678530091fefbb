import { describe, expect, it } from 'vitest';
import type { EngineEvent, EngineEventBody } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import { type EngineState, emptyState } from '../../main/contract/state.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import type { Connection, ConnectionListener } from '../transport/connection.ts';
import { EventFeed } from './event-feed.ts';

/** An engine that has told `count` events, one state after each. */
function history(count: number) {
  const events = Array.from({ length: count }, (_, i): EngineEvent => {
    const body: EngineEventBody =
      i === 0 ? { type: 'engineStarted', budgetBytes: 9, devices: [], wallMs: 0 } : { type: 'memoryMeasured', rssBytes: i };
    return { ...body, seq: i + 1, at: i };
  });
  const states = [emptyState];
  for (const event of events) states.push(reduce(states.at(-1)!, event));
  return { events, states };
}

function setUp(count = 20) {
  const { events, states } = history(count);
  let listener!: ConnectionListener;
  const answers: PromiseWithResolvers<Snapshot>[] = [];
  const shown: EngineState[] = [];
  const tapped: (number | string)[] = [];
  const lost: string[] = [];
  const flushes: (() => void)[] = [];
  const connection = {
    name: 'test',
    subscribe: (to: ConnectionListener) => {
      listener = to;
      return () => {};
    },
    snapshot: () => {
      const answer = Promise.withResolvers<Snapshot>();
      answers.push(answer);
      return answer.promise;
    },
    request: () => Promise.reject(new Error('none')),
  } as unknown as Connection;
  const feed = new EventFeed({
    connection,
    taps: [{ reset: ({ seq }) => tapped.push(`from ${seq}`), apply: ({ seq }) => tapped.push(seq) }],
    schedule: (flush) => flushes.push(flush),
    onState: (state) => shown.push(state),
    onHeard: () => {},
    onLost: ({ message }) => lost.push(message),
    sleep: async () => {},
  });
  feed.start();
  const answer = async (seq: number) => {
    answers.shift()!.resolve({ state: states[seq]!, ageMs: 0 });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const paint = () => {
    for (const flush of flushes.splice(0)) flush();
  };
  const tell = (from: number, to: number) => listener.onEvents(events.slice(from - 1, to));
  return {
    feed,
    states,
    shown,
    tapped,
    lost,
    answers,
    answer,
    paint,
    tell,
    tellSnapshot: (seq: number) => listener.onSnapshot({ state: states[seq]!, ageMs: 0 }),
  };
}

describe('a feed of events', () => {
  it('applies what happened while the snapshot was on its way on top of it, each event once', async () => {
    const { answer, tell, paint, shown, states, tapped } = setUp();
    tell(3, 6);
    await answer(4);
    paint();
    expect(shown.at(-1)).toEqual(states[6]);
    expect(tapped).toEqual(['from 4', 5, 6]);
  });

  it('shows one state for all that comes between two pictures', async () => {
    const { answer, tell, paint, shown } = setUp();
    await answer(0);
    shown.length = 0;
    tell(1, 3);
    tell(4, 9);
    expect(shown).toHaveLength(0);
    paint();
    expect(shown.map(({ seq }) => seq)).toEqual([9]);
  });

  it('asks for a snapshot when numbers are missing, and goes on from it', async () => {
    const { answer, answers, tell, paint, shown, states } = setUp();
    await answer(2);
    tell(3, 3);
    tell(6, 7);
    paint();
    expect(shown.at(-1)!.seq).toBe(3);
    expect(answers).toHaveLength(1);
    await answer(6);
    paint();
    expect(shown.at(-1)).toEqual(states[7]);
    expect(answers).toHaveLength(0);
  });

  it('asks again when a snapshot is older than the hole', async () => {
    const { answer, answers, tell, paint, shown } = setUp();
    await answer(2);
    tell(9, 9);
    paint();
    await answer(5);
    expect(answers).toHaveLength(1);
    await answer(8);
    paint();
    expect(shown.at(-1)!.seq).toBe(9);
  });

  it('leaves out what it has seen before', async () => {
    const { answer, tell, paint, tapped, shown, states } = setUp();
    await answer(5);
    tell(2, 8);
    tell(6, 9);
    paint();
    expect(tapped).toEqual(['from 5', 6, 7, 8, 9]);
    expect(shown.at(-1)).toEqual(states[9]);
  });

  it('takes the snapshot of another engine, whose numbers are lower', async () => {
    const { answer, tell, tellSnapshot, paint, shown } = setUp();
    await answer(15);
    tellSnapshot(2);
    tell(3, 4);
    paint();
    expect(shown.at(-1)!.seq).toBe(4);
  });

  it('drops a snapshot that is answered after the stream brought one', async () => {
    const { answer, tellSnapshot, shown } = setUp();
    tellSnapshot(7);
    await answer(3);
    expect(shown.map(({ seq }) => seq)).toEqual([7]);
  });

  it('asks again when a snapshot is refused, and says why', async () => {
    const { answer, answers, lost, shown } = setUp();
    answers.shift()!.reject(new Error('no answer'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(lost).toEqual(['no answer']);
    await answer(4);
    expect(shown.at(-1)!.seq).toBe(4);
  });

  it('changes nothing after its end', async () => {
    const { feed, answer, tell, paint, shown } = setUp();
    await answer(1);
    tell(2, 3);
    feed.stop();
    paint();
    expect(shown.map(({ seq }) => seq)).toEqual([1]);
  });
});
