// What each event does, and the reference engine's mistakes, each by the row of the table that it stands in.
import { describe, expect, it } from 'vitest';
import type { EngineEventBody, Failure } from './events.ts';
import { reduce } from './reduce.ts';
import { countersOf, type EngineState, emptyState, jobOf, jobsOf, partitionsOf, spanMs } from './state.ts';

/** Applies events in order, one millisecond apart. */
function run(events: EngineEventBody[], from: EngineState = emptyState): EngineState {
  return events.reduce((state, body) => reduce(state, { ...body, seq: state.seq + 1, at: state.at + 1 }), from);
}

const failure: Failure = { code: 'DeviceLost', message: 'the device is gone' };
const workers: EngineEventBody = {
  type: 'workersRegistered',
  wallMs: 0,
  workers: [
    { worker: 0, kind: 'synthesis' },
    { worker: 1, kind: 'pipelined', device: 'cpu' },
    { worker: 2, kind: 'monolithic', device: 'cpu' },
  ],
};
const submit = (job: string, partitions = 2): EngineEventBody => ({
  type: 'jobSubmitted',
  job,
  kind: 'merkle',
  circuit: 'merkle',
  partitions,
  priority: 'normal',
  mode: 'pipelined',
  wallMs: 1000,
});
const synthesize = (job: string, partition: number): EngineEventBody[] => [
  { type: 'synthesisStarted', worker: 0, job, partition },
  { type: 'synthesisEnded', worker: 0, job, partition, done: true },
];
const on = (job: string, partition: number, assignment: number, worker = 1) => ({ job, partition, assignment, worker });
const ready = run([workers, submit('A'), submit('B'), ...synthesize('A', 0), ...synthesize('A', 1)]);

describe.each([
  ['pipelined', 1],
  ['monolithic', 2],
])('a %s worker', (_, worker) => {
  it('row 1: stays proving the partition it moved on to when the finalizer of the one before ends', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1, worker) },
        { type: 'deviceReleased', ...on('A', 0, 1, worker) },
        { type: 'deviceStarted', ...on('A', 1, 2, worker) },
        { type: 'partitionDone', ...on('A', 0, 1, worker) },
      ],
      ready,
    );
    expect(state.workers[worker]).toMatchObject({ phase: 'proving', current: { job: 'A', partition: 1, assignment: 2 } });
    expect(partitionsOf(jobOf(state, 'A')!).map(({ phase }) => phase)).toEqual(['done', 'gpu']);
    expect([state.staleEnds, state.ignored]).toEqual([0, 0]);
  });

  it('row 1: stays proving also when the end comes without a release', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1, worker) },
        { type: 'deviceStarted', ...on('A', 1, 2, worker) },
        { type: 'partitionDone', ...on('A', 0, 1, worker) },
      ],
      ready,
    );
    expect(state.workers[worker]).toMatchObject({ phase: 'proving', current: { partition: 1 } });
    expect(partitionsOf(jobOf(state, 'A')!)[0]?.phase).toBe('done');
    expect(state.staleEnds).toBe(1);
  });

  it('row 2: is not cleared by the end of an earlier try of the same pair', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1, worker) },
        { type: 'partitionRetried', job: 'A', partition: 0, attempt: 2, reason: failure },
        ...synthesize('A', 0),
        { type: 'deviceStarted', ...on('A', 0, 2, worker) },
        { type: 'partitionFailed', ...on('A', 0, 1, worker), error: failure },
        { type: 'deviceReleased', ...on('A', 0, 1, worker) },
      ],
      ready,
    );
    expect(state.workers[worker]).toMatchObject({ phase: 'proving', current: { assignment: 2 } });
    expect(partitionsOf(jobOf(state, 'A')!)[0]).toMatchObject({ phase: 'gpu', attempt: 2, assignment: 2 });
    expect(state.staleEnds).toBe(2);
  });

  it('row 4: is idle again when its partition is cancelled or fails under it', () => {
    for (const end of [
      { type: 'partitionCancelled', ...on('A', 0, 1, worker) },
      { type: 'partitionFailed', ...on('A', 0, 1, worker), error: failure },
    ] as EngineEventBody[]) {
      const state = run([{ type: 'deviceStarted', ...on('A', 0, 1, worker) }, end], ready);
      expect(state.workers[worker]).toMatchObject({ phase: 'idle' });
      expect(state.workers[worker]?.current).toBeUndefined();
    }
  });

  it('shows that it waits for the lock until the kernels start', () => {
    const waiting = run([{ type: 'deviceStarted', ...on('A', 0, 1, worker) }], ready);
    expect(waiting.workers[worker]?.current?.kernelsAt).toBeUndefined();
    const running = run([{ type: 'kernelsStarted', ...on('A', 0, 1, worker) }], waiting);
    expect(running.workers[worker]?.current?.kernelsAt).toBe(running.at);
    const { lockWait, kernels } = partitionsOf(jobOf(running, 'A')!)[0]?.spans ?? {};
    expect([lockWait?.endedAt, kernels?.startedAt]).toEqual([running.at, running.at]);
  });
});

