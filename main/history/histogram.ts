// Durations counted by size, so that the percentiles of a year are read from a few thousand rows instead of millions: exact to one part in
// 32, and added or taken away again at will. The buckets are those of HdrHistogram (hdrhistogram.org): 32 linear ones per power of two.
import type { TimeSummary } from '../contract/history.ts';

const bits = 5;
const most = 1 << bits;

/** Counts by bucket, and the exact sum, both in whole microseconds. */
export interface Histogram {
  sumUs: number;
  counts: Map<number, number>;
}
/** By name: `kernels`, `job`. */
export type Histograms = Map<string, Histogram>;

/** The bucket of a duration in whole microseconds, from 0. */
export function bucketOf(us: number): number {
  if (us < most) return us;
  const shift = Math.floor(Math.log2(us)) - bits;
  // Divided, not shifted: durations may be longer than 32 bits hold. log2 of a number just below a power of two may round up to it.
  const sub = Math.floor(us / 2 ** shift);
  return sub < most ? (shift + 1) * most - 1 : (shift + 1) * most + sub - most;
}

/** The middle of a bucket, in microseconds. */
export function middleOf(bucket: number): number {
  if (bucket < most) return bucket;
  const shift = Math.floor(bucket / most) - 1;
  return ((bucket % most) + most) * 2 ** shift + (2 ** shift - 1) / 2;
}

/** Counts a duration once, or, with -1, takes it away again. */
export function count(histograms: Histograms, name: string, us: number, times: 1 | -1 = 1): void {
  let histogram = histograms.get(name);
  if (!histogram) {
    histogram = { sumUs: 0, counts: new Map() };
    histograms.set(name, histogram);
  }
  const bucket = bucketOf(us);
  const now = (histogram.counts.get(bucket) ?? 0) + times;
  if (now > 0) histogram.counts.set(bucket, now);
  else histogram.counts.delete(bucket);
  histogram.sumUs += times * us;
}

// Stored: for each name its length and UTF-8 bytes, the sum, how many buckets, then each bucket's distance from the one before and its count;
// all numbers as LEB128. Names are ASCII.

export function encodeHistograms(histograms: Histograms): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  for (const [name, { sumUs, counts }] of histograms) {
    if (counts.size === 0) continue;
    const text = Buffer.from(name, 'utf8');
    put(text.length);
    bytes.push(...text);
    put(sumUs);
    put(counts.size);
    let before = 0;
    for (const [bucket, n] of [...counts].sort(([a], [b]) => a - b)) {
      put(bucket - before);
      put(n);
      before = bucket;
    }
  }
  return Uint8Array.from(bytes);
}

/** Reads what is stored, for changing it. */
export function decodeHistograms(stored: Uint8Array): Histograms {
  const into: Histograms = new Map();
  let at = 0;
  const take = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = stored[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < stored.length) {
    const length = take();
    const name = Buffer.from(stored.buffer, stored.byteOffset + at, length).toString('utf8');
    at += length;
    const histogram: Histogram = { sumUs: take(), counts: new Map() };
    into.set(name, histogram);
    let bucket = 0;
    for (let left = take(); left > 0; left--) {
      bucket += take();
      histogram.counts.set(bucket, take());
    }
  }
  return into;
}

/** The bucket of 2^53 and one more. */
const buckets = (53 - bits + 1) * most + 1;

interface Sum {
  count: number;
  sumUs: number;
  counts: Float64Array;
  low: number;
  high: number;
}

/** Adds up many stored histograms quickly: a year is some thousands of them. */
export class HistogramSum {
  readonly #sums = new Map<string, Sum>();

  add(stored: Uint8Array): void {
    let at = 0;
    const take = () => {
      let byte = stored[at++]!;
      if (byte < 128) return byte;
      let value = byte & 127;
      for (let scale = 128; ; scale *= 128) {
        byte = stored[at++]!;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    while (at < stored.length) {
      const length = take();
      let name = '';
      for (const end = at + length; at < end; at++) name += String.fromCharCode(stored[at]!);
      const sum = this.#of(name);
      sum.sumUs += take();
      const { counts } = sum;
      let bucket = 0;
      for (let left = take(); left > 0; left--) {
        bucket += take();
        if (bucket < sum.low) sum.low = bucket;
        const n = take();
        counts[bucket]! += n;
        sum.count += n;
      }
      if (bucket > sum.high) sum.high = bucket;
    }
  }

  /** The summaries of what was added since the last call, by name. */
  take(): Record<string, TimeSummary> {
    const summaries: Record<string, TimeSummary> = {};
    for (const [name, sum] of this.#sums) {
      if (sum.count === 0) continue;
      summaries[name] = summarize(sum);
      sum.counts.fill(0, sum.low, sum.high + 1);
      Object.assign(sum, { count: 0, sumUs: 0, low: buckets, high: 0 });
    }
    return summaries;
  }

  #of(name: string): Sum {
    let sum = this.#sums.get(name);
    if (!sum) {
      sum = { count: 0, sumUs: 0, counts: new Float64Array(buckets), low: buckets, high: 0 };
      this.#sums.set(name, sum);
    }
    return sum;
  }
}

/** Percentiles by the nearest rank: the value that a share of all are not above. */
function summarize({ count: total, sumUs, counts, low, high }: Sum): TimeSummary {
  const values: number[] = [];
  const ranks = [0.5, 0.95, 0.99].map((share) => Math.ceil(share * total));
  let seen = 0;
  for (let bucket = low; bucket <= high && values.length < ranks.length; bucket++) {
    seen += counts[bucket]!;
    while (values.length < ranks.length && seen >= ranks[values.length]!) values.push(middleOf(bucket));
  }
  const [p50Us, p95Us, p99Us] = values as [number, number, number];
  return { count: total, meanUs: sumUs / total, p50Us, p95Us, p99Us };
}
