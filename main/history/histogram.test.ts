import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketOf, count, decodeHistograms, encodeHistograms, HistogramSum, type Histograms, middleOf } from './histogram.ts';

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
      const sum = new HistogramSum();
      sum.add(encodeHistograms(histograms));
      const summary = sum.take().kernels!;
      expect(sum.take()).toEqual({});
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
      const both: Histograms = structuredClone(new Map([...a!, ...b!]));
      expect(decodeHistograms(encodeHistograms(both))).toEqual(both);
      const [apart, together] = [new HistogramSum(), new HistogramSum()];
      for (const us of one) count(both, 'kernels', us);
      for (const histograms of [a!, b!, new Map([['kernels', a!.get('synthesis')!]])]) apart.add(encodeHistograms(histograms));
      together.add(encodeHistograms(both));
      expect(apart.take()).toEqual(together.take());
      for (const us of [...one, ...other]) count(both, 'kernels', us, -1);
      expect(encodeHistograms(both)).toEqual(encodeHistograms(a!));
    }),
  );
});
