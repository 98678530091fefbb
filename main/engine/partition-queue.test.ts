import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priorities } from '../contract/events.ts';
import { compareQueued, PartitionQueue, type Queued } from './partition-queue.ts';

const entry = (about: Partial<Queued>): Queued => ({ priority: 'normal', jobOrder: 0, partition: 0, ...about });
const anyEntry = fc.record({
  priority: fc.constantFrom(...priorities),
  deadlineAt: fc.option(fc.nat(3), { nil: undefined }),
  jobOrder: fc.nat(3),
  partition: fc.nat(3),
});

it('row 12: an urgent partition goes before those of a long job that came earlier', async () => {
  const queue = new PartitionQueue<Queued>();
  for (const partition of [0, 1, 2]) queue.push(entry({ partition }));
  const urgent = entry({ priority: 'critical', jobOrder: 1 });
  queue.push(urgent);
  expect(await queue.take()).toBe(urgent);
  expect((await queue.take())?.partition).toBe(0);
});

it('within a priority the nearer deadline goes first, then the older job, then the lower partition', async () => {
  const queue = new PartitionQueue<Queued>();
  const entries = [
    entry({ jobOrder: 2, deadlineAt: 10 }),
    entry({ jobOrder: 3, deadlineAt: 20 }),
    entry({ jobOrder: 0, partition: 0 }),
    entry({ jobOrder: 0, partition: 1 }),
    entry({ jobOrder: 1, partition: 0 }),
  ];
  for (const one of entries.toReversed()) queue.push(one);
  for (const one of entries) expect(await queue.take()).toBe(one);
});

it('row 10: entries that are alike are two entries', async () => {
  const queue = new PartitionQueue<Queued>();
  const [one, two] = [entry({}), entry({})];
  queue.push(one);
  queue.push(two);
  expect(await queue.take()).toBe(one);
  expect(await queue.take()).toBe(two);
});

it('row 13: a waiting taker gets what is pushed, and is let go when the queue closes', async () => {
  const queue = new PartitionQueue<Queued>();
  const [first, second] = [queue.take(), queue.take()];
  const pushed = entry({});
  queue.push(pushed);
  expect(await first).toBe(pushed);
  queue.close();
  expect(await second).toBeUndefined();
  expect(await queue.take()).toBeUndefined();
});

it('leaves in order whatever the order of coming, and loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEntry), fc.nat(3), async (entries, doomed) => {
      const queue = new PartitionQueue<Queued>();
      for (const one of entries) queue.push(one);
      const removed = queue.remove(({ jobOrder }) => jobOrder === doomed);
      const left: Queued[] = [];
      while (queue.size > 0) left.push((await queue.take())!);
      expect(left).toEqual(left.toSorted(compareQueued));
      expect(new Set([...left, ...removed])).toEqual(new Set(entries));
      expect(removed.every(({ jobOrder }) => jobOrder === doomed)).toBe(true);
    }),
  );
});