describe('partitions', () => {
  it('are on nothing any more once the synthesis that they were in has come to nothing', () => {
    const state = run([
      ...[workers, submit('A')],
      { type: 'synthesisStarted', worker: 0, job: 'A', partition: 0 },
      { type: 'synthesisEnded', worker: 0, job: 'A', partition: 0, done: false },
    ]);
    expect(state.workers[0]?.phase).toBe('idle');
    const [{ phase, spans } = {}] = partitionsOf(jobOf(state, 'A')!);
    expect([phase, spans?.synthesis?.endedAt]).toEqual(['synthesizing', state.at]);
  });

  it('row 6: end as their outcome says, never as done when they failed', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1) },
        { type: 'partitionFailed', ...on('A', 0, 1), error: failure },
      ],
      ready,
    );
    expect(partitionsOf(jobOf(state, 'A')!)[0]).toMatchObject({ phase: 'failed', error: failure });
  });

  it('go through every part of their time, each frozen at its end', () => {
    const state = run(
      [
        { type: 'memoryWaitStarted', job: 'B', partition: 0, bytes: 100 },
        { type: 'memoryGranted', job: 'B', partition: 0 },
        { type: 'keyWaitStarted', job: 'B', partition: 0 },
        { type: 'keyReady', job: 'B', partition: 0 },
        ...synthesize('B', 0),
        { type: 'deviceStarted', ...on('B', 0, 1) },
        { type: 'kernelsStarted', ...on('B', 0, 1) },
        { type: 'deviceReleased', ...on('B', 0, 1) },
        { type: 'verifyStarted', ...on('B', 0, 1) },
        { type: 'partitionDone', ...on('B', 0, 1) },
      ],
      ready,
    );
    const spans = partitionsOf(jobOf(state, 'B')!)[0]?.spans ?? {};
    expect(Object.keys(spans)).toEqual([
      'queueWait',
      'memoryWait',
      'keyWait',
      'synthesis',
      'deviceQueue',
      'lockWait',
      'kernels',
      'finalizing',
      'verify',
    ]);
    for (const span of Object.values(spans)) expect(span.endedAt).toBeDefined();
    expect(Object.values(spans).map((span) => spanMs(span, 1e9))).toEqual([5, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(state.ignored).toBe(0);
  });

  it('begin a part of their time once: a second start changes nothing that is frozen', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1) },
        { type: 'verifyStarted', ...on('A', 0, 1) },
        { type: 'kernelsStarted', ...on('A', 0, 1) },
      ],
      ready,
    );
    const again = run([{ type: 'verifyStarted', ...on('A', 0, 1) }], state);
    expect(partitionsOf(jobOf(again, 'A')!)[0]?.spans.verify).toEqual(partitionsOf(jobOf(state, 'A')!)[0]?.spans.verify);
  });

  it('never go back, but by a retry with the next attempt', () => {
    const done = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1) },
        { type: 'deviceReleased', ...on('A', 0, 1) },
        { type: 'partitionDone', ...on('A', 0, 1) },
      ],
      ready,
    );
    const after = run(
      [
        { type: 'synthesisStarted', worker: 0, job: 'A', partition: 0 },
        { type: 'deviceStarted', ...on('A', 0, 2) },
        { type: 'partitionFailed', job: 'A', partition: 0, error: failure },
        { type: 'partitionRetried', job: 'A', partition: 0, attempt: 2, reason: failure },
        { type: 'partitionRetried', job: 'A', partition: 1, attempt: 3, reason: failure },
      ],
      done,
    );
    expect(partitionsOf(jobOf(after, 'A')!).map(({ phase, attempt }) => [phase, attempt])).toEqual([
      ['done', 1],
      ['synth_done', 1],
    ]);
    expect(after.ignored).toBe(done.ignored + 5);
  });
});

