// The spans of one sub-lane, or of one kind of wait, in typed arrays. When it is full the oldest span is overwritten, so that a window
// that is open for days holds no more than at its first full hour.

/** In `worker` and `device`: not known, or none. */
export const nobody = -1;
/** In `job`: the span is of no job. */
export const noJob = 0xffff_ffff;

export interface NewSpan {
  /** Monotonic milliseconds. */
  startedAt: number;
  /** A phase's code. */
  phase: number;
  /** A job's slot in JobNames. */
  job: number;
  partition: number;
  attempt: number;
  worker: number;
  /** A device's place in the recorder's list. */
  device: number;
}

const columns = {
  startedAt: Float64Array,
  /** Infinity while the span is open. */
  endedAt: Float64Array,
  phase: Uint8Array,
  outcome: Uint8Array,
  job: Uint32Array,
  partition: Uint32Array,
  attempt: Uint16Array,
  worker: Int32Array,
  device: Int16Array,
} as const;
type Columns = { [K in keyof typeof columns]: InstanceType<(typeof columns)[K]> };

function columnsOf(capacity: number): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, Kind]) => [name, new Kind(capacity)])) as Columns;
}

/** Spans are addressed by serial: 0 for the first that was ever pushed, never used again. Starts never fall from one to the next. */
export class SpanRing {
  /** The oldest serial that is still held. */
  tail = 0;
  /** The next span's serial. */
  head = 0;
  /** The columns; an entry's place is `serial & mask`. */
  at: Columns;
  mask: number;
  readonly #most: number;
  readonly #onDrop: (job: number) => void;

  /** `most`: how many spans are held at most, a power of two. `onDrop` is told the job of each span that is overwritten. */
  constructor(most = 1 << 17, onDrop: (job: number) => void = () => {}) {
    if ((most & (most - 1)) !== 0) throw new Error('a ring holds a power of two');
    this.#most = most;
    this.#onDrop = onDrop;
    const capacity = Math.min(most, 64);
    this.at = columnsOf(capacity);
    this.mask = capacity - 1;
  }

  get count(): number {
    return this.head - this.tail;
  }

  has(serial: number): boolean {
    return serial >= this.tail && serial < this.head;
  }

  /** Whether its newest span has ended by then, in monotonic milliseconds. */
  isFreeAt(at: number): boolean {
    return this.head === this.tail || this.at.endedAt[(this.head - 1) & this.mask]! <= at;
  }

  push(span: NewSpan): number {
    if (this.count > this.mask) this.#makeRoom();
    const serial = this.head++;
    const row = serial & this.mask;
    const { at } = this;
    at.startedAt[row] = span.startedAt;
    at.endedAt[row] = Number.POSITIVE_INFINITY;
    at.phase[row] = span.phase;
    at.outcome[row] = 0;
    at.job[row] = span.job;
    at.partition[row] = span.partition;
    at.attempt[row] = span.attempt;
    at.worker[row] = span.worker;
    at.device[row] = span.device;
    return serial;
  }

  /** Ends an open span at `endedAt`, monotonic milliseconds; one that was overwritten, or has ended, stays as it is. */
  end(serial: number, endedAt: number, outcome: number): void {
    if (!this.has(serial)) return;
    const row = serial & this.mask;
    if (this.at.endedAt[row] !== Number.POSITIVE_INFINITY) return;
    this.at.endedAt[row] = Math.max(endedAt, this.at.startedAt[row]!);
    this.at.outcome[row] = outcome;
  }

  setDevice(serial: number, device: number): void {
    if (this.has(serial)) this.at.device[serial & this.mask] = device;
  }

  #makeRoom(): void {
    const capacity = this.mask + 1;
    if (capacity >= this.#most) {
      this.#onDrop(this.at.job[this.tail & this.mask]!);
      this.tail++;
      return;
    }
    const wider = columnsOf(capacity * 2);
    for (let serial = this.tail; serial < this.head; serial++)
      for (const name in wider) {
        const column = name as keyof Columns;
        wider[column][serial & (capacity * 2 - 1)] = this.at[column][serial & this.mask]!;
      }
    this.at = wider;
    this.mask = capacity * 2 - 1;
  }
}

/** One span, wherever it is held. */
export interface SpanRef {
  ring: SpanRing;
  serial: number;
}

export const isSameSpan = (a: SpanRef | undefined, b: SpanRef | undefined): boolean =>
  a?.ring === b?.ring && a?.serial === b?.serial;
