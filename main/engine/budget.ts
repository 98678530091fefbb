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
   * Asked to give back memory that nobody is using, until `bytes` more would fit: idle resident keys, but `keep`, which the one who waits
   * wants to use. It releases their reservations, now or soon, or does nothing.
   */
  reclaim?: (bytes: number, keep: string | undefined) => void;
}

export interface ReserveOptions {
  priority?: Priority;
  /** Gives up the wait: the promise rejects with code `Aborted`. */
  signal?: AbortSignal | undefined;
  /** What reclaim() must not give back for this request. */
  keep?: string;
  /** Called at once if the request has to wait, with what it waits for. */
  onWait?: (bytes: number) => void;
  /** Called in the moment of the grant, before anybody else is served. */
  onGrant?: (reservation: Reservation) => void;
}

/** Bytes that are held until `release` (or `using`). */
export interface Reservation extends Disposable {
  readonly owner: string;
  /** What was granted. */
  readonly bytes: number;
  release(): void;
  /** Moves some of the bytes to a reservation of another owner's. */
  split(owner: string, bytes: number): Reservation;
  /** Gives back all but so many bytes; nothing when it holds fewer. */
  shrinkTo(bytes: number): void;
}

interface Waiter {
  owner: string;
  need: () => number;
  keep: string | undefined;
  rank: number;
  grant: (reservation: Reservation) => void;
  refuse: (problem: unknown) => void;
}

export class Budget {
  readonly bytes: number;
  readonly #onHeld: (owner: string, bytes: number) => void;
  readonly #reclaim: (bytes: number, keep: string | undefined) => void;
  readonly #held = new Map<string, number>();
  /** In the order in which they will be served. */
  readonly #waiting: Waiter[] = [];
  #free: number;
  #lost = 0;

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
    if (bytes <= this.bytes - this.#lost) return;
    const lost = this.#lost > 0 ? `, of which ${this.#lost} are held by a device that does not answer` : '';
    throw new CuzkError('MemoryNeverFits', `${what} needs ${bytes} bytes, and the whole budget is ${this.bytes}${lost}`, {
      remedy: lost ? 'restart cuzk' : 'raise the memory budget, or use a machine with more memory',
    });
  }

  /**
   * So many of the reserved bytes will not come back, as far as anybody can tell: who waits for more than what is left is refused. They may
   * come back after all: then the returned function is called.
   */
  lose(bytes: number): () => void {
    this.#lost += bytes;
    this.#serve();
    return () => {
      this.#lost -= bytes;
    };
  }

  /**
   * Resolves once the bytes are reserved. `need` may be a function: it is asked again whenever the request could be served, and what it says
   * then is granted. One request for all that its work needs, since whoever holds one part and waits for another can wait for ever. Rejects
   * with `MemoryNeverFits` at once, or with `Aborted`.
   */
  async reserve(owner: string, need: number | (() => number), options: ReserveOptions = {}): Promise<Reservation> {
    const { priority = 'normal', signal, keep, onWait, onGrant } = options;
    const ask = typeof need === 'number' ? () => need : need;
    this.requireFits(ask(), owner);
    if (signal?.aborted) throw aborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
    const grant = (reservation: Reservation) => {
      onGrant?.(reservation);
      resolve(reservation);
    };
    const waiter: Waiter = { owner, need: ask, keep, rank: priorities.indexOf(priority), grant, refuse: reject };
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
    if (this.#waiting.includes(waiter)) onWait?.(ask());
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', give);
    }
  }

  /** Looks again whether who waits can be served: called when something became idle that reclaim() can give back. */
  serve(): void {
    this.#serve();
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.need() > this.#free) {
        if (this.#refused(first)) continue;
        this.#reclaim(first.need() - this.#free, first.keep);
        // Releases from within reclaim() may have served it already, and others.
        if (this.#waiting[0] !== first) continue;
        if (first.need() > this.#free) return;
      }
      this.#waiting.shift();
      const bytes = first.need();
      this.#free -= bytes;
      this.#setHeld(first.owner, bytes);
      first.grant(this.#reservation(first.owner, bytes));
    }
  }

  /** Whether the first in line was sent away because it can never be served any more. */
  #refused(first: Waiter): boolean {
    try {
      this.requireFits(first.need(), first.owner);
      return false;
    } catch (problem) {
      this.#waiting.shift();
      first.refuse(problem);
      return true;
    }
  }

  /** Bytes that are counted already. */
  #reservation(owner: string, granted: number): Reservation {
    let bytes = granted;
    const shrinkTo = (left: number) => {
      if (bytes <= left) return;
      const back = bytes - left;
      bytes = left;
      this.#free += back;
      this.#setHeld(owner, -back);
      this.#serve();
    };
    const release = () => shrinkTo(0);
    const split = (other: string, part: number) => {
      if (part > bytes) throw new RangeError(`${owner} holds ${bytes} bytes and cannot hand on ${part}`);
      bytes -= part;
      this.#setHeld(owner, -part);
      this.#setHeld(other, part);
      return this.#reservation(other, part);
    };
    return { owner, bytes: granted, release, split, shrinkTo, [Symbol.dispose]: release };
  }

  #setHeld(owner: string, change: number): void {
    if (change === 0) return;
    const now = (this.#held.get(owner) ?? 0) + change;
    if (now === 0) this.#held.delete(owner);
    else this.#held.set(owner, now);
    this.#onHeld(owner, now);
  }
}

const aborted = () => new CuzkError('Aborted', 'the wait for memory was given up');
