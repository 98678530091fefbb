// The devices' idle times for what is in view: looked for a few times a second, not with every picture, since that looks at every wait.
import { type DeviceGaps, gapsOf } from './gaps.ts';
import type { Lane } from './lanes.ts';
import type { Range } from './scale.ts';
import type { SpanRecorder } from './spans-from-events.ts';

/** Gaps narrower than this on the screen are summed, but not marked. */
const leastPx = 10;
/** Milliseconds between two looks. */
const restMs = 250;

export class GapCache {
  #found: ReadonlyMap<string, DeviceGaps> = new Map();
  #key = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Devices that the current look has not come to: one with each picture, so that none of them is late. */
  #left: Lane[] = [];

  /** True while what it gave last is out of date: later pictures will have newer. */
  isBehind = false;

  of(recorder: SpanRecorder, view: Range, widthPx: number, now: number): ReadonlyMap<string, DeviceGaps> {
    const isMoving = now > view.from && now < view.to;
    const key = `${view.from}/${view.to}/${recorder.version}/${isMoving ? now : ''}/${widthPx}`;
    const pageNow = performance.now();
    if (this.#left.length === 0 && key !== this.#key && pageNow - this.#lookedAt >= restMs) {
      this.#left = recorder.lanes.filter(({ about }) => about.kind === 'device');
      this.#key = key;
      this.#lookedAt = pageNow;
    }
    const lane = this.#left.shift();
    if (lane) {
      const least = ((view.to - view.from) / Math.max(1, widthPx)) * leastPx;
      this.#found = new Map(this.#found).set(lane.about.device!, gapsOf(recorder, lane, view, now, least));
    }
    this.isBehind = this.#left.length > 0 || key !== this.#key;
    return this.#found;
  }

  clear(): void {
    this.#found = new Map();
    this.#left = [];
    this.#key = '';
  }
}
