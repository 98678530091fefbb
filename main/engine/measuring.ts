// What the process takes, beside what the budget says: measured once a second while there is work.
import type { Clock } from './clock.ts';

const everyMs = 1000;

export class Measuring {
  readonly #clock: Clock;
  readonly #measure: (() => number) | undefined;
  readonly #tell: (bytes: number) => void;
  readonly #stop = new AbortController();
  #busy = 0;
  #running = false;

  constructor(clock: Clock, measure: (() => number) | undefined, tell: (bytes: number) => void) {
    this.#clock = clock;
    this.#measure = measure;
    this.#tell = tell;
  }

  /** There is work until `ended` resolves. */
  busy(ended: Promise<unknown>): void {
    if (!this.#measure) return;
    this.#busy++;
    ended.then(() => this.#busy--);
    if (!this.#running) this.#run(this.#measure).catch(() => {});
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(measure: () => number): Promise<void> {
    this.#running = true;
    try {
      // Once more after the last job, so that an idle engine shows what it takes when idle.
      for (let idle = false; !idle; ) {
        idle = this.#busy === 0;
        this.#tell(measure());
        await this.#clock.sleep(everyMs, this.#stop.signal);
      }
    } finally {
      this.#running = false;
    }
  }
}
