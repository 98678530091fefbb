// The lock around a device's kernel region: one worker at a time, the most urgent waiting one next.
import { CuzkError } from '../contract/errors.ts';
import { compareQueued, type Queued } from './partition-queue.ts';

interface Waiter {
  entry: Queued;
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

  /** Resolves when the lock is held; dispose of it to let the next one in. Rejects with `Aborted` when `signal` says so first. */
  async acquire(entry: Queued, signal: AbortSignal): Promise<Disposable> {
    if (signal.aborted) throw aborted();
    if (this.#taken) await this.#wait(entry, signal);
    this.#taken = true;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        const next = this.#waiting.shift();
        // Handed over, not freed: nobody can slip in before the next one runs.
        if (next) next.enter();
        else this.#taken = false;
      },
    };
  }

  async #wait(entry: Queued, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { entry, enter: resolve };
    let at = this.#waiting.length;
    while (at > 0 && compareQueued(entry, this.#waiting[at - 1]!.entry) < 0) at--;
    this.#waiting.splice(at, 0, waiter);
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

const aborted = () => new CuzkError('Aborted', 'the wait for the device was given up');
