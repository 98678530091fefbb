// Who goes next, and where: brings partitions that wait and devices that have room for one together.
//
// In order of urgency (partition-queue.ts), each to the device that has its key in memory and the most room. A partition whose key is not in
// memory begins the load at once when there is memory for it beside everything else; when a key would have to go for it, partitions of the
// same priority whose keys are there go first, so that keys are not swapped back and forth, but no more often than `mostPassed` times.
import type { DeviceLine } from './device-line.ts';
import type { Entry } from './job.ts';
import { compareQueued } from './partition-queue.ts';
import type { Residency } from './residency.ts';

/** So many later partitions may be preferred to one because of their keys. */
const mostPassed = 32;

export type Admit = (entry: Entry, line: DeviceLine) => void;

export class Scheduler {
  /** Sorted. */
  readonly #waiting: Entry[] = [];
  readonly #lines: readonly DeviceLine[];
  readonly #residency: Pick<Residency, 'residencyOf' | 'fitsNow'>;
  readonly #admit: Admit;
  #matching = false;
  #again = false;

  /** `admit` is called for each partition that sets out; it must take its place on the line at once. */
  constructor(lines: readonly DeviceLine[], residency: Pick<Residency, 'residencyOf' | 'fitsNow'>, admit: Admit) {
    this.#lines = lines;
    this.#residency = residency;
    this.#admit = admit;
  }

  get size(): number {
    return this.#waiting.length;
  }

  push(...entries: Entry[]): void {
    for (const entry of entries) {
      let at = this.#waiting.length;
      while (at > 0 && compareQueued(entry, this.#waiting[at - 1]!) < 0) at--;
      this.#waiting.splice(at, 0, entry);
    }
    this.match();
  }

  /** Takes out and returns the entries that match: a job's, when it ends. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed = this.#waiting.filter(matches);
    if (removed.length > 0) this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter((entry) => !matches(entry)));
    return removed;
  }

  /** The devices that a partition could go to, now or later. */
  linesFor(entry: Entry): DeviceLine[] {
    return this.#lines.filter((line) => !line.isFaulted && !entry.avoid.has(line.device));
  }

  /** Sends out whatever can go. Called when something has changed: an entry came, a place or a key became free, a device was lost. */
  match(): void {
    // What is admitted may change things again while this runs.
    this.#again = true;
    if (this.#matching) return;
    this.#matching = true;
    while (this.#again) {
      this.#again = false;
      for (let next = this.#next(); next; next = this.#next()) {
        const [entry, line] = next;
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        this.#admit(entry, line);
      }
    }
    this.#matching = false;
  }

  #next(): [Entry, DeviceLine] | undefined {
    const first = this.#waiting[0];
    const lines = this.#lines.filter((line) => !line.isFaulted);
    // Where the most urgent one finds no room, nobody does.
    if (!first || !lines.some((line) => line.hasRoomFor(first) || line.canLoadFor(first))) return undefined;
    let passed: Entry | undefined;
    let passedLine: DeviceLine | undefined;
    // Partitions of one job and key that cannot go are alike: once one could not, the others are not looked at.
    let hopeless: Entry | undefined;
    for (const entry of this.#waiting) {
      // Partitions that a lower priority's would pass wait for their own turn.
      if (passed && entry.priority !== passed.priority) break;
      if (hopeless?.job === entry.job && hopeless.avoid.size === 0 && entry.avoid.size === 0) continue;
      const line = this.#lineFor(entry, lines);
      if (!line) {
        hopeless = entry;
        continue;
      }
      const ready = this.#residency.residencyOf(entry.job.key, line.device) === 'hot' || this.#residency.fitsNow(entry.job.key);
      if (ready || entry.passed >= mostPassed) {
        if (passed && passed !== entry && ready) passed.passed++;
        return [entry, line];
      }
      passed ??= entry;
      passedLine ??= line;
    }
    return passed && passedLine && [passed, passedLine];
  }

  /** A load beside all else needs no place; one that other keys must go for takes its turn. */
  #canLoad(entry: Entry, line: DeviceLine): boolean {
    return line.canLoadFor(entry) && (this.#residency.fitsNow(entry.job.key) || line.hasRoomFor(entry));
  }

  /** The best device for it that has room: where its key is in memory; else where it could be loaded; the one with most room of those. */
  #lineFor(entry: Entry, lines: readonly DeviceLine[]): DeviceLine | undefined {
    let best: DeviceLine | undefined;
    let bestHot = false;
    for (const line of lines) {
      if (entry.avoid.has(line.device)) continue;
      const residency = this.#residency.residencyOf(entry.job.key, line.device);
      // Whoever began the load goes first when it is there; until then the others leave the room to partitions that can use it.
      if (residency === 'loading') continue;
      const hot = residency === 'hot';
      if (!(hot ? line.hasRoomFor(entry) : this.#canLoad(entry, line))) continue;
      if (best && (bestHot !== hot ? bestHot : best.free >= line.free)) continue;
      best = line;
      bestHot = hot;
    }
    return best;
  }
}
