// What GET /status makes of a state.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineEventBody } from '../contract/events.ts';
import { countersOf, emptyState, jobsOf } from '../contract/state.ts';
import { FakeEngine } from './fake-engine.ts';
import { RandomStream, randomStep, registrations } from './random-events.ts';
import { statusOf } from './status-projection.ts';

let engine: FakeEngine;
const emit = (body: EngineEventBody) => engine.tracker.emit(body);
const status = () => statusOf(engine.snapshot(), engine.now);
const submit = (job: string, kind = 'merkle', partitions = 2) =>
  emit({ type: 'jobSubmitted', job, kind, circuit: 'm.zkey', partitions, priority: 'normal', mode: 'pipelined', wallMs: 0 });

beforeEach(() => {
  engine = new FakeEngine();
  emit({ type: 'engineStarted', budgetBytes: 1000, devices: [], wallMs: 0 });
  emit({ type: 'workersRegistered', workers: registrations, wallMs: 0 });
});

describe('the snapshot', () => {
  it('row 19: carries the sequence number and its age', () => {
    engine.now += 250;
    expect(status()).toMatchObject({ seq: 2, at: 1000, ageMs: 250, uptime_secs: 0.25 });
  });

  it('is never of a negative age', () => expect(statusOf(engine.snapshot(), 0)).toMatchObject({ ageMs: 0, uptime_secs: 0 }));

  it('has the names in one order, and jobs in order of submission', () => {
    for (const [job, kind] of ['zeta', 'alpha', 'mid'].map((name) => [`job-${name}`, name] as const)) {
      submit(job, kind);
      emit({ type: 'jobEnded', job, end: 'failed' });
    }
    expect(status().pipelines.map(({ job_id }) => job_id)).toEqual(['job-zeta', 'job-alpha', 'job-mid']);
    expect(Object.keys(status().counters.failed_by_kind)).toEqual(['alpha', 'mid', 'zeta']);
    expect(Object.keys(status()).slice(0, 5)).toEqual(['seq', 'at', 'ageMs', 'state', 'jobCounters']);
  });

  it('row 18: is not changed by being asked for', () => {
    submit('A');
    const before = JSON.stringify(status());
    expect(JSON.stringify(status())).toBe(before);
  });

  it('projects the empty state', () => {
    expect(statusOf(emptyState, 0)).toMatchObject({ seq: 0, pipelines: [], gpu_workers: [], counters: { total_completed: 0 } });
  });
});

