import { expect, it } from 'vitest';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Retention } from './retention.ts';

function retention(mostJobs: number, mostMs: number) {
  const clock = new VirtualClock();
  // As a real timer does, which takes a longer one for none at all.
  let waits = 0;
  const sleep = (ms: number, signal?: AbortSignal) => {
    waits++;
    return clock.sleep(ms < 2 ** 31 ? ms : 1, signal);
  };
  const timers = { now: () => clock.now(), wallMs: () => clock.wallMs(), sleep };
  const forgotten: string[] = [];
  const kept = new Retention({ clock: timers, mostJobs, mostMs, forget: (job) => forgotten.push(`${job} at ${clock.now()}`) });
  const pass = (ms: number) => clock.run(clock.sleep(ms));
  return { kept, forgotten, pass, waits: () => waits };
}

it('row 18: the oldest goes when there are too many, at once', () => {
  const { kept, forgotten } = retention(2, 1000);
  for (const job of ['a', 'b', 'c', 'd']) kept.ended(job);
  expect(forgotten).toEqual(['a at 0', 'b at 0']);
});

it('row 18: each goes at its age, whoever looks', async () => {
  const { kept, forgotten, pass } = retention(10, 1000);
  kept.ended('a');
  await pass(300);
  kept.ended('b');
  await pass(5000);
  kept.ended('c');
  await pass(1000);
  expect(forgotten).toEqual(['a at 1000', 'b at 1300', 'c at 6300']);
});

it('an age beyond what a timer can wait is waited for in parts; none at all is for ever', async () => {
  const { kept, forgotten, pass, waits } = retention(10, 3 * 2 ** 30);
  kept.ended('a');
  await pass(3 * 2 ** 30 - 1);
  expect(forgotten).toEqual([]);
  await pass(1);
  expect([forgotten.length, waits()]).toEqual([1, 3]);
  const endless = retention(10, Number.POSITIVE_INFINITY);
  endless.kept.ended('a');
  await endless.pass(1e12);
  expect(endless.forgotten).toEqual([]);
});

it('forgets nothing after it was stopped', async () => {
  const { kept, forgotten, pass } = retention(10, 1000);
  kept.ended('a');
  kept.stop();
  kept.ended('b');
  await pass(5000);
  expect(forgotten).toEqual([]);
});
