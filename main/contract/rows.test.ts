// Rows behave as the array that they stand for.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allRows, mapRows, rowAt, rowCount, rowsOf, withNewRow, withRow } from './rows.ts';

it('holds what an array would hold, after any changes', () => {
  const lengths = fc.integer({ min: 1, max: 300 });
  fc.assert(
    fc.property(lengths, fc.array(fc.tuple(fc.nat(), fc.nat())), fc.nat(200), (length, changes, more) => {
      const plain = Array.from({ length }, (_, i) => i);
      let rows = rowsOf(plain);
      for (const [where, what] of changes) {
        plain[where % length] = what;
        rows = withRow(rows, where % length, what);
      }
      for (let i = 0; i < more; i++) {
        plain.push(-i);
        rows = withNewRow(rows, -i);
      }
      expect(allRows(rows)).toEqual(plain);
      expect(rowCount(rows)).toBe(plain.length);
      expect(plain.map((_, i) => rowAt(rows, i))).toEqual(plain);
      expect(rowAt(rows, plain.length)).toBeUndefined();
      expect(rowAt(rows, -1)).toBeUndefined();
      expect(allRows(mapRows(rows, (x, i) => x + i))).toEqual(plain.map((x, i) => x + i));
    }),
  );
});

it('changes copy the chunk they are in, and leave the others as they are', () => {
  const rows = rowsOf(Array.from({ length: 200 }, (_, i) => i));
  const changed = withRow(rows, 70, -1);
  expect([rowAt(rows, 70), rowAt(changed, 70)]).toEqual([70, -1]);
  expect(changed[0]).toBe(rows[0]);
  expect(mapRows(rows, (x) => (x === 70 ? 0 : x))[2]).toBe(rows[2]);
});
