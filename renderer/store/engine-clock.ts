// What time it is for the engine. Its events carry its own monotonic milliseconds, which the page's clock has no relation to but this.

/** Estimates the engine's time from what arrives: each event was stamped at or before the moment in which it is seen here. */
export class EngineClock {
  /** Engine time minus page time; the largest seen, since a message that took long says too little. */
  #offset = Number.NEGATIVE_INFINITY;

  /** A snapshot knows its age, and so begins the estimate anew. */
  reset(at: number, ageMs: number, pageNow: number): void {
    this.#offset = at + ageMs - pageNow;
  }

  saw(at: number, pageNow: number): void {
    this.#offset = Math.max(this.#offset, at - pageNow);
  }

  /** The engine's time at the page's time; 0 before anything was seen. */
  at(pageNow: number): number {
    return this.#offset === Number.NEGATIVE_INFINITY ? 0 : pageNow + this.#offset;
  }
}
