import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareNames } from './order.ts';
import { memoryDatabase } from './own-history.ts';

it('names are in the order in which SQLite has them', () => {
  const compare = memoryDatabase().prepare('SELECT (@a > @b) - (@a < @b)').pluck();
  const name = fc.string({ unit: fc.constantFrom('a', 'é', '\uffee', '\u{1f600}', '\ue000'), maxLength: 4 });
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(compareNames(a, b)).toBe(compare.get({ a, b }));
    }),
    {
      numRuns: 1000,
      examples: [['\uffee', '\u{1f600}']],
    },
  );
});
