// Random interleavings against an independent model: starts, ends, duplicates, late ends, retries of the same pair on the same worker,
// failures, cancels and snapshots at any moment. A failing run prints its seed; CUZK_SEED=<seed> runs it again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineEvent, EngineEventBody, JobEnd } from './events.ts';
import { reduce } from './reduce.ts';
import {
  countersOf,
  type EngineState,
  emptyState,
  jobOf,
  jobsOf,
  type PartitionState,
  partitionOf,
  partitionsOf,
  spanMs,
} from './state.ts';

const workerCount = 5;
const jobs = ['A', 'B', 'C'];
const partitions = 3;
const failure = { code: 'DeviceLost', message: 'the device is gone' };

const partitionAt = (state: EngineState, id: string, partition: number) => {
  const job = jobOf(state, id);
  return job && partitionOf(job, partition);
};

/** One step: what to do, and free choices that the step reads as it needs them. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['submit', 'synthStart', 'synthEnd', 'memoryWait', 'memoryGranted', 'retry', 'jobEnd', 'forget'] as const),
    ...(['witness', 'threadWait', 'finalizing', 'progress', 'retryTake', 'retryTake'] as const),
    ...(['start', 'start', 'start', 'kernels', 'release', 'release', 'done', 'done', 'failed', 'cancelled', 'verify'] as const),
    ...(['failedUnassigned', 'cancelledUnassigned', 'fault', 'restart'] as const),
  ),
  worker: fc.nat(workerCount - 1),
  job: fc.constantFrom(...jobs),
  partition: fc.nat(partitions - 1),
  pick: fc.nat(1000),
  pause: fc.nat(3),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Take {
  worker: number;
  job: string;
  partition: number;
  assignment: number;
}

/** What must be true, kept by the plainest means: sets of what started, was released, and ended. */
class Model {
  takes: Take[] = [];
  newest = new Map<number, number>();
  ended = new Set<number>();
  finalizing = new Set<number>();
  faulted = new Set<number>();
  stale = 0;
  ends = new Map<string, JobEnd>();
  forgotten: JobEnd[] = [];
  submitted = new Set<string>();

  isProving = (worker: number) => {
    const newest = this.newest.get(worker);
    return newest !== undefined && !this.ended.has(newest);
  };
  start(take: Take): void {
    this.takes.push(take);
    this.newest.set(take.worker, take.assignment);
    this.faulted.delete(take.worker);
  }
  /** A take ends for its worker; released ones live on in a finalizer. */
  end({ worker, assignment }: Take, released: boolean): void {
    const current = this.newest.get(worker) === assignment && !this.ended.has(assignment);
    if (current) {
      this.ended.add(assignment);
      if (released) this.finalizing.add(assignment);
    } else if (!released && this.finalizing.has(assignment)) {
      this.finalizing.delete(assignment);
    } else {
      this.stale++;
    }
  }
  lose(worker: number): void {
    const newest = this.newest.get(worker);
    if (newest !== undefined) this.ended.add(newest);
  }
}

/** The event of a step, and what it does to the model; undefined when there is nothing that it could be about. */
function play({ what, worker, job, partition, pick }: Step, state: EngineState, model: Model): EngineEventBody | undefined {
  const take = model.takes[pick % Math.max(1, model.takes.length)];
  const device = 1 + (worker % (workerCount - 1));
  // The synthesis worker, or a monolithic one.
  const synthesizer = pick % 2 ? 0 : 2;
  const ended = (type: 'deviceReleased' | 'partitionDone' | 'partitionCancelled'): EngineEventBody | undefined => {
    if (!take) return undefined;
    model.end(take, type === 'deviceReleased');
    return { type, ...take };
  };
  switch (what) {
    case 'submit':
      model.submitted.add(job);
      return { type: 'jobSubmitted', job, kind: 'k', circuit: 'c', partitions, priority: 'normal', mode: 'pipelined', wallMs: 0 };
    case 'witness':
      return { type: 'witnessStarted', worker: synthesizer, job, partition };
    case 'synthStart':
      return { type: 'synthesisStarted', worker: synthesizer, job, partition };
    case 'synthEnd':
      return { type: 'synthesisEnded', worker: synthesizer, job, partition, done: pick % 5 > 0 };
    case 'threadWait':
      return { type: 'threadWaitStarted', job, partition };
    case 'progress':
      return { type: 'partitionProgress', job, partition, step: 'ntt', done: pick, total: 1000 };
    case 'memoryWait':
      return { type: 'memoryWaitStarted', job, partition, bytes: 1 };
    case 'memoryGranted':
      return { type: 'memoryGranted', job, partition };
    case 'start': {
      const fresh = { worker: device, job, partition, assignment: model.takes.length + 1 };
      model.start(fresh);
      return { type: 'deviceStarted', ...fresh };
    }
    case 'kernels':
      return take && { type: 'kernelsStarted', ...take };
    case 'finalizing':
      return take && { type: 'finalizingStarted', ...take };
    case 'verify':
      return take && { type: 'verifyStarted', ...take };
    case 'release':
      return ended('deviceReleased');
    case 'done':
      return ended('partitionDone');
    case 'cancelled':
      return ended('partitionCancelled');
    case 'failed':
      if (!take) return undefined;
      model.end(take, false);
      return { type: 'partitionFailed', ...take, error: failure };
    case 'failedUnassigned':
      return { type: 'partitionFailed', job, partition, error: failure };
    case 'cancelledUnassigned':
      return { type: 'partitionCancelled', job, partition };
    case 'retryTake': {
      if (!take) return undefined;
      model.end(take, false);
      const attempt = (partitionAt(state, take.job, take.partition)?.attempt ?? 1) + (pick % 4 === 0 ? 0 : 1);
      return { type: 'partitionRetried', ...take, attempt, reason: failure };
    }
    case 'retry': {
      const attempt = (partitionAt(state, job, partition)?.attempt ?? 1) + (pick % 4 === 0 ? 0 : 1);
      return { type: 'partitionRetried', job, partition, attempt, reason: failure };
    }
    case 'jobEnd': {
      const end = (['succeeded', 'failed', 'cancelled', 'interrupted'] as const)[pick % 4] ?? 'failed';
      const live = jobOf(state, job);
      const possible = end !== 'succeeded' || (live && partitionsOf(live).every(({ phase }) => phase === 'done'));
      if (live && possible && !model.ends.has(job)) model.ends.set(job, end);
      return { type: 'jobEnded', job, end };
    }
    case 'forget': {
      const end = model.ends.get(job);
      if (end) {
        model.forgotten.push(end);
        model.ends.delete(job);
        model.submitted.delete(job);
      }
      return { type: 'jobForgotten', job };
    }
    case 'fault':
      model.lose(device);
      model.faulted.add(device);
      return { type: 'workerFaulted', worker: device, error: failure };
    case 'restart':
      model.lose(device);
      model.faulted.delete(device);
      return { type: 'workerRestarted', worker: device, error: failure };
  }
}

