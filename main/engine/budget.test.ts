import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priorities } from '../contract/events.ts';
import { Budget, type Reservation } from './budget.ts';

/** Lets what is ready happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Reserves and notes in `served` when it was. */
function asking(budget: Budget, served: string[]) {
  const all = new Map<string, Reservation>();
  return {
    all,
    ask: (owner: string, bytes: number, options = {}) =>
      budget.reserve(owner, bytes, options).then(
        (reservation) => {
          served.push(owner);
          all.set(owner, reservation);
        },
        ({ code }) => served.push(`${owner} ${code}`),
      ),
  };
}

it('row 13: what can never fit is refused at once, with the numbers', async () => {
  const budget = new Budget({ bytes: 100 });
  await expect(budget.reserve('a key', 101)).rejects.toMatchObject({
    code: 'MemoryNeverFits',
    message: 'a key needs 101 bytes, and the whole budget is 100',
  });
  expect(() => budget.requireFits(100, 'all')).not.toThrow();
  expect(budget.freeBytes).toBe(100);
});

it('row 13: a large request is not passed by small ones that came later', async () => {
  const budget = new Budget({ bytes: 100 });
  const served: string[] = [];
  const { ask, all } = asking(budget, served);
  for (const [owner, bytes] of [
    ['first', 60],
    ['large', 80],
    ['small', 10],
  ] as const)
    ask(owner, bytes);
  await settle();
  expect(served).toEqual(['first']);
  expect(budget.waiters).toBe(2);
  all.get('first')?.release();
  await settle();
  expect(served).toEqual(['first', 'large', 'small']);
});

it('row 12: a request of higher priority goes before waiting ones of lower priority', async () => {
  const budget = new Budget({ bytes: 10 });
  const served: string[] = [];
  const { ask, all } = asking(budget, served);
  ask('holder', 10);
  for (const priority of ['low', 'normal', 'critical', 'high', 'critical'] as const) ask(`${priority}`, 10, { priority });
  for (const owner of ['holder', 'critical', 'critical', 'high', 'normal', 'low']) {
    await settle();
    all.get(owner)?.release();
  }
  expect(served).toEqual(['holder', 'critical', 'critical', 'high', 'normal', 'low']);
});

it('a wait that is given up lets those behind it through, and takes nothing', async () => {
  const budget = new Budget({ bytes: 100 });
  const served: string[] = [];
  const { ask } = asking(budget, served);
  const stop = new AbortController();
  ask('first', 60);
  ask('large', 80, { signal: stop.signal });
  ask('small', 10);
  await settle();
  stop.abort();
  await settle();
  expect(served.toSorted()).toEqual(['first', 'large Aborted', 'small']);
  expect(budget.freeBytes).toBe(30);
  await expect(budget.reserve('late', 1, { signal: stop.signal })).rejects.toMatchObject({ code: 'Aborted' });
});

it('idle memory is asked back before anybody waits for it', async () => {
  const asked: number[] = [];
  let idle: Reservation | undefined;
  const budget = new Budget({
    bytes: 100,
    reclaim: (bytes) => {
      asked.push(bytes);
      idle?.release();
    },
  });
  idle = await budget.reserve('idle key', 70);
  using work = await budget.reserve('work', 50);
  expect(asked).toEqual([20]);
  expect([...budget.ledger]).toEqual([['work', 50]]);
  expect(work.bytes).toBe(50);
});

it('the ledger names the owners, and releasing twice gives back once', async () => {
  const told: [string, number][] = [];
  const budget = new Budget({ bytes: 100, onHeld: (owner, bytes) => told.push([owner, bytes]) });
  const one = await budget.reserve('A/0', 10);
  const two = await budget.reserve('A/0', 20);
  one.release();
  one.release();
  two.release();
  expect(told).toEqual([
    ['A/0', 10],
    ['A/0', 30],
    ['A/0', 20],
    ['A/0', 0],
  ]);
  expect([budget.freeBytes, budget.ledger.size]).toEqual([100, 0]);
});

it('under any order of requests, releases and aborts, held bytes never exceed the budget, nobody is forgotten, and all comes back', async () => {
  const request = fc.record({
    bytes: fc.integer({ min: 0, max: 100 }),
    priority: fc.constantFrom(...priorities),
    giveUp: fc.boolean(),
    releaseAfter: fc.nat(8),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 20 }), async (requests) => {
      let most = 0;
      const onHeld = () => {
        most = Math.max(most, 100 - budget.freeBytes);
      };
      const budget = new Budget({ bytes: 100, onHeld });
      const ends = requests.map(async ({ bytes, priority, giveUp, releaseAfter }, i) => {
        const stop = new AbortController();
        if (giveUp) setImmediate(() => stop.abort());
        const reservation = await budget.reserve(`${i}`, bytes, { priority, signal: stop.signal }).catch(() => undefined);
        for (let turn = 0; turn < releaseAfter; turn++) await null;
        reservation?.release();
      });
      await Promise.all(ends);
      expect(most).toBeLessThanOrEqual(100);
      expect([budget.freeBytes, budget.waiters, budget.ledger.size]).toEqual([100, 0, 0]);
    }),
    { numRuns: 500 },
  );
});
