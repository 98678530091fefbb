// The last events, by their numbers: what a stream is written from. Every client reads here at its own pace, so that none has a queue.
import type { EngineEvent } from '../contract/events.ts';

interface Kept {
  event: EngineEvent;
  /** As it goes out, made when the first client wants it. */
  frame?: string;
}

export class EventRing {
  readonly #kept: Kept[] = [];
  readonly #most: number;
  readonly #idOf: (seq: number) => string;
  #last: number;
  #count = 0;

  /** `last` is the number of the last event before the first that will be kept. */
  constructor(most: number, last: number, idOf: (seq: number) => string) {
    this.#most = most;
    this.#last = last;
    this.#idOf = idOf;
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last;
  }

  push(event: EngineEvent): void {
    // A gap would make all that is kept useless for resuming; the engine numbers without one.
    if (event.seq !== this.#last + 1) this.#count = 0;
    this.#last = event.seq;
    this.#count = Math.min(this.#count + 1, this.#most);
    this.#kept[event.seq % this.#most] = { event };
  }

  /** Whether a reader who wants `next` and all after it misses nothing; `next` may be the one that is yet to come. */
  canContinueAt(next: number): boolean {
    return next <= this.#last + 1 && next > this.#last - this.#count;
  }

  /** The events from `next` on as server-sent events, as many as fit into about `bytes`, at least one; and the number after them. */
  framesFrom(next: number, bytes: number): { text: string; next: number } {
    let text = '';
    let at = next;
    while (at <= this.#last && text.length < bytes) {
      text += this.#frame(at);
      at++;
    }
    return { text, next: at };
  }

  #frame(seq: number): string {
    const kept = this.#kept[seq % this.#most]!;
    kept.frame ??= `id: ${this.#idOf(seq)}\ndata: ${JSON.stringify(kept.event)}\n\n`;
    return kept.frame;
  }
}
