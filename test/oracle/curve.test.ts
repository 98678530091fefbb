// Points: multiples, sums, buckets and checks on every instruction set against @noble/curves and ffjavascript.
import { describe, expect, it } from 'vitest';
import { ffCurve } from './ffjavascript.ts';
import { curves, type Group, native, variants } from './native.ts';
import {
  bytesOfFp,
  jacobianFromFile,
  type NoblePoint,
  nobleGroup,
  order,
  pointsFromFile,
  pointsToFile,
  pseudoRandom,
  toBytes,
} from './values.ts';

const groups: Group[] = ['g1', 'g2'];

describe.each(curves)('%s', (curve) => {
  describe.each(groups)('%s', (group) => {
    const r = order(curve);
    const { BASE, ZERO } = nobleGroup(curve, group);
    const times = (scalar: bigint) => (scalar % r === 0n ? ZERO : BASE.multiplyUnsafe(scalar % r));
    const pointBytes = bytesOfFp(curve) * (group === 'g1' ? 2 : 4);

    function checkSum(points: NoblePoint[], scalars: bigint[], expected: NoblePoint, what: string): void {
      const [bytes, factors] = [pointsToFile(curve, group, points), toBytes(scalars, 32)];
      for (const isa of variants) {
        for (const threads of [1, 2]) {
          const { out } = native.msm(curve, group, isa, bytes, factors, threads);
          expect(jacobianFromFile(curve, group, out).equals(expected), `${what} ${isa} threads=${threads}`).toBe(true);
        }
      }
    }
    const sumOf = (points: NoblePoint[], scalars: bigint[]) =>
      points.reduce((sum, point, i) => (scalars[i] === 0n ? sum : sum.add(point.multiplyUnsafe(scalars[i]!))), ZERO);

    it("multiples of the generator equal @noble/curves'", () => {
      const random = pseudoRandom(1);
      const scalars = [0n, 1n, 2n, 3n, r - 1n, r - 2n, (r + 1n) / 2n, 1n << 128n, ...Array.from({ length: 8 }, () => random(r))];
      const points = pointsFromFile(curve, group, native.generatorMultiples(curve, group, toBytes(scalars, 32)));
      scalars.forEach((scalar, i) => {
        expect(points[i]!.equals(times(scalar)), `${scalar}`).toBe(true);
      });
    });

    it('one scalar times one point, for every pair of edge values', () => {
      const scalars = [0n, 1n, 2n, r - 1n, r - 2n, 1n << 64n, (1n << 64n) - 1n, (r - 1n) / 2n, (r + 1n) / 2n];
      for (const point of [ZERO, BASE, BASE.negate(), times(12345n)]) {
        for (const scalar of scalars) {
          const expected = point.is0() || scalar === 0n ? ZERO : point.multiplyUnsafe(scalar);
          checkSum([point], [scalar], expected, `${scalar}`);
        }
      }
    });

    it('no points at all give the point at infinity', () => checkSum([], [], ZERO, 'n = 0'));

    it('equal points, opposite points and points at infinity add up', () => {
      const [p, q] = [times(7n), times(11n)];
      const cases: [NoblePoint[], bigint[]][] = [
        [
          [p, p],
          [1n, 1n],
        ],
        [
          [p, p.negate()],
          [1n, 1n],
        ],
        [
          [p, p],
          [1n, r - 1n],
        ],
        [
          [p, p.negate(), p],
          [5n, 5n, 1n],
        ],
        [
          [p, ZERO, q],
          [3n, r - 1n, 2n],
        ],
        [
          [ZERO, ZERO],
          [1n, 5n],
        ],
        [Array(9).fill(p), Array(9).fill(1n)],
        [
          [p, q, p, q.negate(), p.negate(), q, p],
          [9n, 9n, 9n, 9n, 9n, 9n, 9n],
        ],
      ];
      cases.forEach(([points, scalars], i) => {
        checkSum(points, scalars, sumOf(points, scalars), `case ${i}`);
      });
    });

    it('sums around powers of two equal the multiple of the generator that they are', () => {
      const random = pseudoRandom(2);
      for (const n of [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025]) {
        const [factors, scalars] = [Array.from({ length: n }, () => random(r)), Array.from({ length: n }, () => random(r))];
        const bytes = native.generatorMultiples(curve, group, toBytes(factors, 32));
        const expected = times(factors.reduce((sum, factor, i) => (sum + factor * scalars[i]!) % r, 0n));
        for (const isa of variants) {
          const { out } = native.msm(curve, group, isa, bytes, toBytes(scalars, 32), 2);
          expect(jacobianFromFile(curve, group, out).equals(expected), `n = ${n} ${isa}`).toBe(true);
        }
      }
    });

    it('all-equal, tiny, 0/1 and nearly-r scalars sum right', () => {
      const n = 600;
      const random = pseudoRandom(3);
      const factors = Array.from({ length: n }, () => random(r));
      const bytes = native.generatorMultiples(curve, group, toBytes(factors, 32));
      const one = random(r);
      const kinds: Record<string, (i: number) => bigint> = {
        'all equal': () => one,
        'all 0': () => 0n,
        'all 1': () => 1n,
        'all r - 1': () => r - 1n,
        '0 and 1': (i) => BigInt(i % 2),
        tiny: (i) => BigInt(i % 5),
        'r - tiny': (i) => (r - BigInt(i % 7)) % r,
        'one large among zeros': (i) => (i === 300 ? r - 3n : 0n),
        '64 bits': () => random(1n << 64n),
        'powers of two': (i) => 1n << BigInt(i % 254),
      };
      for (const [what, kind] of Object.entries(kinds)) {
        const scalars = factors.map((_, i) => kind(i) % r);
        const expected = times(factors.reduce((sum, factor, i) => (sum + factor * scalars[i]!) % r, 0n));
        for (const isa of variants) {
          const { out } = native.msm(curve, group, isa, bytes, toBytes(scalars, 32), 2);
          expect(jacobianFromFile(curve, group, out).equals(expected), `${what} ${isa}`).toBe(true);
        }
      }
    });

    it("a sum of some thousand points equals ffjavascript's", async () => {
      const n = group === 'g1' ? 4099 : 1027;
      const random = pseudoRandom(4);
      const points = native.generatorMultiples(
        curve,
        group,
        toBytes(
          Array.from({ length: n }, () => random(r)),
          32,
        ),
      );
      const scalars = toBytes(
        Array.from({ length: n }, (_, i) => (i % 4 === 0 ? BigInt(i % 3) : random(r))),
        32,
      );
      const ff = await ffCurve(curve);
      const sums = group === 'g1' ? ff.G1 : ff.G2;
      const affine = sums.toAffine(await sums.multiExpAffine(points, scalars));
      const expected = pointsFromFile(curve, group, affine)[0]!;
      for (const isa of variants) {
        const { out } = native.msm(curve, group, isa, points, scalars, 2);
        expect(jacobianFromFile(curve, group, out).equals(expected), isa).toBe(true);
      }
    });

    it('bucket sums equal the sums of their points, empty and cancelling buckets included', () => {
      const multiples = Array.from({ length: 40 }, (_, i) => BigInt(i % 7) + (i % 2 ? r - 6n : 0n));
      const points = multiples.map(times);
      const digits = Uint16Array.from(multiples, (_, i) => (i * i) % 6);
      for (const isa of variants) {
        const sums = pointsFromFile(
          curve,
          group,
          native.bucketSums(curve, group, isa, pointsToFile(curve, group, points), digits, 6, 2),
        );
        for (let bucket = 0; bucket < 6; bucket++) {
          const expected = points.filter((_, i) => digits[i] === bucket + 1).reduce((sum, point) => sum.add(point), ZERO);
          expect(sums[bucket]!.equals(expected), `bucket ${bucket} ${isa}`).toBe(true);
        }
      }
    });

    it("points survive the way into a variant's own form and back, byte for byte", () => {
      const bytes = pointsToFile(curve, group, [ZERO, ...Array.from({ length: 20 }, (_, i) => times(BigInt(i * i)))]);
      for (const isa of variants) expect(Buffer.from(native.reimport(curve, group, isa, bytes)).equals(bytes)).toBe(true);
    });

    it('the first point that is off the curve is found wherever it stands', () => {
      const n = 21;
      const good = pointsToFile(curve, group, [ZERO, ...Array.from({ length: n - 1 }, (_, i) => times(BigInt(i + 3)))]);
      for (const isa of variants) {
        expect(native.firstOffCurve(curve, group, isa, good)).toBe(n);
        for (const bad of [0, 1, 7, 8, 9, n - 1]) {
          const bytes = good.slice();
          // One off in the lowest word, without leaving the field.
          bytes[bad * pointBytes]! ^= 1;
          expect(native.firstOffCurve(curve, group, isa, bytes), `${bad} ${isa}`).toBe(bad);
        }
      }
    });
  });
});
