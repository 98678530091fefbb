// How much of the time a lane works.
import type { Lane } from './lanes.ts';
import { isWait, isWork } from './phases.ts';
import type { Range } from './scale.ts';
import type { SpanRing } from './span-ring.ts';
import { eachIn } from './span-search.ts';

export interface Shares {
  /** Milliseconds. */
  workMs: number;
  /** Waiting for a lock or for threads while holding a partition. */
  waitMs: number;
  /** Out of order. */
  outMs: number;
  /** All that there was of the lane in the range. */
  totalMs: number;
}

/** Of a lane in a range; a lane of many sub-lanes works as long as one of them does. */
export function sharesOf(lane: Lane, range: Range, now: number): Shares {
  const within = { from: Math.max(range.from, lane.about.beginsAt), to: Math.min(range.to, now) };
  const totalMs = Math.max(0, within.to - within.from);
  const shares = { workMs: 0, waitMs: 0, outMs: 0, totalMs };
  if (totalMs === 0) return shares;
  if (lane.sublanes.length > 1) return { ...shares, workMs: unionMs(lane.sublanes, within, now) };
  const ring = lane.sublanes[0]!;
  eachIn(ring, within, now, (row, from, to) => {
    const phase = ring.at.phase[row]!;
    if (isWork[phase]) shares.workMs += to - from;
    else if (isWait[phase]) shares.waitMs += to - from;
    else shares.outMs += to - from;
  });
  return shares;
}

function unionMs(rings: readonly SpanRing[], range: Range, now: number): number {
  const spans: [number, number][] = [];
  for (const ring of rings)
    eachIn(ring, range, now, (row, from, to) => {
      if (isWork[ring.at.phase[row]!]) spans.push([from, to]);
    });
  spans.sort((a, b) => a[0] - b[0]);
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of spans) {
    if (to <= until) continue;
    sum += to - Math.max(from, until);
    until = to;
  }
  return sum;
}

/**
 * The share of each of `out.length` equal parts of the range in which the sub-lane works, from 0 to 1. Written to `out`, which is given so
 * that a frame allocates nothing.
 */
export function workByBucket(ring: SpanRing, range: Range, now: number, out: Float32Array): void {
  out.fill(0);
  const bucketMs = (range.to - range.from) / out.length;
  if (!(bucketMs > 0)) return;
  eachIn(ring, range, now, (row, from, to) => {
    if (!isWork[ring.at.phase[row]!]) return;
    const first = (from - range.from) / bucketMs;
    const last = Math.min((to - range.from) / bucketMs, out.length);
    for (let bucket = Math.floor(first); bucket < last; bucket++)
      out[bucket]! += Math.min(last, bucket + 1) - Math.max(first, bucket);
  });
  for (let i = 0; i < out.length; i++) if (out[i]! > 1) out[i] = 1;
}
