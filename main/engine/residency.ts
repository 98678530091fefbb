// Which keys are in memory, on which device. A key is loaded once for all that want it, held by whoever uses it, and evicted by age when it
// is idle and its memory is wanted.
import { CuzkError } from '../contract/errors.ts';
import type { Priority } from '../contract/events.ts';
import type { KeyFile, KeyLoader } from '../prover/keys.ts';
import type { LoadedCircuit, Progress } from '../prover/prover.ts';
import type { Budget, Reservation } from './budget.ts';
import { Scratch } from './scratch.ts';
import type { StatusTracker } from './status-tracker.ts';

/** A key in use, and the memory for one proof with it; the key cannot be evicted until it is disposed of. */
export interface KeyUse extends Disposable {
  readonly circuit: LoadedCircuit;
  /** The device phase is over: only what the finalizer needs stays reserved. */
  deviceDone(): void;
  /** The device may never answer: what is held for it may never come back. Returns what is called if it does answer. */
  abandon(): () => void;
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
  key: KeyFile;
  device: string;
  loaded: Promise<LoadedCircuit>;
  stop: AbortController;
  memory: Reservation;
  users: number;
  /** Rises with each use: the lowest is the oldest. */
  usedAt: number;
  hot?: LoadedCircuit;
}

/** The most that one proof with a key can need at once, the key included. */
export const mostBytes = ({ sizes: { keyBytes, loadBytes, synthesisBytes, deviceBytes } }: KeyFile): number =>
  keyBytes + loadBytes + synthesisBytes + deviceBytes;

const nameOf = (key: KeyFile, device: string) => `${key.identity}@${device}`;

export class Residency {
  readonly #residents = new Map<string, Resident>();
  readonly #scratch = new Map<string, Scratch>();
  readonly #loader: KeyLoader;
  readonly #budget: Budget;
  readonly #tracker: StatusTracker;
  readonly #onChange: () => void;
  /** Loads that nobody waits for any more, until they have stopped. */
  readonly #stopping = new Set<Promise<unknown>>();
  #uses = 0;

  /** `onChange` is called when a load has ended, well or not. */
  constructor(loader: KeyLoader, budget: Budget, tracker: StatusTracker, onChange: () => void = () => {}) {
    this.#onChange = onChange;
    this.#loader = loader;
    this.#budget = budget;
    this.#tracker = tracker;
  }

  residencyOf(key: KeyFile, device: string): 'cold' | 'loading' | 'hot' {
    const resident = this.#residents.get(nameOf(key, device));
    return resident ? (resident.hot ? 'hot' : 'loading') : 'cold';
  }

  /** Whether a proof with the key could begin to load now, without waiting and without evicting another key. */
  fitsNow(key: KeyFile): boolean {
    return this.#budget.waiters === 0 && mostBytes(key) <= this.#budget.freeBytes;
  }

  /** Throws `MemoryNeverFits`, with the numbers, for a key whose proofs could never be made here. */
  requireFits(key: KeyFile): void {
    this.#budget.requireFits(mostBytes(key), `a proof with ${key.path}`);
  }

