// The benchmark's virtual part: exact on any machine, so its targets are asserted. Real time is not.
import { expect, it } from 'vitest';
import { reduceRate, snapshotCost } from './tracking.ts';
import { type Case, cases, play } from './virtual.ts';

const named = (part: RegExp): [string, Case][] => cases().flatMap((one) => (part.test(one.name) ? [[one.name, one]] : []));

it.each(named(/.*/))('%s: the busiest resource is hardly ever without work', async (_, one) => {
  const { steady, overLine } = await play(one);
  expect(steady).toBeGreaterThan(0.9999);
  // Where durations vary over a few partitions, the device waits however they are scheduled.
  if (overLine !== undefined && steady > 1.03) expect(overLine).toBeLessThan(1.001);
  else expect(steady).toBeLessThan(1.03);
});

it.each(named(/mix/))('row 12: %s: a critical job waits for no more than what runs when it comes', async (_, one) => {
  const { critical } = await play(one);
  expect(critical?.partitions).toBe(25);
  const { synthesisWaitMs, synthesisMs, deviceWaitMs, kernelsMs } = critical!;
  expect(deviceWaitMs).toBeLessThanOrEqual(kernelsMs);
  // The synthesis that its worker has in hand; where all share the threads, what runs on them before that one.
  const running = one.options.sharesThreads ? kernelsMs : 0;
  expect(synthesisWaitMs).toBeLessThanOrEqual(synthesisMs + running);
});

it('the events and the snapshot of the measurements make sense', () => {
  expect(reduceRate(3, 20).events).toBe(1 + 3 + 3 * 20 * 9 + 3);
  expect(snapshotCost(100)).toMatchObject({ workers: 64, partitions: 100 });
});
