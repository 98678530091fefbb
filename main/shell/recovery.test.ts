// How often a page that ends is loaded again.
import { expect, test } from 'vitest';
import { Reloads } from './recovery.ts';

test('three times within a minute, and again when that is over', () => {
  const reloads = new Reloads();
  expect([0, 1000, 59_000, 60_000].map((at) => reloads.again(at))).toEqual([true, true, true, false]);
  expect(reloads.again(125_000)).toBe(true);
});
