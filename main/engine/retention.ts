// Which jobs leave the live state: it is bounded by number and by age, whoever looks at it or not. The history has them all.
import type { Clock } from './clock.ts';

export interface RetentionOptions {
  clock: Clock;
  /** So many terminal jobs are kept at most. */
  mostJobs: number;
  /** And none for longer than so many milliseconds. */
  mostMs: number;
  forget: (job: string) => void;
}

export class Retention {
  readonly #options: RetentionOptions;
  /** Terminal jobs and when they ended, the oldest first. */
  readonly #ended: { job: string; at: number }[] = [];
  readonly #stop = new AbortController();
  #armed = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** A job became terminal. */
  ended(job: string): void {
    const { clock, mostJobs, forget } = this.#options;
    this.#ended.push({ job, at: clock.now() });
    if (this.#ended.length > mostJobs) forget(this.#ended.shift()!.job);
    this.#arm();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** One alarm at a time, for the oldest. */
  #arm(): void {
    const oldest = this.#ended[0];
    const { clock, mostMs, forget } = this.#options;
    if (this.#armed || !oldest || this.#stop.signal.aborted || mostMs === Number.POSITIVE_INFINITY) return;
    this.#armed = true;
    // A timer's delay has an upper limit (2^31 ms); whoever is woken too early looks again.
    const wait = Math.min(Math.max(oldest.at + mostMs - clock.now(), 0), 2 ** 30);
    clock.sleep(wait, this.#stop.signal).then(
      () => {
        this.#armed = false;
        while (this.#ended[0] && this.#ended[0].at + mostMs <= clock.now()) forget(this.#ended.shift()!.job);
        this.#arm();
      },
      () => {},
    );
  }
}
