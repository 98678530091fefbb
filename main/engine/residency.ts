// Which circuits' keys are in memory. A key is loaded once for all that want it, held by whoever uses it, and evicted by age when it is
// idle and its memory is wanted.
import { CuzkError } from '../contract/errors.ts';
import type { LoadedCircuit } from '../prover/prover.ts';
import type { Budget, Reservation } from './budget.ts';
import type { StatusTracker } from './status-tracker.ts';

/** Loads a key's file; the bytes that it takes are known from its header before. */
export interface KeyLoader {
  bytesOf(circuit: string): Promise<number>;
  load(circuit: string): Promise<LoadedCircuit>;
}

/** A key in use; it cannot be evicted until it is disposed of. */
export interface KeyUse extends Disposable {
  readonly circuit: LoadedCircuit;
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

  /** The key, loaded if need be. A load that fails fails for all who wait for it, and is tried anew by the next. */
  async use(circuit: string, signal: AbortSignal): Promise<KeyUse> {
    const resident = this.#residents.get(circuit) ?? this.#begin(circuit);
    resident.users++;
    resident.usedAt = ++this.#uses;
    let using = true;
    const dispose = () => {
      if (!using) return;
      using = false;
      resident.users--;
    };
    try {
      const { circuit: loaded } = await resident.loaded;
      if (signal.aborted) throw new CuzkError('Aborted', 'the wait for the key was given up');
      return { circuit: loaded, [Symbol.dispose]: dispose };
    } catch (problem) {
      dispose();
      throw problem;
    }
  }

  #begin(circuit: string): Resident {
    this.#say(circuit, 'loading', 0);
    const resident: Resident = { loaded: this.#load(circuit), users: 0, usedAt: 0 };
    this.#residents.set(circuit, resident);
    resident.loaded.then(
      (hot) => {
        resident.hot = hot;
        this.#say(circuit, 'hot', hot.memory.bytes);
      },
      () => {
        this.#residents.delete(circuit);
        this.#say(circuit, 'cold', 0);
      },
    );
    return resident;
  }

  async #load(circuit: string): Promise<{ circuit: LoadedCircuit; memory: Reservation }> {
    const memory = await this.#budget.reserve(`key ${circuit} on ${this.#device}`, await this.#loader.bytesOf(circuit), {
      priority: 'high',
    });
    try {
      return { circuit: await this.#loader.load(circuit), memory };
    } catch (problem) {
      memory.release();
      throw problem;
    }
  }

  /** Evicts idle keys, the oldest first, until that many bytes came free or none is left. */
  reclaim(bytes: number): void {
    let freed = 0;
    const idle = [...this.#residents]
      .filter(([, { hot, users }]) => hot && users === 0)
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

  #say(circuit: string, residency: 'cold' | 'loading' | 'hot', bytes: number): void {
    this.#tracker.emit({ type: 'residencyChanged', circuit, device: this.#device, residency, bytes });
  }
}
