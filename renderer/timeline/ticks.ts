// Where the axis has its ticks.

const s = 1000;
const m = 60 * s;
const h = 60 * m;
/** Above a second people count in sixties, not in tens. */
const steps = [
  s,
  2 * s,
  5 * s,
  10 * s,
  15 * s,
  30 * s,
  m,
  2 * m,
  5 * m,
  10 * m,
  15 * m,
  30 * m,
  h,
  2 * h,
  3 * h,
  6 * h,
  12 * h,
  24 * h,
];

/** The smallest nice step of at least `leastMs` milliseconds. */
export function niceStep(leastMs: number): number {
  if (leastMs <= s / 2) {
    const power = 10 ** Math.floor(Math.log10(leastMs));
    for (const factor of [1, 2, 5, 10]) if (factor * power >= leastMs * (1 - 1e-9)) return factor * power;
  }
  const day = 24 * h;
  return steps.find((step) => step >= leastMs) ?? Math.ceil(leastMs / day) * day;
}

export interface Ticks {
  /** Milliseconds between two. */
  stepMs: number;
  /** Milliseconds since `zero`, rising. */
  at: number[];
}

/** Ticks from `from` to `to`, counted from `zero`, all in the same milliseconds; at most `most` of them. */
export function ticks(from: number, to: number, zero: number, most: number): Ticks {
  const stepMs = niceStep((to - from) / Math.max(1, most));
  const first = Math.ceil((from - zero) / stepMs);
  const last = Math.floor((to - zero) / stepMs);
  // By multiplying: adding a step again and again would drift.
  return { stepMs, at: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * stepMs) };
}
