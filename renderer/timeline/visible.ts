// What of a sub-lane is drawn: each span that is at least a pixel wide as a box, and all that is narrower as columns of a pixel, which say
// how much of it was worked in. However many spans are in view, no more boxes come out than there are pixels, twice.
import type { Scale } from './scale.ts';
import type { SpanRing } from './span-ring.ts';
import { firstEndingAfter, firstStartingFrom } from './span-search.ts';

/** Boxes to draw, in columns that are written again with each frame so that none is allocated. */
export class Boxes {
  count = 0;
  /** Pixels from the left edge; of a box that begins or ends outside, a little outside. */
  x0 = new Float32Array(256);
  x1 = new Float32Array(256);
  /** A phase's code; of a column, of the phase that takes most of it. */
  phase = new Uint8Array(256);
  /** The share that is filled, from 0 to 1; 1 for a single span. */
  filled = new Float32Array(256);
  /** The span's serial; -1 for a column of many. */
  serial = new Float64Array(256);
  /** How the span ended; of a column, the worst that one did: failed before cancelled before retried. */
  outcome = new Uint8Array(256);
  /** Whether it is, or holds one, of the highlighted job. */
  isOfJob = new Uint8Array(256);

  add(x0: number, x1: number, phase: number, filled: number, serial: number, outcome: number, isOfJob: boolean): void {
    if (this.count === this.x0.length) this.#grow();
    const i = this.count++;
    this.x0[i] = x0;
    this.x1[i] = x1;
    this.phase[i] = phase;
    this.filled[i] = filled;
    this.serial[i] = serial;
    this.outcome[i] = outcome;
    this.isOfJob[i] = isOfJob ? 1 : 0;
  }

  #grow(): void {
    const longer = <T extends Float32Array | Float64Array | Uint8Array>(old: T): T => {
      const copy = new (old.constructor as new (length: number) => T)(old.length * 2);
      copy.set(old);
      return copy;
    };
    for (const name of ['x0', 'x1', 'phase', 'filled', 'serial', 'outcome', 'isOfJob'] as const)
      Object.assign(this, { [name]: longer(this[name]) });
  }
}

/** A box narrower than that, in pixels, is merged with its neighbours. */
const leastPx = 1;
const codes = 32;
const worst = [0, 1, 4, 3, 2];

/** A pixel column that gathers narrow spans. */
class Column {
  x = -1;
  isOfJob = false;
  outcome = 0;
  count = 0;
  serial = -1;
  /** Pixels by phase, and which phases have any: few of them do. */
  readonly px = new Float32Array(codes);
  readonly #used = new Uint8Array(codes);
  #usedCount = 0;

  /** Writes what was gathered, and begins anew at `x`. */
  turn(x: number, boxes: Boxes): void {
    if (this.count > 0) {
      let sum = 0;
      let most = 0;
      let phase = 0;
      for (let i = 0; i < this.#usedCount; i++) {
        const code = this.#used[i]!;
        const px = this.px[code]!;
        sum += px;
        if (px > most) {
          most = px;
          phase = code;
        }
        this.px[code] = 0;
      }
      this.#usedCount = 0;
      const serial = this.count === 1 ? this.serial : -1;
      boxes.add(this.x, this.x + 1, phase, Math.min(1, sum), serial, this.outcome, this.isOfJob);
    }
    this.x = x;
    this.count = 0;
    this.outcome = 0;
    this.isOfJob = false;
  }

  gather(phase: number, px: number, outcome: number, isOfJob: boolean, serial: number): void {
    // A span of no length is still there to be seen.
    if (this.px[phase] === 0) this.#used[this.#usedCount++] = phase;
    this.px[phase]! += Math.max(px, 1e-3);
    this.count++;
    this.serial = serial;
    if (worst[outcome]! > worst[this.outcome]!) this.outcome = outcome;
    if (isOfJob) this.isOfJob = true;
  }
}

const column = new Column();

/** Fills `boxes` with what of the sub-lane is in view. `now` is where open spans end; `job` is a slot, or -1 for none. */
export function visibleBoxes(
  ring: SpanRing,
  { from, msPerPx }: Scale,
  widthPx: number,
  now: number,
  job: number,
  boxes: Boxes,
): void {
  boxes.count = 0;
  const { startedAt, endedAt, phase, outcome, job: jobs } = ring.at;
  const { mask } = ring;
  const end = firstStartingFrom(ring, from + widthPx * msPerPx);
  column.turn(-1, boxes);
  for (let serial = firstEndingAfter(ring, from); serial < end; serial++) {
    const row = serial & mask;
    const x0 = (startedAt[row]! - from) / msPerPx;
    const x1 = (Math.min(endedAt[row]!, Math.max(now, startedAt[row]!)) - from) / msPerPx;
    const isOfJob = jobs[row] === job;
    if (x1 - x0 >= leastPx) {
      column.turn(-1, boxes);
      boxes.add(Math.max(x0, -8), Math.min(x1, widthPx + 8), phase[row]!, 1, serial, outcome[row]!, isOfJob);
      continue;
    }
    const x = Math.floor(x0);
    if (x !== column.x) column.turn(x, boxes);
    column.gather(phase[row]!, x1 - x0, outcome[row]!, isOfJob, serial);
  }
  column.turn(-1, boxes);
}
