import { describe, expect, it } from 'vitest';
import type { KeyFile } from '../prover/keys.ts';
import type { CallOptions } from '../prover/prover.ts';
import { SimulatedProver, simulatedSizes } from '../prover/simulated/simulated-prover.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Budget } from './budget.ts';
import { Residency } from './residency.ts';
import { StatusTracker } from './status-tracker.ts';

const never = new AbortController().signal;
const header = { curve: 'bn254' as const, nVars: 8, nPublic: 1, domainSize: 8, nCoefs: 8, distinctCoefficients: 2 };
const keyOf = (path: string, sizes: Partial<KeyFile['sizes']> = {}): KeyFile => ({
  path,
  identity: path,
  sizes: { ...header, ...simulatedSizes, ...sizes },
});
const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')];

function residency(memoryBytes: number, onLoad: () => Error | undefined = () => undefined) {
  const clock = new VirtualClock();
  const prover = new SimulatedProver({ clock, durations: { load: 10 }, onStage: onLoad });
  const tracker = new StatusTracker(clock);
  const budget: Budget = new Budget({ bytes: memoryBytes, reclaim: (bytes, keep) => residents.reclaim(bytes, keep) });
  const residents: Residency = new Residency(prover, budget, tracker);
  const use = (key: KeyFile, owner = 'work', device = 'cpu') => residents.use(key, device, owner, { signal: never });
  return { clock, residents, budget, tracker, prover, use };
}

it('row 14: a key in use is not evicted, by age or by name; an idle one is', async () => {
  const { clock, residents, budget, use } = residency(200);
  const used = await clock.run(use(a));
  residents.reclaim(100);
  expect(residents.evict('a', 'cpu')).toBe(false);
  expect(residents.residencyOf(a, 'cpu')).toBe('hot');
  used[Symbol.dispose]();
  used[Symbol.dispose]();
  expect(residents.evict('a', 'cpu')).toBe(true);
  expect([residents.residencyOf(a, 'cpu'), budget.freeBytes]).toEqual(['cold', 200]);
});

it('a key is loaded once for all who want it at once, once per device, and again after it was evicted', async () => {
  const { clock, residents, prover, tracker, use } = residency(400);
  const uses = await clock.run(Promise.all([use(a), use(a), use(a, 'work', 'cuda:0')]));
  expect(prover.loads).toBe(2);
  for (const one of uses) one[Symbol.dispose]();
  residents.evict('a', 'cpu');
  expect(Object.keys(tracker.snapshot().keys)).toEqual(['a@cuda:0']);
  using _again = await clock.run(use(a));
  expect(prover.loads).toBe(3);
  expect(tracker.snapshot().keys['a@cpu']).toMatchObject({ residency: 'hot', bytes: 100 });
});

it('the key that was used longest ago is evicted first, and no more of them than the bytes need', async () => {
  const { clock, residents, use } = residency(310);
  for (const key of [a, b, c, a]) (await clock.run(use(key)))[Symbol.dispose]();
  residents.reclaim(50);
  expect([a, b, c].map((key) => residents.residencyOf(key, 'cpu'))).toEqual(['hot', 'cold', 'hot']);
});

it('a file that was changed is another key, and the old content goes when its memory is wanted', async () => {
  const { clock, residents, prover, use } = residency(200);
  const changed = { ...a, identity: 'a, changed' };
  (await clock.run(use(a)))[Symbol.dispose]();
  using _new = await clock.run(use(changed));
  expect(prover.loads).toBe(2);
  expect([residents.residencyOf(a, 'cpu'), residents.residencyOf(changed, 'cpu')]).toEqual(['cold', 'hot']);
});

it('a load that fails fails for those who wait, gives its memory back, and is tried anew', async () => {
  let broken = true;
  const { clock, residents, budget, use } = residency(200, () => (broken ? new Error('unreadable') : undefined));
  await expect(clock.run(use(a))).rejects.toThrow('unreadable');
  expect(budget.freeBytes).toBe(200);
  broken = false;
  using _use = await clock.run(use(a));
  expect(residents.residencyOf(a, 'cpu')).toBe('hot');
});

