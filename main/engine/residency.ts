// Which circuits' keys are in memory. A key is loaded once for all that want it, held by whoever uses it, and evicted by age when it is
// idle and its memory is wanted.
import { CuzkError } from '../contract/errors.ts';
import type { Priority } from '../contract/events.ts';
import type { LoadedCircuit } from '../prover/prover.ts';
import type { Budget, Reservation } from './budget.ts';
import type { StatusTracker } from './status-tracker.ts';

/** Loads a key's file; what it and a proof of it take is known before. */
export interface KeyLoader {
  sizesOf(circuit: string): Promise<KeySizes>;
  load(circuit: string): Promise<LoadedCircuit>;
}

/** Bytes of the key, and of one proof besides. */
export interface KeySizes {
  keyBytes: number;
  proofBytes: number;
}

/** A key in use, and the memory for one proof of it; the key cannot be evicted until it is disposed of. */
export interface KeyUse extends Disposable {
  readonly circuit: LoadedCircuit;
}

export interface UseOptions {
  priority?: Priority;
  signal: AbortSignal;
  /** Told of each wait, as it begins and ends. */
  onMemoryWait?: (bytes: number) => void;
  onMemoryGranted?: () => void;
  onKeyWait?: () => void;
  onKeyReady?: () => void;
}

interface Resident {
  loaded: Promise<{ circuit: LoadedCircuit; memory: Reservation }>;
  users: number;
  /** Rises with each use: the lowest is the oldest. */
  usedAt: number;
  hot?: { circuit: LoadedCircuit; memory: Reservation };
}

export class Residency {
  readonly #residents = new Map<string, Resident>();
  readonly #loader: KeyLoader;
  readonly #budget: Budget;
  readonly #tracker: StatusTracker;
  readonly #device: string;
  #uses = 0;

  constructor(loader: KeyLoader, budget: Budget, tracker: StatusTracker, device: string) {
    this.#loader = loader;
    this.#budget = budget;
    this.#tracker = tracker;
    this.#device = device;
  }

  isHot(circuit: string): boolean {
    return this.#residents.get(circuit)?.hot !== undefined;
  }

  /**
   * The key, loaded if need be, and the memory for one proof of it, in `owner`'s name. Both are asked for in one request: two that each hold
   * a key and wait for memory would wait for each other. A load that fails fails for all who wait for it, and is tried anew by the next.
   */
  async use(circuit: string, owner: string, options: UseOptions): Promise<KeyUse> {
    const { signal, priority = 'normal', onMemoryWait, onMemoryGranted, onKeyWait, onKeyReady } = options;
    const { keyBytes, proofBytes } = await this.#loader.sizesOf(circuit);
    let resident!: Resident;
    let waited = false;
    const memory = await this.#budget.reserve(owner, () => proofBytes + (this.#residents.has(circuit) ? 0 : keyBytes), {
      priority,
      signal,
      keep: circuit,
      onWait: (bytes) => {
        waited = true;
        onMemoryWait?.(bytes);
      },
      onGrant: (granted) => {
        resident =
          this.#residents.get(circuit) ?? this.#begin(circuit, granted.split(`key ${circuit} on ${this.#device}`, keyBytes));
        resident.users++;
        resident.usedAt = ++this.#uses;
      },
    });
    let using = true;
    const dispose = () => {
      if (!using) return;
      using = false;
      resident.users--;
      memory.release();
    };
    try {
      if (waited) onMemoryGranted?.();
      const loads = resident.hot === undefined;
      if (loads) onKeyWait?.();
      const { circuit: loaded } = await unlessAborted(resident.loaded, signal);
      if (loads) onKeyReady?.();
      return { circuit: loaded, [Symbol.dispose]: dispose };
    } catch (problem) {
      dispose();
      throw problem;
    }
  }

  #begin(circuit: string, memory: Reservation): Resident {
    this.#say(circuit, 'loading', 0);
    const loaded = this.#loader.load(circuit).then((key) => ({ circuit: key, memory }));
    const resident: Resident = { loaded, users: 0, usedAt: 0 };
    this.#residents.set(circuit, resident);
    loaded.then(
      (hot) => {
        resident.hot = hot;
        this.#say(circuit, 'hot', memory.bytes);
        // Its users may all have gone meanwhile, and others wait for the memory.
        this.#budget.serve();
      },
      () => {
        this.#residents.delete(circuit);
        this.#say(circuit, 'cold', 0);
        memory.release();
      },
    );
    return resident;
  }

  /** Evicts idle keys but `keep`, the oldest first, until that many bytes came free or none is left. */
  reclaim(bytes: number, keep?: string): void {
    let freed = 0;
    const idle = [...this.#residents]
      .filter(([circuit, { hot, users }]) => hot && users === 0 && circuit !== keep)
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [circuit, { hot }] of idle) {
      if (freed >= bytes) return;
      freed += hot!.memory.bytes;
      this.evict(circuit);
    }
  }

  /** Evicts a key if it is loaded and nobody uses it; says whether it did. */
  evict(circuit: string): boolean {
    const resident = this.#residents.get(circuit);
    if (!resident?.hot || resident.users > 0) return false;
    this.#residents.delete(circuit);
    resident.hot.circuit.release();
    this.#say(circuit, 'cold', 0);
    resident.hot.memory.release();
    return true;
  }

  /** Waits for loads that have begun, then evicts every key that nobody uses. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#residents.values()].map(({ loaded }) => loaded));
    for (const circuit of [...this.#residents.keys()]) this.evict(circuit);
  }

  #say(circuit: string, residency: 'cold' | 'loading' | 'hot', bytes: number): void {
    this.#tracker.emit({ type: 'residencyChanged', circuit, device: this.#device, residency, bytes });
  }
}

/** The promise's result, or `Aborted` as soon as the signal says so; the promise goes on for others. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new CuzkError('Aborted', 'the wait for the key was given up'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
