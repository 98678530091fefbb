// A device's working memory: kernels of one proof at a time run on it, so it is held once, for the largest proof under way, and not once
// for each.
import type { Reservation } from './budget.ts';

export class Scratch {
  readonly #held: Reservation[] = [];
  #bytes = 0;
  #users = 0;

  /** What is missing for a proof that needs so much. */
  short(bytes: number): number {
    return Math.max(0, bytes - this.#bytes);
  }

  /** Takes over what was missing. */
  grow(more: Reservation): void {
    this.#held.push(more);
    this.#bytes += more.bytes;
  }

  /** A proof under way will need it, until the returned function is called. The last one to leave gives everything back. */
  enter(): () => void {
    this.#users++;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#users--;
      if (this.#users > 0) return;
      this.#bytes = 0;
      for (const one of this.#held.splice(0)) one.release();
    };
  }
}
