// What tracking costs in real time: events a second through reduce(), and a snapshot of a large state with what it takes to send it on.
import type { EngineEvent, EngineEventBody } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import { type EngineState, emptyState } from '../../main/contract/state.ts';
import { StatusTracker } from '../../main/engine/status-tracker.ts';

export interface ReduceRate {
  jobs: number;
  partitions: number;
  events: number;
  eventsPerSecond: number;
}

export interface SnapshotCost {
  workers: number;
  partitions: number;
  /** The tracker's answer, which shares what it can. */
  snapshotMs: number;
  structuredCloneMs: number;
  jsonMs: number;
  jsonBytes: number;
}

const synthesisWorkers = 8;
const workers: EngineEventBody = {
  type: 'workersRegistered',
  wallMs: 0,
  workers: Array.from({ length: 64 }, (_, worker) =>
    worker < synthesisWorkers
      ? { worker, kind: 'synthesis' as const }
      : { worker, kind: 'pipelined' as const, device: `cuda:${(worker - synthesisWorkers) >> 1}` },
  ),
};

/** All that happens to so many jobs of so many partitions, those of different jobs in turn, as the engine would tell it. */
function story(jobs: number, partitions: number, until?: number): EngineEventBody[] {
  const events: EngineEventBody[] = [workers];
  const ids = Array.from({ length: jobs }, (_, i) => `job-${i}`);
  for (const job of ids) {
    const about = { kind: 'merkle', circuit: 'merkle.zkey', priority: 'normal' as const, mode: 'pipelined' as const, wallMs: 0 };
    events.push({ type: 'jobSubmitted', job, partitions, ...about });
  }
  let assignment = 0;
  const late: (() => EngineEventBody[])[] = [];
  for (let partition = 0; partition < partitions; partition++)
    for (const job of ids) {
      if (until !== undefined && assignment >= until) return events;
      const ref = { job, partition };
      assignment++;
      const take = { ...ref, assignment, worker: synthesisWorkers + (assignment % (64 - synthesisWorkers)) };
      const synthesis = { ...ref, worker: assignment % synthesisWorkers };
      events.push({ type: 'memoryHeld', owner: `${job}/${partition}`, bytes: 1000 });
      events.push({ type: 'synthesisStarted', ...synthesis }, { type: 'synthesisEnded', ...synthesis, done: true });
      events.push({ type: 'deviceStarted', ...take }, { type: 'kernelsStarted', ...take }, { type: 'deviceReleased', ...take });
      // Its finalizer ends while others are on the device.
      late.push(() => [
        { type: 'verifyStarted', ...take },
        { type: 'partitionDone', ...take, timings: { msm: 1, ntt: 2 } },
        { type: 'memoryHeld', owner: `${job}/${partition}`, bytes: 0 },
      ]);
      if (late.length > 8) events.push(...late.shift()!());
    }
  for (const rest of late) events.push(...rest());
  for (const job of ids) events.push({ type: 'jobEnded', job, end: 'succeeded' });
  return events;
}

const numbered = (bodies: EngineEventBody[]): EngineEvent[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, at: i / 10 }) as EngineEvent);

/** The best of five: the machine's other work is not the reducer's. */
function bestMs(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

export function reduceRate(jobs: number, partitions: number): ReduceRate {
  const events = numbered(story(jobs, partitions));
  let state: EngineState = emptyState;
  const ms = bestMs(() => {
    state = events.reduce(reduce, emptyState);
  });
  if (state.ignored + state.staleEnds > 0) throw new Error('the events do not make sense');
  return { jobs, partitions, events: events.length, eventsPerSecond: events.length / (ms / 1000) };
}

/** In the middle of a job: some partitions are done, some on their way, the rest pending. */
export function snapshotCost(partitions: number): SnapshotCost {
  const tracker = new StatusTracker({ now: () => 0, wallMs: () => 0, sleep: async () => {} });
  for (const body of story(1, partitions, Math.ceil(partitions * 0.9))) tracker.emit(body);
  let snapshot = tracker.snapshot();
  const snapshotMs = bestMs(() => {
    snapshot = tracker.snapshot();
  });
  let json = '';
  return {
    ...{ workers: snapshot.workers.length, partitions, snapshotMs },
    structuredCloneMs: bestMs(() => structuredClone(snapshot)),
    jsonMs: bestMs(() => {
      json = JSON.stringify(snapshot);
    }),
    jsonBytes: json.length,
  };
}
