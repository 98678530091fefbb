// Partitions that wait for a worker, in the order in which they go: priority, then the nearer deadline, then the older job, then the lower
// partition. Every entry is an object of its own: two of one job, or of one key, never stand for each other.
import { type Priority, priorities } from '../contract/events.ts';

export interface Queued {
  readonly priority: Priority;
  /** Monotonic milliseconds; none goes after any. */
  readonly deadlineAt?: number | undefined;
  /** The job's place in the order of submission. */
  readonly jobOrder: number;
  readonly partition: number;
}

/** Negative when a goes before b. */
export function compareQueued(a: Queued, b: Queued): number {
  return (
    priorities.indexOf(a.priority) - priorities.indexOf(b.priority) ||
    Math.sign((a.deadlineAt ?? Number.MAX_VALUE) - (b.deadlineAt ?? Number.MAX_VALUE)) ||
    a.jobOrder - b.jobOrder ||
    a.partition - b.partition
  );
}

export class PartitionQueue<Entry extends Queued> {
  /** Sorted. */
  readonly #entries: Entry[] = [];
  readonly #takers: ((entry: Entry | undefined) => void)[] = [];
  #closed = false;

  get size(): number {
    return this.#entries.length;
  }

  /** The one that goes next; undefined when there is none. */
  get first(): Entry | undefined {
    return this.#entries[0];
  }

  push(entry: Entry): void {
    const taker = this.#takers.shift();
    if (taker) {
      taker(entry);
      return;
    }
    let at = this.#entries.length;
    while (at > 0 && compareQueued(entry, this.#entries[at - 1]!) < 0) at--;
    this.#entries.splice(at, 0, entry);
  }

  /** The next entry, once there is one; undefined when the queue is closed. Takers are served in the order in which they came. */
  take(): Promise<Entry | undefined> {
    const first = this.#entries.shift();
    if (first) return Promise.resolve(first);
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Takes out and returns the entries that match: a job's, when it ends. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed = this.#entries.filter(matches);
    for (const entry of removed) this.#entries.splice(this.#entries.indexOf(entry), 1);
    return removed;
  }

  /** Lets waiting takers go empty-handed; entries that are left can still be taken. */
  close(): void {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }
}
