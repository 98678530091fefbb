import { expect, it } from 'vitest';
import { DeviceLock } from './device-lock.ts';

const entry = (partition: number, priority: 'normal' | 'critical' = 'normal') => ({ priority, jobOrder: 0, partition });
const never = new AbortController().signal;

it('one holds the lock at a time, and the most urgent waiting one is next', async () => {
  const lock = new DeviceLock();
  const order: number[] = [];
  let inside = 0;
  const work = async (partition: number, priority?: 'critical') => {
    using _held = await lock.acquire(entry(partition, priority), never);
    expect(++inside).toBe(1);
    order.push(partition);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([work(0), work(2), work(1), work(3, 'critical')]);
  expect(order).toEqual([0, 3, 1, 2]);
  expect(lock.waiters).toBe(0);
});

it('a wait that is given up holds up nobody', async () => {
  const lock = new DeviceLock();
  const stop = new AbortController();
  const first = await lock.acquire(entry(0), never);
  const given = lock.acquire(entry(1), stop.signal);
  const third = lock.acquire(entry(2), never);
  stop.abort();
  await expect(given).rejects.toMatchObject({ code: 'Aborted' });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  using _again = await lock.acquire(entry(3), never);
  await expect(lock.acquire(entry(4), stop.signal)).rejects.toMatchObject({ code: 'Aborted' });
});

it('who lets go has time to come back with something more urgent before the lock is handed over', async () => {
  const lock = new DeviceLock();
  const order: number[] = [];
  const first = await lock.acquire(entry(0), never);
  const waiting = lock.acquire(entry(1), never).then((held) => {
    order.push(1);
    held[Symbol.dispose]();
  });
  const worker = async () => {
    first[Symbol.dispose]();
    // As long as a worker's way from one partition to the next may be in microtasks.
    for (let turn = 0; turn < 50; turn++) await null;
    using _held = await lock.acquire(entry(2, 'critical'), never);
    order.push(2);
  };
  await Promise.all([worker(), waiting]);
  expect(order).toEqual([2, 1]);
  expect(lock.isTaken).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(lock.isTaken).toBe(false);
});

it('a waiting worker is as urgent as what waits for that worker', async () => {
  const lock = new DeviceLock();
  const order: number[] = [];
  const work = async (partition: number, behind?: ReturnType<typeof entry>) => {
    using _held = await lock.acquire(entry(partition), never, () => behind);
    order.push(partition);
  };
  await Promise.all([work(0), work(1, entry(8)), work(2, entry(9, 'critical')), work(3)]);
  expect(order).toEqual([0, 2, 1, 3]);
});
