import { describe, expect, it } from 'vitest';
import type { EngineEventBody } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import { emptyState } from '../../main/contract/state.ts';
import { WorkerActivity } from './worker-activity.ts';

function setUp() {
  let state = emptyState;
  const activity = new WorkerActivity();
  activity.reset(state);
  const tell = (at: number, body: EngineEventBody) => {
    const event = { ...body, seq: state.seq + 1, at };
    state = reduce(state, event);
    activity.apply(event, state);
  };
  tell(0, {
    type: 'workersRegistered',
    wallMs: 0,
    workers: [
      { worker: 0, kind: 'pipelined', device: 'cpu' },
      { worker: 1, kind: 'monolithic', device: 'cpu' },
    ],
  });
  tell(0, {
    type: 'jobSubmitted',
    job: 'A',
    kind: 'k',
    circuit: 'c',
    partitions: 9,
    priority: 'normal',
    mode: 'pipelined',
    wallMs: 0,
  });
  return { activity, tell, state: () => state };
}
const take = (partition: number, worker = 0) => ({ job: 'A', partition, worker, assignment: partition + 1 });

describe('a worker of a device', () => {
  it('shares its time between idle, waiting for the lock, and kernels', () => {
    const { activity, tell } = setUp();
    tell(10_000, { type: 'deviceStarted', ...take(0) });
    tell(14_000, { type: 'kernelsStarted', ...take(0) });
    tell(20_000, { type: 'deviceReleased', ...take(0) });
    expect(activity.shares(0, 40_000)).toMatchObject({ coveredMs: 40_000, idle: 0.75, lockWait: 0.1, kernels: 0.15 });
  });

  it('goes on with what it is on when the proof before it ends', () => {
    const { activity, tell } = setUp();
    tell(0, { type: 'deviceStarted', ...take(0) });
    tell(0, { type: 'kernelsStarted', ...take(0) });
    tell(10_000, { type: 'deviceReleased', ...take(0) });
    tell(10_000, { type: 'deviceStarted', ...take(1) });
    tell(10_000, { type: 'kernelsStarted', ...take(1) });
    tell(15_000, { type: 'partitionDone', ...take(0) });
    expect(activity.shares(0, 20_000)).toMatchObject({ kernels: 1, idle: 0 });
  });

  it('looks back a minute, and no further', () => {
    const { activity, tell } = setUp();
    tell(30_000, { type: 'deviceStarted', ...take(0) });
    tell(30_000, { type: 'kernelsStarted', ...take(0) });
    expect(activity.shares(0, 60_000)).toMatchObject({ coveredMs: 60_000, idle: 0.5, kernels: 0.5 });
    expect(activity.shares(0, 200_000)).toMatchObject({ coveredMs: 60_000, kernels: 1 });
  });

  it('keeps telling the truth after thousands of turns', () => {
    const { activity, tell } = setUp();
    for (let i = 0, at = 0; i < 5000; i++, at += 100) {
      tell(at, { type: 'deviceStarted', ...take(i) });
      tell(at + 25, { type: 'kernelsStarted', ...take(i) });
      tell(at + 75, { type: 'deviceReleased', ...take(i) });
    }
    const { lockWait, kernels, idle } = activity.shares(0, 500_000);
    expect([lockWait, kernels, idle]).toEqual([expect.closeTo(0.25, 2), expect.closeTo(0.5, 2), expect.closeTo(0.25, 2)]);
  });

  it('that finishes its own proof is not in kernels while it does', () => {
    const { activity, tell } = setUp();
    tell(0, { type: 'synthesisStarted', job: 'A', partition: 3, worker: 1 });
    tell(1000, { type: 'synthesisEnded', job: 'A', partition: 3, worker: 1, done: true });
    tell(1000, { type: 'deviceStarted', ...take(3, 1) });
    tell(1000, { type: 'kernelsStarted', ...take(3, 1) });
    tell(3000, { type: 'finalizingStarted', ...take(3, 1) });
    tell(3500, { type: 'verifyStarted', ...take(3, 1) });
    tell(4000, { type: 'partitionDone', ...take(3, 1) });
    expect(activity.shares(1, 4000)).toMatchObject({ synthesis: 0.25, kernels: 0.5, finalizing: 0.25 });
  });
});

it('knows from a snapshot what the state tells, and no more', () => {
  const { tell, state } = setUp();
  tell(90_000, { type: 'deviceStarted', ...take(0) });
  tell(92_000, { type: 'kernelsStarted', ...take(0) });
  const later = new WorkerActivity();
  later.reset(state());
  expect(later.shares(0, 100_000)).toMatchObject({ coveredMs: 10_000, lockWait: 0.2, kernels: 0.8 });
  expect(later.shares(1, 100_000)).toMatchObject({ coveredMs: 60_000, idle: 1 });
  expect(later.shares(7, 100_000)).toMatchObject({ coveredMs: 0, idle: 0 });
});
