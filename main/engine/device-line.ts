// All that belongs to one device: its lock, what is ready for it, and how many partitions may be on their way to it.
import type { DeviceLock } from './device-lock.ts';
import type { Entry } from './job.ts';
import type { Attempt, Synthesized } from './loops.ts';
import { compareQueued, PartitionQueue } from './partition-queue.ts';

export interface LineOptions {
  device: string;
  /** Partitions that may be between the queue and a device worker. */
  lookahead: number;
  /** The lock around the kernel region; shared by what shares the threads. */
  lock: DeviceLock;
  /** A device call that makes no progress for so many milliseconds is taken for hung; undefined: never. */
  hangMs?: number | undefined;
}

export class DeviceLine {
  readonly device: string;
  readonly lock: DeviceLock;
  readonly hangMs: number | undefined;
  /** For the pipelined workers. */
  readonly synthesized = new PartitionQueue<Synthesized>();
  /** For the monolithic workers. */
  readonly whole = new PartitionQueue<Attempt>();
  /** What stops each attempt that is bound to this device; a finalizer's is not. */
  readonly underWay = new Set<AbortController>();
  readonly #fault = new AbortController();
  readonly #lookahead: number;
  /** On their way to the device, each until a worker takes it. */
  readonly #coming = new Set<Entry>();
  /** Those whose key is being loaded for them: they take no place, so that others can go on meanwhile. */
  readonly #loading = new Set<Entry>();

  constructor({ device, lookahead, lock, hangMs }: LineOptions) {
    this.device = device;
    this.lock = lock;
    this.hangMs = hangMs;
    this.#lookahead = lookahead;
  }

  get isFaulted(): boolean {
    return this.#fault.signal.aborted;
  }
  /** Aborted when the device is found lost or hung; its reason is the error. */
  get fault(): AbortSignal {
    return this.#fault.signal;
  }

  /** Places that are free; below zero while urgent partitions have overtaken. */
  get free(): number {
    return this.#lookahead - this.#coming.size;
  }

  /** Whether a partition may set out: there is a place, or it is more urgent than all that hold one. */
  hasRoomFor(entry: Entry): boolean {
    return this.free > 0 || isMoreUrgentThanAll(entry, this.#coming);
  }
  /** Whether a key may be loaded for it: one at a time, but for the more urgent. */
  canLoadFor(entry: Entry): boolean {
    return isMoreUrgentThanAll(entry, this.#loading);
  }

  /** Takes a place, until the returned function is called. */
  expect(entry: Entry): () => void {
    this.#coming.add(entry);
    return () => this.#coming.delete(entry);
  }
  /** Its key is being loaded, until the returned function is called. */
  load(entry: Entry): () => void {
    this.#loading.add(entry);
    return () => this.#loading.delete(entry);
  }

  /** Nothing more runs here: attempts stop, and workers find their queues closed. Returns what was ready for it. */
  breakDown(problem: unknown): Attempt[] {
    this.#fault.abort(problem);
    const ready = [...this.synthesized.remove(() => true).map(({ attempt }) => attempt), ...this.whole.remove(() => true)];
    this.synthesized.close();
    this.whole.close();
    for (const attempt of this.underWay) attempt.abort();
    return ready;
  }
}

/** Of a higher priority than each, not merely earlier. */
function isMoreUrgentThanAll(entry: Entry, others: ReadonlySet<Entry>): boolean {
  for (const other of others) if (entry.priority === other.priority || compareQueued(entry, other) > 0) return false;
  return true;
}
