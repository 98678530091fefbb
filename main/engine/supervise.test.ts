import { expect, it } from 'vitest';
import type { EngineEvent } from '../contract/events.ts';
import { jobOf, partitionsOf } from '../contract/state.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { DeviceLine } from './device-line.ts';
import { DeviceLock } from './device-lock.ts';
import type { Floor } from './floor.ts';
import type { Entry } from './job.ts';
import type { Hand } from './loops.ts';
import { StatusTracker } from './status-tracker.ts';
import { supervise } from './supervise.ts';

/** Two synthesis workers (0, 1), two pipelined (2, 3) and a monolithic one (4) on the only device, and a job of two partitions. */
function floorOf() {
  const clock = new VirtualClock();
  const tracker = new StatusTracker(clock);
  const events: EngineEvent[] = [];
  tracker.subscribe((event) => events.push(event));
  const on = (kind: 'pipelined' | 'monolithic') => ({ kind, device: 'sim:0' });
  const synthesis = { kind: 'synthesis' as const };
  tracker.registerWorkers([synthesis, synthesis, on('pipelined'), on('pipelined'), on('monolithic')]);
  tracker.registerJob({ job: 'A', kind: 'k', circuit: 'c', partitions: 2, priority: 'normal', mode: 'pipelined' });
  const line = new DeviceLine({ device: 'sim:0', lookahead: 2, lock: new DeviceLock() });
  const failed: number[] = [];
  const gone: unknown[] = [];
  const floor = {
    ...{ clock, tracker, lines: [line] },
    failed: ({ partition }: Entry) => failed.push(partition),
    deviceFailed: (_: DeviceLine, problem: unknown) => gone.push(problem),
  } as unknown as Floor;
  const entry = (partition: number, isTerminal = false) => ({ partition, job: { id: 'A', isTerminal } }) as unknown as Entry;
  const always = (worker: number) =>
    supervise(floor, worker, worker < 2 ? undefined : line, async () => {
      throw new Error('broken');
    });
  const of = (type: EngineEvent['type']) => events.filter((event) => event.type === type);
  return { clock, tracker, floor, line, failed, gone, entry, always, of };
}

it('a loop that breaks is begun again, its partition fails once, and the restart is told', async () => {
  const { clock, tracker, floor, line, failed, entry, of } = floorOf();
  let begun = 0;
  const loop = async (hand: Hand) => {
    if (++begun > 1) return;
    hand.entry = entry(0);
    using _lease = tracker.partitionGpuStart(2, { job: 'A', partition: 0 });
    throw new Error('broken');
  };
  await clock.run(supervise(floor, 2, line, loop));
  expect([begun, failed]).toEqual([2, [0]]);
  expect(of('partitionFailed')).toHaveLength(1);
  expect(of('workerRestarted')).toMatchObject([{ worker: 2, error: { message: 'broken' } }]);
  expect(tracker.snapshot().workers[2]).toMatchObject({ phase: 'idle', restarts: 1 });
});

it('a partition without a lease is told to have failed, unless its job has ended', async () => {
  const { clock, tracker, floor, failed, entry, of } = floorOf();
  const held = [entry(0), entry(1, true)];
  const loop = async (hand: Hand) => {
    hand.entry = held.shift();
    if (hand.entry) throw new Error('broken');
  };
  await clock.run(supervise(floor, 0, undefined, loop));
  expect([failed, of('partitionFailed')]).toMatchObject([[0], [{ partition: 0, error: { message: 'broken' } }]]);
  expect(partitionsOf(jobOf(tracker.snapshot(), 'A')!).map(({ phase }) => phase)).toEqual(['failed', 'pending']);
});

it('the waits between restarts grow, and begin anew once the loop has finished something', async () => {
  const { clock, floor } = floorOf();
  const begunAt: number[] = [];
  const loop = async (hand: Hand) => {
    begunAt.push(clock.now());
    if (begunAt.length === 6) return;
    hand.finished = begunAt.length === 3;
    throw new Error('broken');
  };
  await clock.run(supervise(floor, 0, undefined, loop));
  expect(begunAt.slice(1).map((at, i) => at - begunAt[i]!)).toEqual([20, 40, 20, 40, 80]);
});

it('a loop that breaks again and again is given up; its device only with the last worker of its kind', async () => {
  const { clock, tracker, gone, always, of } = floorOf();
  await clock.run(always(2));
  expect([of('workerRestarted').length, of('workerFaulted').length, gone]).toEqual([4, 1, []]);
  expect(tracker.snapshot().workers[2]).toMatchObject({ phase: 'faulted', restarts: 4, error: { message: 'broken' } });
  await clock.run(always(3));
  // The monolithic worker takes nothing from the queue that they served.
  expect(gone).toMatchObject([{ code: 'DeviceFault', message: 'no worker runs any more that is needed to prove: broken' }]);
});

it('without a synthesis worker every device is out of order', async () => {
  const { clock, gone, always } = floorOf();
  await clock.run(always(1));
  expect(gone).toEqual([]);
  await clock.run(always(0));
  expect(gone).toMatchObject([{ code: 'DeviceFault' }]);
});

it('a loop that ends because its device is lost shows its worker faulted; one that ends in order does not', async () => {
  const { clock, tracker, floor, line } = floorOf();
  await clock.run(supervise(floor, 2, line, async () => {}));
  expect(tracker.snapshot().workers[2]?.phase).toBe('idle');
  line.breakDown(new Error('gone'));
  await clock.run(supervise(floor, 2, line, async () => {}));
  expect(tracker.snapshot().workers[2]).toMatchObject({ phase: 'faulted', error: { message: 'gone' } });
});
