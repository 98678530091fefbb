// The bytes that all residents and all work in flight share. Every byte is reserved before it is taken.
//
// Who waits is served in order: by priority, then first come first served. Nobody is passed by a smaller request that would fit, so a large
// one does not starve; what could never fit is refused at once, with the numbers.
import { CuzkError } from '../contract/errors.ts';
import { type Priority, priorities } from '../contract/events.ts';

export interface BudgetOptions {
  /** All there is. */
  bytes: number;
  /** Told whenever what an owner holds changes; 0 when it holds nothing any more. */
  onHeld?: (owner: string, bytes: number) => void;
  /**
   * Asked to give back memory that nobody is using, until `bytes` more would fit: idle resident keys. It releases their reservations, now
   * or soon, or does nothing.
   */
  reclaim?: (bytes: number) => void;
}

export interface ReserveOptions {
  priority?: Priority;
  /** Gives up the wait: the promise rejects with code `Aborted`. */
  signal?: AbortSignal | undefined;
}

/** Bytes that are held until `release` (or `using`). */
export interface Reservation extends Disposable {
  readonly owner: string;
  readonly bytes: number;
  release(): void;
}

interface Waiter {
  owner: string;
  bytes: number;
  rank: number;
  grant: (reservation: Reservation) => void;
}

export class Budget {
  readonly bytes: number;
  readonly #onHeld: (owner: string, bytes: number) => void;
  readonly #reclaim: (bytes: number) => void;
  readonly #held = new Map<string, number>();
  /** In the order in which they will be served. */
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor({ bytes, onHeld = () => {}, reclaim = () => {} }: BudgetOptions) {
    this.bytes = bytes;
    this.#free = bytes;
    this.#onHeld = onHeld;
    this.#reclaim = reclaim;
  }

  get freeBytes(): number {
    return this.#free;
  }
  get waiters(): number {
    return this.#waiting.length;
  }
  /** What each owner holds; owners that hold nothing are not listed. */
  get ledger(): ReadonlyMap<string, number> {
    return this.#held;
  }

  /** Throws `MemoryNeverFits` for what the whole budget could not hold. Asked at submit, so that nothing waits for ever. */
  requireFits(bytes: number, what: string): void {
    if (bytes <= this.bytes) return;
    throw new CuzkError('MemoryNeverFits', `${what} needs ${bytes} bytes, and the whole budget is ${this.bytes}`, {
      remedy: 'raise the memory budget, or use a machine with more memory',
    });
  }

  /** Resolves once the bytes are reserved. Rejects with `MemoryNeverFits` at once, or with `Aborted`. */
  async reserve(owner: string, bytes: number, { priority = 'normal', signal }: ReserveOptions = {}): Promise<Reservation> {
    this.requireFits(bytes, owner);
    if (signal?.aborted) throw aborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
    const waiter: Waiter = { owner, bytes, rank: priorities.indexOf(priority), grant: resolve };
    const behind = this.#waiting.findIndex(({ rank }) => rank > waiter.rank);
    this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiter);
    const give = () => {
      const at = this.#waiting.indexOf(waiter);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      reject(aborted());
      // Those behind it may fit now.
      this.#serve();
    };
    signal?.addEventListener('abort', give, { once: true });
    this.#serve();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', give);
    }
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.bytes > this.#free) {
        const before = this.#free;
        this.#reclaim(first.bytes - this.#free);
        // Releases from within reclaim() have served already what fits.
        if (this.#free === before || this.#waiting[0] !== first || first.bytes > this.#free) return;
      }
      this.#waiting.shift();
      first.grant(this.#take(first.owner, first.bytes));
    }
  }

  #take(owner: string, bytes: number): Reservation {
    this.#free -= bytes;
    this.#setHeld(owner, bytes);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      this.#free += bytes;
      this.#setHeld(owner, -bytes);
      this.#serve();
    };
    return { owner, bytes, release, [Symbol.dispose]: release };
  }

  #setHeld(owner: string, change: number): void {
    const now = (this.#held.get(owner) ?? 0) + change;
    if (now === 0) this.#held.delete(owner);
    else this.#held.set(owner, now);
    this.#onHeld(owner, now);
  }
}

const aborted = () => new CuzkError('Aborted', 'the wait for memory was given up');
