// Durations counted by size, so that the percentiles of a year are read from a few thousand rows instead of millions: exact to one part in
// 32, and added or taken away again at will. The buckets are those of HdrHistogram (hdrhistogram.org): 32 linear ones per power of two.

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

export interface Summary {
  count: number;
  meanUs: number;
  p50Us: number;
  p95Us: number;
  p99Us: number;
}

export function summarize({ sumUs, counts }: Histogram): Summary {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, n]) => sum + n, 0);
  /** The value that `share` of all are not above: the nearest rank. */
  const percentile = (share: number) => {
    let left = Math.max(1, Math.ceil(share * total));
    for (const [bucket, n] of buckets) {
      left -= n;
      if (left <= 0) return middleOf(bucket);
    }
    return 0;
  };
  return {
    count: total,
    meanUs: total ? sumUs / total : 0,
    p50Us: percentile(0.5),
    p95Us: percentile(0.95),
    p99Us: percentile(0.99),
  };
}

// Stored: for each name its length and UTF-8 bytes, the sum, how many buckets, then each bucket's distance from the one before and its count;
// all numbers as LEB128.

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

/** Adds what is stored to `into`. */
export function addEncoded(into: Histograms, stored: Uint8Array): Histograms {
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
    let histogram = into.get(name);
    if (!histogram) {
      histogram = { sumUs: 0, counts: new Map() };
      into.set(name, histogram);
    }
    histogram.sumUs += take();
    let bucket = 0;
    for (let left = take(); left > 0; left--) {
      bucket += take();
      histogram.counts.set(bucket, (histogram.counts.get(bucket) ?? 0) + take());
    }
  }
  return into;
}
