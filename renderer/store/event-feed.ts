// Turns a connection into a state that is never wrong: applies events in order, and asks for a snapshot when some are missing.
import type { EngineEvent } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import { type EngineState, emptyState } from '../../main/contract/state.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import type { Connection } from '../transport/connection.ts';

/** Follows every single event, which the state alone does not show: the timeline, a worker's last minute. */
export interface EventTap {
  /** The state was replaced; what was gathered before may have a hole. */
  reset(state: EngineState): void;
  apply(event: EngineEvent, state: EngineState): void;
}

export interface FeedOptions {
  connection: Connection;
  taps: Iterable<EventTap>;
  /** Calls back before the next picture is drawn. */
  schedule: (flush: () => void) => void;
  /** The state after a batch. `snapshot` is what it began from, right after one was taken. */
  onState: (state: EngineState, snapshot?: Snapshot) => void;
  /** Something was heard: events, or a sign of life. */
  onHeard: () => void;
  onLost: (problem: Error) => void;
  /** Resolves after so many milliseconds; between tries for a snapshot. */
  sleep?: (ms: number) => Promise<void>;
  now?: () => number;
}

/** Milliseconds of reducing between two pictures: what is left waits for the next one, so that a burst never freezes the page. */
const flushMs = 8;
/** More waiting events than this are quicker made up by a snapshot. */
const mostPending = 50_000;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class EventFeed {
  readonly #options: FeedOptions;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #now: () => number;
  #state = emptyState;
  #pending: EngineEvent[] = [];
  /** Counts the snapshots that were begun: an older one's answer is dropped. */
  #round = 0;
  #syncing = false;
  #scheduled = false;
  #unsubscribe: (() => void) | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? wait;
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    // Listens first: what happens while the snapshot is on its way is applied on top of it.
    this.#unsubscribe = this.#options.connection.subscribe({
      onEvents: (events) => this.#receive(events),
      onSnapshot: (snapshot) => {
        // Whatever was asked for or waits is older than this.
        this.#round++;
        this.#syncing = false;
        this.#pending = [];
        this.#begin(snapshot);
      },
      onLost: (problem) => this.#options.onLost(problem),
    });
    this.#synchronize();
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#round++;
  }

  #receive(events: EngineEvent[]): void {
    this.#options.onHeard();
    for (const event of events) this.#pending.push(event);
    if (this.#pending.length > mostPending && !this.#syncing) this.#synchronize();
    else if (this.#pending.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#syncing) return;
    this.#scheduled = true;
    this.#options.schedule(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#syncing || !this.#unsubscribe) return;
    const before = this.#state;
    const until = this.#now() + flushMs;
    let taken = 0;
    for (const event of this.#pending) {
      if (event.seq > this.#state.seq + 1) break;
      if (taken % 64 === 63 && this.#now() > until) break;
      taken++;
      if (event.seq <= this.#state.seq) continue;
      this.#state = reduce(this.#state, event);
      for (const tap of this.#options.taps) tap.apply(event, this.#state);
    }
    this.#pending.splice(0, taken);
    if (this.#state !== before) this.#options.onState(this.#state);
    const next = this.#pending[0];
    if (!next) return;
    if (next.seq > this.#state.seq + 1) this.#synchronize();
    else this.#schedule();
  }

  async #synchronize(): Promise<void> {
    const round = ++this.#round;
    this.#syncing = true;
    for (let pauseMs = 250; ; pauseMs = Math.min(5000, pauseMs * 2)) {
      try {
        const snapshot = await this.#options.connection.snapshot();
        if (round !== this.#round) return;
        this.#begin(snapshot);
        // Events that are newer than the snapshot and do not join on to it: they overtook it, and the next one has them.
        if ((this.#pending[0]?.seq ?? 0) <= this.#state.seq + 1) break;
      } catch (problem) {
        if (round !== this.#round) return;
        this.#options.onLost(problem instanceof Error ? problem : new Error(String(problem)));
      }
      await this.#sleep(pauseMs);
      if (round !== this.#round) return;
    }
    this.#syncing = false;
    if (this.#pending.length > 0) this.#schedule();
  }

  #begin(snapshot: Snapshot): void {
    this.#state = snapshot.state;
    this.#pending = this.#pending.filter(({ seq }) => seq > snapshot.state.seq);
    for (const tap of this.#options.taps) tap.reset(snapshot.state);
    this.#options.onHeard();
    this.#options.onState(snapshot.state, snapshot);
  }
}
