// Field arithmetic on every instruction set against plain big integers and @noble/curves' Fp2.
import { describe, expect, it } from 'vitest';
import { type Curve, curves, type FieldName, type FieldOperation, native, variants } from './native.ts';
import { bytesOfFp, fromFile, modulus, nobleFp2, order, pseudoRandom, toBytes, toFile } from './values.ts';

/** 0, 1, p - 1, the Montgomery constants, words full of ones, and random ones. */
function edges(p: bigint, size: number): bigint[] {
  const r = 1n << BigInt(8 * size);
  const random = pseudoRandom(size);
  const low = [0n, 1n, 2n, 3n, 0xffff_ffff_ffff_ffffn, 1n << 64n, (1n << 52n) - 1n, 1n << 52n, (1n << 128n) - 1n];
  const high = [p - 1n, p - 2n, (p - 1n) / 2n, (p + 1n) / 2n, r % p, p - (r % p), (r * r) % p];
  return [...low, ...high, ...Array.from({ length: 8 }, () => random(p))].map((value) => value % p);
}

const pairs = <T>(values: T[]): [T[], T[]] => [values.flatMap((a) => values.map(() => a)), values.flatMap(() => values)];
const mod = (value: bigint, p: bigint) => ((value % p) + p) % p;
function power(base: bigint, exponent: bigint, p: bigint): bigint {
  let [result, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}

const expected: Partial<Record<FieldOperation, (a: bigint, b: bigint, p: bigint) => bigint>> = {
  add: (a, b, p) => mod(a + b, p),
  sub: (a, b, p) => mod(a - b, p),
  mul: (a, b, p) => mod(a * b, p),
  sqr: (a, _b, p) => mod(a * a, p),
  neg: (a, _b, p) => mod(-a, p),
  dbl: (a, _b, p) => mod(a + a, p),
};

const primes: [FieldName, (curve: Curve) => bigint, (curve: Curve) => number][] = [
  ['fr', order, () => 32],
  ['fp', modulus, bytesOfFp],
];

describe.each(curves)('%s', (curve) => {
  describe.each(variants)('on %s', (isa) => {
    for (const [name, primeOf, sizeOf] of primes) {
      const p = primeOf(curve);
      const size = sizeOf(curve);

      it(`${name}: sums, differences, products, squares and negatives of edge values equal big integers'`, () => {
        const [a, b] = pairs(edges(p, size));
        for (const [operation, compute] of Object.entries(expected)) {
          const out = native.field(curve, name, isa, operation as FieldOperation, toFile(a, p, size), toFile(b, p, size));
          expect(out, operation).not.toBeNull();
          const wanted = a.map((x, i) => compute(x, b[i]!, p));
          expect(fromFile(out!, p, size), operation).toEqual(wanted);
          // Not only the same class: the bytes themselves are fully reduced.
          expect(Buffer.from(out!).equals(toFile(wanted, p, size)), operation).toBe(true);
        }
      });

      // Lanes need neither: their callers convert and invert elements one at a time.
      if (isa === 'ifma') continue;
      it(`${name}: inverses and conversions of edge values equal big integers'`, () => {
        const a = edges(p, size);
        const inverses = native.field(curve, name, isa, 'inverse', toFile(a, p, size))!;
        expect(fromFile(inverses, p, size)).toEqual(a.map((x) => power(x, p - 2n, p)));
        expect(Buffer.from(native.field(curve, name, isa, 'fromCanonical', toBytes(a, size))!).equals(toFile(a, p, size))).toBe(
          true,
        );
        expect(Buffer.from(native.field(curve, name, isa, 'toCanonical', toFile(a, p, size))!).equals(toBytes(a, size))).toBe(true);
      });
    }

    it("fp2: sums, differences, products, squares and inverses of edge values equal @noble/curves'", () => {
      const [p, size, field] = [modulus(curve), bytesOfFp(curve), nobleFp2(curve)];
      const parts = edges(p, size).filter((_, i) => i % 3 === 0);
      const [c0, c1] = pairs(parts);
      const values = c0.map((x, i) => field.create({ c0: x, c1: c1[i]! }));
      const [a, b] = [values, values.toReversed()];
      const bytes = (list: { c0: bigint; c1: bigint }[]) =>
        toFile(
          list.flatMap((x) => [x.c0, x.c1]),
          p,
          size,
        );
      const operations: [FieldOperation, (x: (typeof a)[0], y: (typeof a)[0]) => { c0: bigint; c1: bigint }][] = [
        ['add', (x, y) => field.add(x, y)],
        ['sub', (x, y) => field.sub(x, y)],
        ['mul', (x, y) => field.mul(x, y)],
        ['sqr', (x) => field.sqr(x)],
        ['neg', (x) => field.neg(x)],
        ['dbl', (x) => field.add(x, x)],
        ['inverse', (x) => (field.is0(x) ? field.ZERO : field.inv(x))],
      ];
      for (const [operation, compute] of operations) {
        const out = native.field(curve, 'fp2', isa, operation, bytes(a), bytes(b));
        if (isa === 'ifma' && operation === 'inverse') expect(out).toBeNull();
        else expect(Buffer.from(out!).equals(bytes(a.map((x, i) => compute(x, b[i]!)))), operation).toBe(true);
      }
    });
  });
});
