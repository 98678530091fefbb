// The lanes of the timeline: who works. A lane has one sub-lane as long as one thing happens on it at a time; finalizers overlap, and have
// as many as overlapped at once.
import type { NewSpan, SpanRef, SpanRing } from './span-ring.ts';

export type LaneKind = 'synthesis' | 'device' | 'pipelined' | 'monolithic' | 'finalizer';

export interface LaneAbout {
  kind: LaneKind;
  /** Of a worker's lane. */
  worker?: number;
  /** Of all but a synthesis worker's lane. */
  device?: string;
  /** Monotonic milliseconds from which on there was such a worker or device. */
  beginsAt: number;
}

export class Lane {
  readonly id: string;
  readonly about: LaneAbout;
  readonly sublanes: SpanRing[] = [];
  readonly #newRing: () => SpanRing;
  /** Who keeps a sub-lane also between two spans, by sub-lane. */
  readonly #seats: (number | undefined)[] = [];

  constructor(about: LaneAbout, newRing: () => SpanRing) {
    this.id = about.worker === undefined ? `${about.kind}:${about.device ?? ''}` : `worker:${about.worker}`;
    this.about = about;
    this.#newRing = newRing;
    this.sublanes.push(newRing());
  }

  /** Begins a span on a sub-lane that is free at its start: `seat`'s own, if one is named. */
  open(span: NewSpan, seat?: number): SpanRef {
    const ring = this.sublanes[this.#place(span.startedAt, seat)]!;
    return { ring, serial: ring.push(span) };
  }

  /** Another may have the sub-lane from now on. */
  leave(seat: number): void {
    const place = this.#seats.indexOf(seat);
    if (place >= 0) this.#seats[place] = undefined;
  }

  #place(at: number, seat: number | undefined): number {
    const own = seat === undefined ? -1 : this.#seats.indexOf(seat);
    if (own >= 0 && this.sublanes[own]!.isFreeAt(at)) return own;
    let place = this.sublanes.findIndex((ring, i) => this.#seats[i] === undefined && ring.isFreeAt(at));
    if (place < 0) place = this.sublanes.push(this.#newRing()) - 1;
    if (seat !== undefined) {
      this.leave(seat);
      this.#seats[place] = seat;
    }
    return place;
  }
}

/** All sub-lanes of all lanes. */
export const sublanesOf = (lanes: readonly Lane[]): SpanRing[] => lanes.flatMap(({ sublanes }) => sublanes);