  /**
   * The key, loaded if need be, and the memory for one proof with it, in `owner`'s name. Both are asked for in one request: two that each
   * hold a key and wait for memory would wait for each other. A load that fails fails for all who wait for it, and is tried anew by the next.
   */
  async use(key: KeyFile, device: string, owner: string, options: UseOptions): Promise<KeyUse> {
    const { synthesisBytes, deviceBytes, finishBytes } = key.sizes;
    const scratch = this.#scratchOf(device);
    let leave!: () => void;
    const { resident, memory } = await this.#reserve(key, device, owner, options, {
      need: () => synthesisBytes + scratch.short(deviceBytes),
      onGrant: (granted) => {
        scratch.grow(granted.split(`work on ${device}`, scratch.short(deviceBytes)));
        leave = scratch.enter();
      },
    });
    let using = true;
    const dispose = () => {
      if (!using) return;
      using = false;
      leave();
      this.#leave(resident);
      memory.release();
    };
    const deviceDone = () => {
      leave();
      memory.shrinkTo(finishBytes);
    };
    try {
      const circuit = await this.#ready(resident, options);
      const abandon = () => this.#budget.lose(key.sizes.keyBytes + synthesisBytes + deviceBytes);
      return { circuit, deviceDone, abandon, [Symbol.dispose]: dispose };
    } catch (problem) {
      dispose();
      throw problem;
    }
  }

  /** Loads the key if it is not in memory; afterwards it stays until its memory is wanted. */
  async preload(key: KeyFile, device: string, options: UseOptions): Promise<void> {
    const { resident, memory } = await this.#reserve(key, device, `preload of ${key.path}`, options, { need: () => 0 });
    memory.release();
    try {
      await this.#ready(resident, options);
    } finally {
      this.#leave(resident);
    }
  }

  /** One request for a key's memory, if it is not there yet, and what else is needed; the resident is in use when it resolves. */
  async #reserve(
    key: KeyFile,
    device: string,
    owner: string,
    { priority = 'normal', signal, onMemoryWait, onMemoryGranted }: UseOptions,
    { need, onGrant = () => {} }: { need: () => number; onGrant?: (granted: Reservation) => void },
  ): Promise<{ resident: Resident; memory: Reservation }> {
    const { keyBytes, loadBytes } = key.sizes;
    const name = nameOf(key, device);
    let resident!: Resident;
    let waited = false;
    const memory = await this.#budget.reserve(owner, () => need() + (this.#residents.has(name) ? 0 : keyBytes + loadBytes), {
      priority,
      signal,
      keep: name,
      onWait: (bytes) => {
        waited = true;
        onMemoryWait?.(bytes);
      },
      onGrant: (granted) => {
        resident = this.#residents.get(name) ?? this.#begin(key, device, granted.split(ownerOf(key, device), keyBytes + loadBytes));
        resident.users++;
        resident.usedAt = ++this.#uses;
        onGrant(granted);
      },
    });
    if (waited) onMemoryGranted?.();
    return { resident, memory };
  }

  async #ready(resident: Resident, { signal, onKeyWait, onKeyReady }: UseOptions): Promise<LoadedCircuit> {
    if (resident.hot) return resident.hot;
    onKeyWait?.();
    const circuit = await unlessAborted(resident.loaded, signal);
    onKeyReady?.();
    return circuit;
  }

  #begin(key: KeyFile, device: string, memory: Reservation): Resident {
    const name = nameOf(key, device);
    this.#say(key, device, 'loading', 0);
    const stop = new AbortController();
    const onProgress = ({ phase, done, total }: Progress) => {
      // A load that was given up goes on for a moment, and is nobody's news.
      if (!stop.signal.aborted) this.#tracker.emit({ type: 'keyProgress', circuit: key.path, device, step: phase, done, total });
    };
    const loaded = this.#loader.load(key, device, { signal: stop.signal, onProgress });
    const resident: Resident = { key, device, loaded, stop, memory, users: 0, usedAt: 0 };
    this.#residents.set(name, resident);
    loaded.then(
      (circuit) => {
        // Stopped too late: it is nobody's.
        if (this.#residents.get(name) !== resident) {
          circuit.release();
          memory.release();
          return;
        }
        resident.hot = circuit;
        const { curve, nVars, nPublic, domainSize, proofBytes, insecure } = circuit.info;
        const { keyBytes } = key.sizes;
        const about = { circuit: key.path, curve, nVars, nPublic, domainSize, keyBytes, proofBytes, insecure };
        this.#tracker.emit({ type: 'circuitOpened', ...about });
        this.#say(key, device, 'hot', keyBytes);
        memory.shrinkTo(keyBytes);
        // Its users may all have gone meanwhile, and others wait for the memory.
        this.#budget.serve();
        this.#onChange();
      },
      () => {
        if (this.#residents.get(name) === resident) {
          this.#residents.delete(name);
          this.#say(key, device, 'cold', 0);
        }
        memory.release();
        this.#onChange();
      },
    );
    return resident;
  }

  /** One user less. A load that nobody waits for any more is stopped. */
  #leave(resident: Resident): void {
    resident.users--;
    if (resident.users > 0) return;
    if (resident.hot) {
      this.#budget.serve();
      return;
    }
    const name = nameOf(resident.key, resident.device);
    if (this.#residents.get(name) !== resident) return;
    this.#residents.delete(name);
    this.#say(resident.key, resident.device, 'cold', 0);
    const stopped = resident.loaded.then(
      () => {},
      () => {},
    );
    this.#stopping.add(stopped);
    stopped.finally(() => this.#stopping.delete(stopped));
    resident.stop.abort();
  }

  /** Evicts idle keys but the one named `keep`, the oldest first, until that many bytes came free or none is left. */
  reclaim(bytes: number, keep?: string): void {
    let freed = 0;
    const idle = [...this.#residents]
      .filter(([name, { hot, users }]) => hot && users === 0 && name !== keep)
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [, resident] of idle) {
      if (freed >= bytes) return;
      freed += resident.key.sizes.keyBytes;
      this.#evict(resident);
    }
  }

  /** Evicts every content of that file from the device, if it is loaded and nobody uses it; says whether it did. */
  evict(path: string, device: string): boolean {
    const found = [...this.#residents.values()].filter((one) => one.key.path === path && one.device === device);
    return found.map((resident) => this.#evict(resident)).includes(true);
  }

  #evict(resident: Resident): boolean {
    if (!resident.hot || resident.users > 0) return false;
    this.#residents.delete(nameOf(resident.key, resident.device));
    resident.hot.release();
    this.#say(resident.key, resident.device, 'cold', 0);
    resident.memory.release();
    return true;
  }

  /** Waits for loads that have begun, then evicts every key that nobody uses. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#residents.values()].map(({ loaded }) => loaded));
    await Promise.all(this.#stopping);
    for (const resident of [...this.#residents.values()]) this.#evict(resident);
  }

  #scratchOf(device: string): Scratch {
    const scratch = this.#scratch.get(device) ?? new Scratch();
    this.#scratch.set(device, scratch);
    return scratch;
  }

  #say(key: KeyFile, device: string, residency: 'cold' | 'loading' | 'hot', bytes: number): void {
    this.#tracker.emit({ type: 'residencyChanged', circuit: key.path, device, residency, bytes });
  }
}

const ownerOf = (key: KeyFile, device: string) => `key ${key.path} on ${device}`;

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
