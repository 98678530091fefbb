// Finding spans by time. In a sub-lane neither starts nor ends fall, so both can be searched.
import type { Range } from './scale.ts';
import type { SpanRing } from './span-ring.ts';

/** The first serial whose span ends after `at`; `head` if none does. Of a sub-lane, not of overlapping waits. */
export function firstEndingAfter(ring: SpanRing, at: number): number {
  const { endedAt } = ring.at;
  return search(ring, (row) => endedAt[row]! > at);
}

/** The first serial whose span starts at `at` or later; `head` if none does. */
export function firstStartingFrom(ring: SpanRing, at: number): number {
  const { startedAt } = ring.at;
  return search(ring, (row) => startedAt[row]! >= at);
}

/** Calls `each` with the row and the clipped times of every span that has time in the range; open ones last until `now`. */
export function eachIn(
  ring: SpanRing,
  { from, to }: Range,
  now: number,
  each: (row: number, from: number, to: number) => void,
): void {
  const { startedAt, endedAt } = ring.at;
  const end = firstStartingFrom(ring, to);
  for (let serial = firstEndingAfter(ring, from); serial < end; serial++) {
    const row = serial & ring.mask;
    const start = Math.max(startedAt[row]!, from);
    const stop = Math.min(endedAt[row]!, now, to);
    if (stop > start) each(row, start, stop);
  }
}

function search(ring: SpanRing, isIt: (row: number) => boolean): number {
  let low = ring.tail;
  let high = ring.head;
  while (low < high) {
    // Serials stay far below 2^53, but not below 2^31.
    const middle = low + Math.floor((high - low) / 2);
    if (isIt(middle & ring.mask)) high = middle;
    else low = middle + 1;
  }
  return low;
}