describe('the fields of the reference engine', () => {
  it('memory: the budget, what is held of it, and what is left', () => {
    emit({ type: 'memoryHeld', owner: 'key m.zkey on cpu', bytes: 300 });
    emit({ type: 'memoryHeld', owner: 'A/0', bytes: 50 });
    expect(status().memory).toEqual({ total_bytes: 1000, used_bytes: 350, available_bytes: 650 });
  });

  it('synthesis: how many can, and how many do', () => {
    submit('A');
    expect(status().synthesis).toEqual({ max_concurrent: 1, active: 0 });
    engine.tracker.partitionSynthStart(0, { job: 'A', partition: 0 });
    expect(status().synthesis).toEqual({ max_concurrent: 1, active: 1 });
  });

  it('pipelines: work without the waits around it, in the words that the reference has', () => {
    submit('A');
    const ref = { job: 'A', partition: 0 };
    const partition = () => status().pipelines[0]!.partitions[0];
    engine.now += 5000;
    expect(partition()).toEqual({ index: 0, state: 'pending', synth_ms: null, gpu_ms: null });
    emit({ type: 'witnessStarted', worker: 0, ...ref });
    engine.now += 100;
    emit({ type: 'threadWaitStarted', ...ref });
    engine.now += 7000;
    emit({ type: 'synthesisStarted', worker: 0, ...ref });
    engine.now += 200;
    expect(partition()).toEqual({ index: 0, state: 'synthesizing', synth_ms: 300, gpu_ms: null });
    emit({ type: 'synthesisEnded', worker: 0, ...ref, done: true });
    engine.now += 9000;
    expect(partition()).toEqual({ index: 0, state: 'synth_done', synth_ms: 300, gpu_ms: null });
    const take = { ...ref, worker: 1, assignment: 1 };
    emit({ type: 'deviceStarted', ...take });
    engine.now += 4000;
    expect(partition()).toEqual({ index: 0, state: 'gpu', synth_ms: 300, gpu_ms: null });
    emit({ type: 'kernelsStarted', ...take });
    engine.now += 1000;
    emit({ type: 'deviceReleased', ...take });
    engine.now += 500;
    expect(partition()).toEqual({ index: 0, state: 'gpu', synth_ms: 300, gpu_ms: 1500 });
    emit({ type: 'partitionDone', ...take });
    engine.now += 60_000;
    expect(partition()).toEqual({ index: 0, state: 'done', synth_ms: 300, gpu_ms: 1500 });
    expect(status().pipelines[0]).toMatchObject({ job_id: 'A', proof_kind: 'merkle', total_partitions: 2, partitions_done: 1 });
    emit({ type: 'jobEnded', job: 'A', end: 'cancelled' });
    expect(status().pipelines[0]!.partitions[1]!.state).toBe('failed');
  });

  it('gpu_workers: row 1, a late end leaves the worker on what it is on', () => {
    submit('A');
    const take = (partition: number) => ({ job: 'A', partition, worker: 2, assignment: partition + 1 });
    emit({ type: 'deviceStarted', ...take(0) });
    emit({ type: 'deviceStarted', ...take(1) });
    engine.now += 2000;
    emit({ type: 'partitionDone', ...take(0) });
    const idle = { state: 'idle', current_job: null, current_partition: null, busy_secs: null };
    expect(status().gpu_workers).toEqual([
      { worker_id: 1, gpu_ordinal: 0, device: 'cuda:0', ...idle },
      { worker_id: 2, gpu_ordinal: 0, device: 'cuda:0', state: 'proving', current_job: 'A', current_partition: 1, busy_secs: 2 },
      { worker_id: 3, gpu_ordinal: null, device: 'cpu', ...idle },
    ]);
    emit({ type: 'workerFaulted', worker: 2, error: { code: 'DeviceLost', message: 'gone' } });
    expect(status().gpu_workers[1]).toMatchObject({ worker_id: 2, state: 'faulted', current_job: null, busy_secs: null });
  });

  it('allocations: a key is evictable when it is loaded and no job needs it', () => {
    const key = (residency: 'loading' | 'hot') =>
      emit({ type: 'residencyChanged', circuit: 'm.zkey', device: 'cpu', residency, bytes: 77 });
    key('loading');
    expect(status().allocations.srs[0]).toMatchObject({ circuit_id: 'm.zkey', device: 'cpu', bytes: 77, evictable: false });
    key('hot');
    submit('A');
    engine.now += 9000;
    expect(status().allocations.srs[0]).toMatchObject({ last_used_secs_ago: 0, evictable: false });
    emit({ type: 'jobEnded', job: 'A', end: 'failed' });
    engine.now += 3000;
    expect(status().allocations.srs[0]).toMatchObject({ last_used_secs_ago: 3, evictable: true });
    expect(status().allocations.pce).toEqual([]);
  });

  it('counters: by kind, those that have ended well or not, and the jobs that nothing was done for', () => {
    for (const job of ['A', 'B', 'C', 'D']) submit(job);
    emit({ type: 'jobEnded', job: 'A', end: 'failed' });
    emit({ type: 'jobForgotten', job: 'A' });
    emit({ type: 'jobEnded', job: 'B', end: 'cancelled' });
    engine.tracker.partitionSynthStart(0, { job: 'C', partition: 0 });
    expect(status().counters).toEqual({
      ...{ total_completed: 0, total_failed: 1, completed_by_kind: {}, failed_by_kind: { merkle: 1 }, queue_depth: 1 },
    });
  });
});

it('rows 3 and 7: every part says the same as the state, over random streams of events, and all of it is JSON', () => {
  const property = fc.property(fc.array(randomStep, { maxLength: 60, size: 'max' }), (steps) => {
    const random = new FakeEngine();
    random.tracker.emit({ type: 'workersRegistered', workers: registrations, wallMs: 0 });
    const stream = new RandomStream();
    for (const step of steps) {
      random.now += step.pause;
      const body = stream.body(step, random.snapshot());
      if (body) random.tracker.emit(body);
    }
    const state = random.snapshot();
    const all = statusOf(state, random.now);
    const counters = Object.values(countersOf(state));
    expect(all.counters.total_completed).toBe(counters.reduce((sum, { succeeded }) => sum + succeeded, 0));
    expect(all.counters.total_failed).toBe(counters.reduce((sum, { failed }) => sum + failed, 0));
    expect(all.pipelines.map(({ job_id }) => job_id)).toEqual(jobsOf(state).map(({ job }) => job));
    for (const { worker_id, state: phase, current_job, busy_secs } of all.gpu_workers) {
      const worker = state.workers[worker_id]!;
      expect(phase).toBe(worker.phase);
      expect(current_job).toBe((worker.current ?? worker.synthesis)?.job ?? null);
      expect(busy_secs === null).toBe(current_job === null);
    }
    expect(JSON.parse(JSON.stringify(all.state))).toEqual(state);
    expect(JSON.stringify(all)).not.toMatch(/:(NaN|undefined)/);
  });
  fc.assert(property, { numRuns: 500, ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}) });
});
