import { expect, it } from 'vitest';
import { SimulatedProver } from '../prover/simulated/simulated-prover.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Budget } from './budget.ts';
import { Residency } from './residency.ts';
import { StatusTracker } from './status-tracker.ts';

const never = new AbortController().signal;

function residency(memoryBytes: number, onLoad: () => void = () => {}) {
  const clock = new VirtualClock();
  let loads = 0;
  const durations = { load: 10, synthesize: 0, kernels: 0, finish: 0 };
  const onStage = () => {
    loads++;
    onLoad();
  };
  const keys = new SimulatedProver({ clock, durations, keyBytes: 100, proofBytes: 10, onStage });
  const tracker = new StatusTracker(clock);
  const budget: Budget = new Budget({ bytes: memoryBytes, reclaim: (bytes, keep) => residents.reclaim(bytes, keep) });
  const residents: Residency = new Residency(keys, budget, tracker, 'cpu');
  return { clock, residents, budget, tracker, loads: () => loads };
}

it('row 14: a key in use is not evicted, by age or by name; an idle one is', async () => {
  const { clock, residents, budget } = residency(200);
  const use = await clock.run(residents.use('a', 'work', { signal: never }));
  residents.reclaim(100);
  expect(residents.evict('a')).toBe(false);
  expect(residents.isHot('a')).toBe(true);
  use[Symbol.dispose]();
  use[Symbol.dispose]();
  expect(residents.evict('a')).toBe(true);
  expect([residents.isHot('a'), budget.freeBytes]).toEqual([false, 200]);
});

it('a key is loaded once for all who want it at once, and again after it was evicted', async () => {
  const { clock, residents, loads, tracker } = residency(200);
  const uses = await clock.run(
    Promise.all([residents.use('a', 'work', { signal: never }), residents.use('a', 'work', { signal: never })]),
  );
  expect(loads()).toBe(1);
  for (const use of uses) use[Symbol.dispose]();
  residents.evict('a');
  expect(tracker.snapshot().keys).toEqual({});
  using _again = await clock.run(residents.use('a', 'work', { signal: never }));
  expect(loads()).toBe(2);
  expect(tracker.snapshot().keys['a@cpu']).toMatchObject({ residency: 'hot', bytes: 100 });
});

it('the key that was used longest ago is evicted first, and no more of them than the bytes need', async () => {
  const { clock, residents } = residency(310);
  for (const name of ['a', 'b', 'c', 'a']) (await clock.run(residents.use(name, 'work', { signal: never })))[Symbol.dispose]();
  residents.reclaim(50);
  expect(['a', 'b', 'c'].filter((name) => residents.isHot(name))).toEqual(['a', 'c']);
});

it('a load that fails fails for those who wait, gives its memory back, and is tried anew', async () => {
  let broken = true;
  const { clock, residents, budget } = residency(200, () => {
    if (broken) throw new Error('unreadable');
  });
  await expect(clock.run(residents.use('a', 'work', { signal: never }))).rejects.toThrow('unreadable');
  expect(budget.freeBytes).toBe(200);
  broken = false;
  using _use = await clock.run(residents.use('a', 'work', { signal: never }));
  expect(residents.isHot('a')).toBe(true);
});

it('who gives up waiting does not hold the key', async () => {
  const { clock, residents } = residency(200);
  const stop = new AbortController();
  const given = residents.use('a', 'work', { signal: stop.signal });
  stop.abort();
  await expect(clock.run(given)).rejects.toMatchObject({ code: 'Aborted' });
  expect(residents.isHot('a')).toBe(false);
});

it('who holds a key never waits for who waits for it: two keys that do not fit together take turns', async () => {
  const { clock, residents, budget } = residency(115);
  const order: string[] = [];
  const work = async (name: string) => {
    using _use = await residents.use(name, name, { signal: never });
    order.push(name);
    await clock.sleep(5);
  };
  await clock.run(Promise.all(['a', 'b', 'a', 'b'].map(work)));
  expect(order).toEqual(['a', 'b', 'a', 'b']);
  expect(budget.freeBytes).toBe(15);
});
