// All that one picture of the timeline shows, as data: the drawing reads it and nothing else.
import type { Colours } from './colours.ts';
import type { DeviceGaps } from './gaps.ts';
import type { Layout } from './layout.ts';
import type { SpanDetails } from './partition-spans.ts';
import type { Range } from './scale.ts';
import type { SpanRef } from './span-ring.ts';
import type { Viewport } from './viewport.ts';

/** Height of the axis, in CSS pixels. */
export const axisPx = 24;

export interface Scene {
  view: Viewport;
  /** CSS pixels of the canvas. */
  widthPx: number;
  heightPx: number;
  /** How far the lanes are scrolled, in CSS pixels. */
  scrollPx: number;
  layout: Layout;
  colours: Colours;
  /** Where open spans end, in monotonic milliseconds. */
  now: number;
  /** What the axis counts from. */
  zero: number;
  /** Whether time goes on: then there is a line at `now`. */
  isLive: boolean;
  isStale: boolean;
  /** The highlighted job's slot; -1 for none. */
  job: number;
  selected: SpanRef | undefined;
  hovered: SpanRef | undefined;
  /** The way of the hovered or selected partition. */
  flow: { from: SpanDetails; to: SpanDetails }[];
  range: Range | undefined;
  /** By device. */
  gaps: ReadonlyMap<string, DeviceGaps>;
}