describe('a load', () => {
  it('stops when nobody waits for it any more, and gives its memory back', async () => {
    const { clock, residents, budget, tracker } = residency(200);
    const stop = new AbortController();
    const given = residents.use(a, 'cpu', 'work', { signal: stop.signal });
    await clock.run(clock.sleep(1));
    stop.abort();
    await expect(clock.run(given)).rejects.toMatchObject({ code: 'Aborted' });
    expect([residents.residencyOf(a, 'cpu'), budget.freeBytes, clock.now()]).toEqual(['cold', 200, 1]);
    expect(tracker.snapshot().keys).toEqual({});
  });

  it('tells how far it is, but not any more once it was given up', async () => {
    const { clock, prover, tracker, budget } = residency(200);
    const told: string[] = [];
    tracker.subscribe((event, { ignored }) => told.push(`${event.type} ${ignored}`));
    const loader = {
      look: prover.look,
      load: async (key: KeyFile, device: string, options: CallOptions = {}) => {
        options.onProgress?.({ phase: 'load', done: 1, total: 2 });
        options.signal?.addEventListener('abort', () => options.onProgress?.({ phase: 'load', done: 2, total: 2 }));
        await Promise.resolve();
        options.onProgress?.({ phase: 'load', done: 1, total: 2 });
        return await prover.load(key, device, options);
      },
    };
    const residents = new Residency(loader, budget, tracker);
    const stop = new AbortController();
    const given = residents.use(a, 'cpu', 'work', { signal: stop.signal });
    await clock.run(clock.sleep(1));
    stop.abort();
    await expect(clock.run(given)).rejects.toMatchObject({ code: 'Aborted' });
    expect(told).toEqual(['residencyChanged 0', 'keyProgress 0', 'keyProgress 0', 'residencyChanged 0']);
  });

  it('goes on for the others when one gives up', async () => {
    const { clock, residents, prover, use } = residency(200);
    const stop = new AbortController();
    const given = residents.use(a, 'cpu', 'work', { signal: stop.signal });
    const other = use(a);
    await clock.run(clock.sleep(1));
    stop.abort();
    await expect(clock.run(given)).rejects.toMatchObject({ code: 'Aborted' });
    using _use = await clock.run(other);
    expect(prover.loads).toBe(1);
  });

  it('that was just given up is begun again by whoever comes next', async () => {
    const { clock, residents, budget, use } = residency(400);
    const stop = new AbortController();
    const given = residents.use(a, 'cpu', 'work', { signal: stop.signal });
    await clock.run(clock.sleep(1));
    stop.abort();
    const next = use(a);
    await expect(clock.run(given)).rejects.toMatchObject({ code: 'Aborted' });
    using _use = await clock.run(next);
    expect([residents.residencyOf(a, 'cpu'), budget.freeBytes]).toEqual(['hot', 400 - 110]);
  });
});

it('who holds a key never waits for who waits for it: two keys that do not fit together take turns', async () => {
  const { clock, budget, use } = residency(115);
  const order: string[] = [];
  const work = async (key: KeyFile) => {
    using _use = await use(key, key.path);
    order.push(key.path);
    await clock.sleep(5);
  };
  await clock.run(Promise.all([a, b, a, b].map(work)));
  expect(order).toEqual(['a', 'b', 'a', 'b']);
  expect(budget.freeBytes).toBe(15);
});

it('a device’s working memory is held once, for the largest proof under way, and given back after the last', async () => {
  const { clock, budget, use } = residency(1000);
  const small = keyOf('small', { deviceBytes: 20 });
  const large = keyOf('large', { deviceBytes: 50 });
  const first = await clock.run(use(small, 'first'));
  const second = await clock.run(use(small, 'second'));
  const third = await clock.run(use(large, 'third'));
  expect(Object.fromEntries(budget.ledger)).toEqual({
    'key small on cpu': 100,
    'key large on cpu': 100,
    'work on cpu': 50,
    first: 10,
    second: 10,
    third: 10,
  });
  third.deviceDone();
  expect(budget.ledger.get('third')).toBe(1);
  for (const one of [first, second]) one[Symbol.dispose]();
  expect([budget.ledger.get('work on cpu'), budget.ledger.get('third')]).toEqual([undefined, 1]);
  third[Symbol.dispose]();
  expect(budget.freeBytes).toBe(800);
});

it('what loading takes besides the key is given back when it is loaded', async () => {
  const { clock, budget, use } = residency(1000);
  const key = keyOf('k', { loadBytes: 300 });
  const loading = use(key);
  await clock.run(clock.sleep(1));
  expect(budget.ledger.get('key k on cpu')).toBe(400);
  using _use = await clock.run(loading);
  expect(budget.ledger.get('key k on cpu')).toBe(100);
});

it('what can never fit is refused with the numbers of the whole proof', () => {
  const { residents } = residency(159);
  const key = keyOf('k', { loadBytes: 20, deviceBytes: 30 });
  expect(() => residents.requireFits(key)).toThrow('a proof with k needs 160 bytes, and the whole budget is 159');
});
