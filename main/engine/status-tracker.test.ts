import { expect, it } from 'vitest';
import type { EngineEvent } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { jobOf, partitionsOf } from '../contract/state.ts';
import { StatusTracker } from './status-tracker.ts';

function started() {
  let now = 0;
  const tracker = new StatusTracker({ now: () => now++, wallMs: () => 1000, sleep: async () => {} });
  const events: EngineEvent[] = [];
  tracker.subscribe((event) => events.push(event));
  const [synthesis = -1, device = -1, monolithic = -1] = tracker.registerWorkers([
    { kind: 'synthesis' },
    { kind: 'pipelined', device: 'cpu' },
    { kind: 'monolithic', device: 'cpu' },
  ]);
  tracker.registerJob({ job: 'A', kind: 'merkle', circuit: 'merkle', partitions: 3, priority: 'normal', mode: 'pipelined' });
  const ref = (partition: number) => ({ job: 'A', partition });
  for (const partition of [0, 1, 2]) {
    tracker.partitionSynthStart(synthesis, ref(partition));
    tracker.partitionSynthEnd(synthesis, ref(partition), true);
  }
  const worker = (id: number) => tracker.snapshot().workers[id];
  const phases = () => partitionsOf(jobOf(tracker.snapshot(), 'A')!).map(({ phase }) => phase);
  return { tracker, events, device, monolithic, ref, worker, phases };
}

it('worker ids are global and sequential over all kinds and registrations', () => {
  const { tracker } = started();
  expect(tracker.registerWorkers([{ kind: 'pipelined', device: 'cuda:0' }])).toEqual([3]);
  expect(tracker.snapshot().workers.map(({ worker }) => worker)).toEqual([0, 1, 2, 3]);
});

it('a late finalizer leaves the worker on its next partition', () => {
  const { tracker, device, ref, worker, phases } = started();
  const first = tracker.partitionGpuStart(device, ref(0));
  first.kernels();
  using finalizer = first.release();
  using second = tracker.partitionGpuStart(device, ref(1));
  finalizer.verifying();
  finalizer.done();
  expect(worker(device)).toMatchObject({ phase: 'proving', current: { partition: 1, assignment: second.take.assignment } });
  expect(phases()).toEqual(['done', 'gpu', 'synth_done']);
  second.done();
  expect(worker(device)?.phase).toBe('idle');
  expect(tracker.snapshot()).toMatchObject({ staleEnds: 0, ignored: 0 });
});

it('row 4: a loop that throws, or returns early, ends its assignment, and says so once', () => {
  const { tracker, events, monolithic, ref, worker, phases } = started();
  const loop = () => {
    using _lease = tracker.partitionGpuStart(monolithic, ref(0));
    throw new Error('out of memory');
  };
  expect(loop).toThrow('out of memory');
  expect(worker(monolithic)?.phase).toBe('idle');
  expect(phases()?.[0]).toBe('failed');
  expect(partitionsOf(jobOf(tracker.snapshot(), 'A')!)[0]?.error?.code).toBe('LeaseDropped');
  const handled = () => {
    using lease = tracker.partitionGpuStart(monolithic, ref(1));
    lease.failed({ code: 'ProofInvalid', message: 'the proof does not verify' });
  };
  handled();
  expect(partitionsOf(jobOf(tracker.snapshot(), 'A')!)[1]?.error?.code).toBe('ProofInvalid');
  expect(events.filter(({ type }) => type === 'partitionFailed')).toHaveLength(2);
});

it('a lease that was released ends nothing when the loop leaves it, and cannot be released twice', () => {
  const { tracker, device, ref, phases } = started();
  const loop = () => {
    using lease = tracker.partitionGpuStart(device, ref(0));
    return { lease, finalizer: lease.release() };
  };
  const { lease, finalizer } = loop();
  expect(phases()?.[0]).toBe('finalizing');
  expect(() => lease.release()).toThrow('has left the device already');
  finalizer.cancelled();
  finalizer.done();
  expect(phases()?.[0]).toBe('cancelled');
  expect(tracker.snapshot()).toMatchObject({ staleEnds: 0, ignored: 0 });
});

it('assignments are never used again, and events are numbered without a gap', () => {
  const { tracker, events, device, ref } = started();
  const taken = [0, 0, 1].map((partition) => {
    using lease = tracker.partitionGpuStart(device, ref(partition));
    lease.cancelled();
    return lease.take.assignment;
  });
  expect(taken).toEqual([1, 2, 3]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});

it('a snapshot does not change, and the events after it make the next one', () => {
  const { tracker, device, ref } = started();
  const snapshot = tracker.snapshot();
  const copy = structuredClone(snapshot);
  const later: EngineEvent[] = [];
  const stop = tracker.subscribe((event) => later.push(event));
  using lease = tracker.partitionGpuStart(device, ref(0));
  lease.done();
  stop();
  tracker.jobCompleted('A', 'cancelled');
  expect(snapshot).toEqual(copy);
  expect(partitionsOf(jobOf(later.reduce(reduce, snapshot), 'A')!)[0]?.phase).toBe('done');
  expect(later).toHaveLength(2);
});

it('row 3: whoever looks sees one state: listeners are handed what a snapshot answers, and the events make the same of it', () => {
  const { tracker, device, ref } = started();
  let told = tracker.snapshot();
  tracker.subscribe((event, state) => {
    expect(state).toBe(tracker.snapshot());
    expect(reduce(told, event)).toEqual(state);
    told = state;
  });
  const first = tracker.partitionGpuStart(device, ref(0)).release();
  using second = tracker.partitionGpuStart(device, ref(1));
  first.done();
  second.kernels();
  expect(told.seq).toBeGreaterThan(0);
  expect(told).toBe(tracker.snapshot());
});
