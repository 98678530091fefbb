// The lock around a device's kernel region: one worker at a time, the most urgent waiting one next.
//
// Urgency must not be lost to who is bound to what. A worker that waits with a partition keeps whatever waits for that worker from going
// on, so it is as urgent as that. And a worker that lets go takes its next partition at once, which may be more urgent than all that
// wait: the lock is handed over when it had time to come back with it.
import { CuzkError } from '../contract/errors.ts';
import { compareQueued, type Queued } from './partition-queue.ts';

interface Waiter {
  entry: Queued;
  behind: () => Queued | undefined;
  enter: () => void;
}

export class DeviceLock {
  readonly #waiting: Waiter[] = [];
  #taken = false;

  get isTaken(): boolean {
    return this.#taken;
  }
  get waiters(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when the lock is held; dispose of it to let the next one in. Rejects with `Aborted` when `signal` says so first. `behind` is
   * the most urgent of what waits for the worker that asks.
   */
  async acquire(entry: Queued, signal: AbortSignal, behind: () => Queued | undefined = () => undefined): Promise<Disposable> {
    if (signal.aborted) throw aborted();
    if (this.#taken) await this.#wait({ entry, behind }, signal);
    this.#taken = true;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#handOver();
      },
    };
  }

  /** Handed over, not freed: nobody can slip in before the next one runs. */
  #handOver(): void {
    // A tick that is asked for from within a microtask comes when all that can happen without waiting has happened.
    queueMicrotask(() =>
      process.nextTick(() => {
        const next = mostUrgent(this.#waiting);
        if (next) {
          this.#waiting.splice(this.#waiting.indexOf(next), 1);
          next.enter();
        } else {
          this.#taken = false;
        }
      }),
    );
  }

  async #wait(asking: Omit<Waiter, 'enter'>, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { ...asking, enter: resolve };
    this.#waiting.push(waiter);
    const leave = () => {
      const place = this.#waiting.indexOf(waiter);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(aborted());
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}

/** Of those that are alike the one that came first. */
function mostUrgent(waiting: readonly Waiter[]): Waiter | undefined {
  const urgencyOf = ({ entry, behind }: Waiter) => {
    const other = behind();
    return other && compareQueued(other, entry) < 0 ? other : entry;
  };
  return waiting.reduce<Waiter | undefined>(
    (best, one) => (best && compareQueued(urgencyOf(best), urgencyOf(one)) <= 0 ? best : one),
    undefined,
  );
}

const aborted = () => new CuzkError('Aborted', 'the wait for the device was given up');
