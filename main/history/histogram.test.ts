import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addEncoded, bucketOf, count, encodeHistograms, type Histograms, middleOf, summarize } from './histogram.ts';

const durations = fc.array(fc.oneof(fc.nat(100), fc.nat(1_000_000), fc.integer({ min: 0, max: 2 ** 46 })), { minLength: 1 });

it('a bucket’s middle is within a thirty-second part of all that is counted in it, and larger durations are never in a lower bucket', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (us) => {
      expect(Math.abs(middleOf(bucketOf(us)) - us)).toBeLessThanOrEqual(us / 32);
      expect(bucketOf(us + 1)).toBeGreaterThanOrEqual(bucketOf(us));
    }),
  );
  for (let power = 1; power < 52; power++)
    expect(bucketOf(2 ** power - 1)).toBeLessThan(bucketOf(2 ** power) + (power < 6 ? 1 : 0));
});

it('percentiles are those of the sorted list, to a thirty-second part', () => {
  fc.assert(
    fc.property(durations, (list) => {
      const histograms: Histograms = new Map();
      for (const us of list) count(histograms, 'kernels', us);
      const summary = summarize(histograms.get('kernels')!);
      const sorted = list.toSorted((a, b) => a - b);
      for (const [share, value] of [
        [0.5, summary.p50Us],
        [0.95, summary.p95Us],
        [0.99, summary.p99Us],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
        expect(Math.abs(value - exact)).toBeLessThanOrEqual(exact / 32);
      }
      expect(summary.count).toBe(list.length);
      expect(summary.meanUs).toBeCloseTo(list.reduce((a, b) => a + b, 0) / list.length, 3);
    }),
  );
});

it('what is stored is read again, sums add up, and what is taken away again leaves nothing', () => {
  fc.assert(
    fc.property(durations, durations, (one, other) => {
      const [a, b]: Histograms[] = [new Map(), new Map()];
      for (const us of one) count(a!, 'synthesis', us);
      for (const us of other) count(b!, 'kernels', us);
      const both = addEncoded(addEncoded(new Map(), encodeHistograms(a!)), encodeHistograms(b!));
      expect(both).toEqual(new Map([...a!, ...b!]));
      for (const us of other) count(both, 'kernels', us, -1);
      expect(encodeHistograms(both)).toEqual(encodeHistograms(a!));
    }),
  );
});
