// What part of time is in view, and how it moves. Pure: each function makes another viewport.
import type { Range } from './scale.ts';

export interface Viewport extends Range {
  /** Whether the right edge stays with the newest time. */
  following: boolean;
}

/** Nothing is measured in less than a hundredth of a millisecond: a view is not narrower than a hundred of them. */
export const leastMs = 1;
/** Free room right of the newest time while it is followed, as a share of the view. */
export const lead = 0.03;
/** And on both sides of what is fitted. */
const margin = 0.02;

/** The view keeps within the content: it cannot be much wider, nor leave it. */
export function clamp({ from, to, following }: Viewport, content: Range): Viewport {
  const contentMs = Math.max(content.to - content.from, leastMs);
  const ms = Math.min(Math.max(to - from, leastMs), contentMs * 2);
  const middle = (from + to) / 2;
  // At least a tenth of the view shows content.
  const earliest = content.from - ms * 0.9;
  const latest = content.to - ms * 0.1;
  const start = Math.min(Math.max(ms === to - from ? from : middle - ms / 2, earliest), latest);
  return { from: start, to: start + ms, following };
}

/** `factor` > 1 shows more time. The time `at` stays where it is; while following, the right edge does. */
export function zoom(view: Viewport, factor: number, at: number, content: Range): Viewport {
  const anchor = view.following ? view.to : at;
  const widest = Math.max(content.to - content.from, leastMs) * 2;
  const ms = view.to - view.from;
  const bounded = Math.min(Math.max(ms * factor, Math.min(ms, leastMs)), Math.max(ms, widest)) / ms;
  const from = anchor - (anchor - view.from) * bounded;
  return clamp({ from, to: anchor + (view.to - anchor) * bounded, following: view.following }, content);
}

/** Moves the view by so many milliseconds; who looks elsewhere does not follow any more. */
export function pan(view: Viewport, byMs: number, content: Range): Viewport {
  return clamp({ from: view.from + byMs, to: view.to + byMs, following: false }, content);
}

/** `range` with a little room on both sides. */
export function fitTo(range: Range, content: Range = range): Viewport {
  const ms = Math.max(range.to - range.from, leastMs);
  return clamp({ from: range.from - ms * margin, to: range.to + ms * margin, following: false }, content);
}

/** The view of the same width whose right edge is a little after `now`. */
export function follow(view: Range, now: number): Viewport {
  const ms = Math.max(view.to - view.from, leastMs);
  const to = now + ms * lead;
  return { from: to - ms, to, following: true };
}

/** The least movement that shows a range that is narrower than the view; a wider one is fitted. */
export function reveal(view: Viewport, range: Range, content: Range): Viewport {
  const ms = view.to - view.from;
  if (range.from >= view.from && range.to <= view.to) return view;
  if (range.to - range.from > ms * 0.8) return fitTo(range, content);
  const middle = (range.from + range.to) / 2;
  return clamp({ from: middle - ms / 2, to: middle + ms / 2, following: false }, content);
}
