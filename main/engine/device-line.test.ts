import { expect, it } from 'vitest';
import type { Priority } from '../contract/events.ts';
import { DeviceLine } from './device-line.ts';
import { DeviceLock } from './device-lock.ts';
import type { Entry } from './job.ts';

const entry = (partition: number, priority: Priority = 'normal') => ({ partition, priority, jobOrder: 1 }) as Entry;
const line = () => new DeviceLine({ device: 'x', lookahead: 2, lock: new DeviceLock() });

it('row 12: a full line has room for whoever is of a higher priority than all on it, and for nobody else', () => {
  const full = line();
  const leave = full.expect(entry(5));
  full.expect(entry(6, 'high'));
  expect(full.free).toBe(0);
  expect([entry(0), entry(0, 'high'), entry(0, 'critical')].map((one) => full.hasRoomFor(one))).toEqual([false, false, true]);
  full.expect(entry(0, 'critical'));
  expect([full.free, full.hasRoomFor(entry(1, 'critical'))]).toEqual([-1, false]);
  leave();
  leave();
  expect(full.free).toBe(0);
});

it('one key at a time is loaded, but for the more urgent; a load takes no place', () => {
  const loading = line();
  const end = loading.load(entry(0));
  expect([loading.free, loading.canLoadFor(entry(1)), loading.canLoadFor(entry(1, 'high'))]).toEqual([2, false, true]);
  end();
  expect(loading.canLoadFor(entry(1))).toBe(true);
});

it('a line that breaks down stops what is under way, hands back what was ready, and lets its workers go', async () => {
  const broken = line();
  const stop = new AbortController();
  broken.underWay.add(stop);
  const attempt = { priority: 'normal', jobOrder: 1, partition: 0 } as never;
  broken.whole.push(attempt);
  const waiting = broken.synthesized.take();
  expect(broken.breakDown(new Error('gone'))).toEqual([attempt]);
  expect([broken.isFaulted, broken.fault.reason.message, stop.signal.aborted]).toEqual([true, 'gone', true]);
  expect([await waiting, await broken.whole.take()]).toEqual([undefined, undefined]);
});
