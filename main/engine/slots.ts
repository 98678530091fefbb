// A fixed number of places, given out in the order in which they are asked for.
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  get free(): number {
    return this.#free;
  }

  /** Resolves with a place; dispose of it to give it back. */
  async acquire(): Promise<Disposable> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        // Handed over, not freed, so that nobody slips in between.
        const next = this.#waiting.shift();
        if (next) next();
        else this.#free++;
      },
    };
  }
}