describe('jobs', () => {
  it('row 7: are terminal exactly once, and end what their partitions were doing', () => {
    const ended = run([{ type: 'jobEnded', job: 'A', end: 'failed', error: failure }], ready);
    expect(jobOf(ended, 'A')).toMatchObject({ phase: 'failed', endedAt: ended.at, error: failure });
    expect(partitionsOf(jobOf(ended, 'A')!).map(({ phase }) => phase)).toEqual(['cancelled', 'cancelled']);
    const again = run(
      [
        { type: 'jobEnded', job: 'A', end: 'cancelled' },
        { type: 'synthesisStarted', worker: 0, job: 'A', partition: 0 },
      ],
      ended,
    );
    expect(jobOf(again, 'A')).toEqual(jobOf(ended, 'A'));
  });

  it('take over the proofs that the job before them had', () => {
    const restored = run(
      [submit('C', 2), ...[0, 1].map((partition): EngineEventBody => ({ type: 'partitionRestored', job: 'C', partition }))],
      ready,
    );
    expect(partitionsOf(jobOf(restored, 'C')!).map(({ phase }) => phase)).toEqual(['done', 'done']);
    expect(jobOf(run([{ type: 'jobEnded', job: 'C', end: 'succeeded' }], restored), 'C')?.phase).toBe('succeeded');
    const late = run([{ type: 'partitionRestored', job: 'A', partition: 0 }], ready);
    expect(partitionsOf(jobOf(late, 'A')!)[0]?.phase).toBe('synth_done');
  });

  it('do not succeed before all their partitions are done', () => {
    const early = run([{ type: 'jobEnded', job: 'A', end: 'succeeded' }], ready);
    expect(jobOf(early, 'A')?.phase).toBe('running');
  });

  it('row 11: are not reset by a second submit under the same id', () => {
    const state = run([submit('A', 5)], ready);
    expect(jobOf(state, 'A')).toEqual(jobOf(ready, 'A'));
    expect(state.ignored).toBe(ready.ignored + 1);
  });

  it('row 7: are counted from their own states, also when they have left the live state', () => {
    const state = run(
      [
        { type: 'jobEnded', job: 'A', end: 'failed', error: failure },
        { type: 'jobForgotten', job: 'A' },
        { type: 'jobForgotten', job: 'B' },
      ],
      ready,
    );
    expect(jobsOf(state).map(({ job }) => job)).toEqual(['B']);
    expect(countersOf(state)).toEqual({ merkle: { queued: 1, running: 0, succeeded: 0, failed: 1, cancelled: 0, interrupted: 0 } });
  });

  it('counts kinds that are named like parts of every object', () => {
    const kinds = ['__proto__', 'constructor', 'toString'];
    const state = run(kinds.map((kind) => ({ ...submit(kind), kind }) as EngineEventBody));
    for (const kind of kinds) expect(countersOf(state)[kind]).toMatchObject({ queued: 1, running: 0 });
    expect(Object.keys(countersOf(state)).sort()).toEqual(kinds.sort());
    expect('queued' in {}).toBe(false);
  });
});

describe('the rest of the state', () => {
  it('row 9: lists finalizers by themselves, several of one worker', () => {
    const state = run(
      [
        { type: 'deviceStarted', ...on('A', 0, 1) },
        { type: 'deviceReleased', ...on('A', 0, 1) },
        { type: 'deviceStarted', ...on('A', 1, 2) },
        { type: 'deviceReleased', ...on('A', 1, 2) },
        { type: 'verifyStarted', ...on('A', 0, 1) },
      ],
      ready,
    );
    expect(
      Object.values(state.finalizers).map(({ assignment, worker, verifyAt }) => [assignment, worker, verifyAt !== undefined]),
    ).toEqual([
      [1, 1, true],
      [2, 1, false],
    ]);
    expect(state.workers[1]?.phase).toBe('idle');
  });

  it('says where keys are, who holds memory, and which workers are faulted or restarted', () => {
    const state = run(
      [
        { type: 'residencyChanged', circuit: 'merkle', device: 'cpu', residency: 'loading', bytes: 0 },
        { type: 'residencyChanged', circuit: 'merkle', device: 'cpu', residency: 'hot', bytes: 700 },
        { type: 'memoryHeld', owner: 'key merkle on cpu', bytes: 700 },
        { type: 'memoryHeld', owner: 'A/0', bytes: 50 },
        { type: 'memoryHeld', owner: 'A/0', bytes: 0 },
        { type: 'deviceStarted', ...on('A', 0, 1) },
        { type: 'workerFaulted', worker: 1, error: failure },
        { type: 'workerRestarted', worker: 2, error: failure },
      ],
      ready,
    );
    expect(state.keys['merkle@cpu']).toMatchObject({ residency: 'hot', bytes: 700 });
    expect(state.memory).toEqual({ 'key merkle on cpu': 700 });
    expect(state.workers[1]).toMatchObject({ phase: 'faulted', error: failure });
    expect(state.workers[1]?.current).toBeUndefined();
    expect(state.workers[2]).toMatchObject({ phase: 'idle', restarts: 1 });
  });

  it('leaves the given state as it was, and never lets time fall', () => {
    const before = structuredClone(ready);
    const state = reduce(ready, { type: 'deviceStarted', ...on('A', 0, 1), seq: ready.seq + 1, at: 0 });
    expect(ready).toEqual(before);
    expect(state.at).toBe(ready.at);
  });
});
