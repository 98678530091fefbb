// The stored streams of events: of each job, and of each run what belongs to no job. Appended in chunks, one per transaction.
import type { Database, Statement } from 'better-sqlite3';
import type { EngineEvent, EventType } from '../contract/events.ts';
import { decodeEvents, encodeEvents, packEvents, type StoredEvents } from './events-codec.ts';

export type Topic = 'workers' | 'resources';

/** Told a few times a second, and nothing but what is shown follows from them. */
const passing: ReadonlySet<EventType> = new Set(['partitionProgress', 'keyProgress', 'memoryMeasured']);
/** Whether the history keeps the event. */
export const isKept = (event: EngineEvent): boolean => !passing.has(event.type);

const aboutWorkers: ReadonlySet<EventType> = new Set(['engineStarted', 'workersRegistered', 'workerFaulted', 'workerRestarted']);

export class EventStreams {
  readonly #jobs = new Map<number, EngineEvent[]>();
  readonly #packed = new Set<number>();
  readonly #run: Record<Topic, EngineEvent[]> = { workers: [], resources: [] };
  readonly #statements: Record<'add' | 'read' | 'clear' | 'id' | 'addOfRun', Statement>;

  constructor(db: Database) {
    this.#statements = {
      add: db.prepare('INSERT INTO events (job, first_seq, data) VALUES (?, ?, ?)'),
      read: db.prepare('SELECT data FROM events WHERE job = ? ORDER BY first_seq').pluck(),
      clear: db.prepare('DELETE FROM events WHERE job = ?'),
      id: db.prepare('SELECT id FROM jobs WHERE job = ?').pluck(),
      addOfRun: db.prepare('INSERT INTO run_events (run, topic, first_seq, last_seq, data) VALUES (?, ?, ?, ?, ?)'),
    };
  }

  add(job: number, event: EngineEvent): void {
    const events = this.#jobs.get(job);
    if (events) events.push(event);
    else this.#jobs.set(job, [event]);
  }

  addOfRun(event: EngineEvent): void {
    this.#run[aboutWorkers.has(event.type) ? 'workers' : 'resources'].push(event);
  }

  /** The job is over: its stream becomes one deflated piece. */
  pack(job: number): void {
    this.#packed.add(job);
  }

  /** Writes what was added. Returns the jobs that are over. */
  flush(run: number): number[] {
    const { add, read, clear, id, addOfRun } = this.#statements;
    for (const [job, events] of this.#jobs) {
      const name = id.get(job) as string;
      if (!this.#packed.has(job)) {
        add.run(job, events[0]!.seq, encodeEvents(events, name));
        continue;
      }
      const stored = (read.all(job) as StoredEvents[]).flatMap((chunk) => decodeEvents(chunk, name));
      clear.run(job);
      const all = [...stored, ...events];
      add.run(job, all[0]!.seq, packEvents(all, name));
    }
    for (const topic of ['workers', 'resources'] as const) {
      const events = this.#run[topic];
      if (events.length > 0) addOfRun.run(run, topic, events[0]!.seq, events.at(-1)!.seq, encodeEvents(events));
    }
    const over = [...this.#packed];
    this.drop();
    return over;
  }

  drop(): void {
    this.#jobs.clear();
    this.#packed.clear();
    this.#run.workers = [];
    this.#run.resources = [];
  }
}
