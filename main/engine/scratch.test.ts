import { expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { Scratch } from './scratch.ts';

it('holds what the largest proof under way needs, and gives all back when the last one leaves', async () => {
  const budget = new Budget({ bytes: 100 });
  const scratch = new Scratch();
  const enter = async (bytes: number) => {
    scratch.grow(await budget.reserve('work', scratch.short(bytes)));
    return scratch.enter();
  };
  const leaves = [await enter(20), await enter(50), await enter(30)];
  expect([budget.freeBytes, scratch.short(60)]).toEqual([50, 10]);
  leaves[1]!();
  // Leaving twice is leaving once.
  leaves[1]!();
  leaves[0]!();
  expect(budget.freeBytes).toBe(50);
  leaves[2]!();
  expect([budget.freeBytes, scratch.short(60)]).toEqual([100, 60]);
});
