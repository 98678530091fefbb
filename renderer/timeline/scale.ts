// Between time and pixels.

export interface Scale {
  /** Milliseconds at the left edge. */
  from: number;
  /** Milliseconds of one pixel. */
  msPerPx: number;
}

export interface Range {
  /** Monotonic milliseconds. */
  from: number;
  to: number;
}

export const scaleOf = ({ from, to }: Range, widthPx: number): Scale => ({ from, msPerPx: (to - from) / Math.max(1, widthPx) });
export const toPx = ({ from, msPerPx }: Scale, at: number): number => (at - from) / msPerPx;
export const toMs = ({ from, msPerPx }: Scale, px: number): number => from + px * msPerPx;
