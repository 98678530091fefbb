// Which span is under the pointer, and which is the next one.
import { isWork } from './phases.ts';
import type { SpanRef, SpanRing } from './span-ring.ts';
import { firstEndingAfter } from './span-search.ts';

/**
 * The span of the sub-lane at that time, or the nearest one within `slackMs`: a span of a pixel is hard to point at. Of several that are
 * equally near the longest is meant. `now` is where open spans end.
 */
export function spanAt(ring: SpanRing, at: number, slackMs: number, now: number): SpanRef | undefined {
  const { startedAt, endedAt } = ring.at;
  let best: number | undefined;
  let bestMs = Number.POSITIVE_INFINITY;
  let bestLength = 0;
  for (let serial = firstEndingAfter(ring, at - slackMs - 1e-9); serial < ring.head; serial++) {
    const row = serial & ring.mask;
    const start = startedAt[row]!;
    if (start > at + slackMs) break;
    const end = Math.min(endedAt[row]!, Math.max(now, start));
    const distance = at < start ? start - at : at > end ? at - end : 0;
    const length = end - start;
    if (distance > slackMs || distance > bestMs || (distance === bestMs && length <= bestLength)) continue;
    [best, bestMs, bestLength] = [serial, distance, length];
  }
  return best === undefined ? undefined : { ring, serial: best };
}

/** The span after, or before, on the same sub-lane. */
export function neighbour({ ring, serial }: SpanRef, step: 1 | -1): SpanRef | undefined {
  return ring.has(serial + step) ? { ring, serial: serial + step } : undefined;
}

/** Where the keyboard begins on a sub-lane: the first work at or after a time, or else the last that there is. */
export function firstFrom(ring: SpanRing, at: number): SpanRef | undefined {
  for (let serial = firstEndingAfter(ring, at); serial < ring.head; serial++)
    if (isWork[ring.at.phase[serial & ring.mask]!]) return { ring, serial };
  return ring.count > 0 ? { ring, serial: ring.head - 1 } : undefined;
}
