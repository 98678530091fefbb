import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Intervals, intersect, lengthOf, subtract, union, unionOfSorted } from './intervals.ts';

const set = fc.array(fc.tuple(fc.nat(50), fc.nat(8)), { maxLength: 12 }).map((parts) =>
  unionOfSorted((add) => {
    for (const [from, ms] of parts.sort((a, b) => a[0] - b[0])) add(from, from + ms);
  }),
);
const has = (one: Intervals, at: number) => one.some((from, i) => i % 2 === 0 && from <= at && at < one[i + 1]!);

it('union, intersection and difference are those of sets, sorted and apart', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      for (let at = 0.5; at < 60; at++) {
        expect(has(union(a, b), at)).toBe(has(a, at) || has(b, at));
        expect(has(intersect(a, b), at)).toBe(has(a, at) && has(b, at));
        expect(has(subtract(a, b), at)).toBe(has(a, at) && !has(b, at));
      }
      for (const one of [union(a, b), intersect(a, b), subtract(a, b)]) expect(one).toEqual(one.toSorted((x, y) => x - y));
      expect(lengthOf(subtract(a, b)) + lengthOf(intersect(a, b))).toBe(lengthOf(a));
    }),
  );
});
