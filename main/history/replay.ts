// A past job's events, and the states that they make: those that were live.
import type { Database } from 'better-sqlite3';
import type { EngineEvent } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { type EngineState, emptyState } from '../contract/state.ts';
import type { Topic } from './event-streams.ts';
import { decodeEvents, type StoredEvents } from './events-codec.ts';

/** The events of a job, in order, without what its workers are. */
export function eventsOfJob(db: Database, job: number): EngineEvent[] {
  const id = db.prepare('SELECT id FROM jobs WHERE job = ?').pluck().get(job) as string;
  const chunks = db.prepare('SELECT data FROM events WHERE job = ? ORDER BY first_seq').pluck().all(job) as StoredEvents[];
  return chunks.flatMap((chunk) => decodeEvents(chunk, id));
}

/** A run's own events of one topic whose numbers are in the range. */
export function eventsOfRun(db: Database, run: number, topic: Topic, fromSeq: number, toSeq: number): EngineEvent[] {
  const chunks = db
    .prepare('SELECT data FROM run_events WHERE run = ? AND topic = ? AND first_seq <= ? AND last_seq >= ? ORDER BY first_seq')
    .pluck()
    .all(run, topic, toSeq, fromSeq) as StoredEvents[];
  return chunks.flatMap((chunk) => decodeEvents(chunk)).filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
}

/**
 * What must be given to reduce() to see the job as it was: the events about the workers of its run up to its end, and its own, in the order
 * in which they happened. Progress is not stored, so the states are the live ones but for `progress`.
 */
export function replayOf(db: Database, job: number): EngineEvent[] {
  const own = eventsOfJob(db, job);
  const last = own.at(-1);
  const run = db.prepare('SELECT run FROM jobs WHERE job = ?').pluck().get(job) as number | null;
  if (!last || run === null) return own;
  return [...eventsOfRun(db, run, 'workers', 0, last.seq), ...own].sort((a, b) => a.seq - b.seq);
}

export const replayed = (db: Database, job: number): EngineState => replayOf(db, job).reduce(reduce, emptyState);