const order = ['pending', 'synthesizing', 'synth_done', 'gpu', 'finalizing', 'done'];

function checkPartition(before: PartitionState | undefined, after: PartitionState): void {
  if (!before || after === before) return;
  if (after.attempt === before.attempt) {
    if (order.includes(after.phase)) expect(order.indexOf(after.phase)).toBeGreaterThanOrEqual(order.indexOf(before.phase)); // 4
    if (['done', 'failed', 'cancelled'].includes(before.phase)) expect(after).toEqual(before);
    for (const [name, span] of Object.entries(before.spans)) {
      if (span.endedAt !== undefined) expect(after.spans[name as keyof typeof after.spans]).toEqual(span); // 5: frozen
    }
  } else {
    expect(after).toMatchObject({ attempt: before.attempt + 1, phase: 'pending' });
  }
}

function check(before: EngineState, after: EngineState, event: EngineEvent, model: Model): void {
  for (const { worker, kind, phase, current } of after.workers) {
    if (kind === 'synthesis') continue;
    const expected = model.faulted.has(worker) ? 'faulted' : model.isProving(worker) ? 'proving' : 'idle';
    if (phase === 'synthesizing' && expected === 'idle' && kind === 'monolithic') continue;
    if (phase !== expected) expect.fail(`worker ${worker} is ${phase}, not ${expected}, after ${JSON.stringify(event)}`); // 1
    expect(current?.assignment).toBe(model.isProving(worker) ? model.newest.get(worker) : undefined);
  }
  if (after.staleEnds !== before.staleEnds) expect(after.workers).toBe(before.workers); // 2
  expect(after.staleEnds).toBe(model.stale);
  expect(Object.keys(after.finalizers).map(Number).toSorted()).toEqual([...model.finalizing].toSorted());
  for (const job of jobsOf(after)) {
    const old = jobOf(before, job.job);
    if (old === job) continue;
    partitionsOf(job).forEach((partition, i) => {
      checkPartition(old && partitionOf(old, i), partition);
      for (const span of Object.values(partition.spans)) {
        const ms = spanMs(span, after.at);
        if (ms < 0 || ms > (job.endedAt ?? after.at) - job.submittedAt) expect.fail(`a span of ${ms} ms`); // 5
      }
    });
  }
  const counters = countersOf(after).k; // 6
  const ends = [...model.ends.values(), ...model.forgotten];
  for (const end of ['succeeded', 'failed', 'cancelled', 'interrupted'] as const)
    expect(counters?.[end] ?? 0).toBe(ends.filter((e) => e === end).length);
  expect((counters?.queued ?? 0) + (counters?.running ?? 0)).toBe(model.submitted.size - model.ends.size);
}

it('the seven invariants hold under ten thousand random interleavings', { timeout: 240_000 }, () => {
  const registered: EngineEvent = {
    type: 'workersRegistered',
    seq: 1,
    at: 0,
    wallMs: 0,
    workers: Array.from({ length: workerCount }, (_, worker) => ({
      worker,
      kind: worker === 0 ? ('synthesis' as const) : worker % 2 ? ('pipelined' as const) : ('monolithic' as const),
    })),
  };
  const start = reduce(emptyState, registered);
  const property = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.nat(), (steps, cut) => {
    const model = new Model();
    const events: EngineEvent[] = [];
    let state = start;
    let snapshot = start;
    for (const [i, next] of steps.entries()) {
      const body = play(next, state, model);
      if (!body) continue;
      const event = { ...body, seq: state.seq + 1, at: state.at + next.pause };
      const before = state;
      state = reduce(before, event);
      check(before, state, event, model);
      if (i === cut % steps.length) {
        snapshot = structuredClone(state);
        events.length = 0;
      } else {
        events.push(event);
      }
    }
    // 7: a snapshot and the events after it make the same state.
    const replayed = events.reduce(reduce, snapshot);
    expect(replayed).toEqual(state);
  });
  const numRuns = Number(process.env.CUZK_RUNS ?? 10_000);
  fc.assert(property, { numRuns, ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}) });
});
