// What a person changes in the history: notes, tags, pins, and what is deleted. Each runs in one transaction of the writer's.
import type { Database } from 'better-sqlite3';
import { CuzkError } from '../contract/errors.ts';
import type { HistoryRequest, HistoryResults, Outcome, PruneRequest } from '../contract/history.ts';
import { type SpanName, spanNames } from '../contract/state.ts';
import { columnOf } from './partition-rows.ts';
import { plan } from './prune.ts';
import { dayOf, Tallies } from './tallies.ts';

export const changes = {
  /** Sets a job's note; an empty one takes it away. */
  note(db: Database, { job, note }: { job: string; note: string }): void {
    const number = numberOf(db, job);
    if (note === '') db.prepare('DELETE FROM notes WHERE job = ?').run(number);
    else db.prepare('INSERT INTO notes (job, note) VALUES (?, ?) ON CONFLICT DO UPDATE SET note = excluded.note').run(number, note);
  },

  /** Returns the job's tags afterwards. */
  tag(db: Database, { job, add = [], remove = [] }: HistoryRequest<'changeTags'>): string[] {
    const number = numberOf(db, job);
    for (const tag of remove) db.prepare('DELETE FROM tags WHERE job = ? AND tag = ?').run(number, tag);
    for (const tag of add) db.prepare('INSERT OR IGNORE INTO tags (job, tag) VALUES (?, ?)').run(number, tag);
    return db.prepare('SELECT tag FROM tags WHERE job = ? ORDER BY tag').pluck().all(number) as string[];
  },

  /** A pinned job is not deleted by retention. */
  pin(db: Database, { job, pinned }: { job: string; pinned: boolean }): void {
    db.prepare('UPDATE jobs SET pinned = ? WHERE job = ?').run(pinned ? 1 : 0, numberOf(db, job));
  },

  /** Deletes a job with all that belongs to it, and takes it out of the totals. Throws `JobRunning` for one that has not ended. */
  remove(db: Database, { job }: { job: string }): void {
    removeJobs(db, [numberOf(db, job)]);
  },

  /** Deletes what plan() says, or the oldest `mostJobs` of it. */
  prune(db: Database, { mostJobs, ...request }: PruneRequest & { mostJobs?: number }): Pruned {
    const { jobs, bytes, pinned } = plan(db, request, mostJobs);
    removeJobs(db, jobs);
    return { jobs: jobs.length, bytes, pinned };
  },
};
export type Pruned = HistoryResults['prune'];
export type Changes = typeof changes;
export type ChangeName = keyof Changes;

/** The job's number by its id. Throws `JobUnknown`. */
export function numberOf(db: Database, id: string): number {
  const job = db.prepare('SELECT job FROM jobs WHERE id = ?').pluck().get(id) as number | undefined;
  if (job === undefined) throw new CuzkError('JobUnknown', `there is no job ${id}`, { remedy: 'list the jobs that there are' });
  return job;
}

interface Ended {
  id: string;
  state: string;
  kind: string;
  circuit: string;
  submittedMs: number;
  durationUs: number;
  origin: string | null;
}

/** Deletes jobs by number. */
export function removeJobs(db: Database, jobs: readonly number[]): void {
  const read = db.prepare(
    `SELECT id, state, kind, circuit, submitted_ms AS submittedMs, duration_us AS durationUs, origin
     FROM jobs JOIN facets USING (facet) WHERE job = ?`,
  );
  const columns = spanNames.map((name) => `${columnOf(name)} AS ${name}`).join(', ');
  const attempts = db.prepare(
    `SELECT phase, devices.name AS device, ${columns} FROM partitions JOIN devices USING (device) WHERE job = ?`,
  );
  const remove = db.prepare('DELETE FROM jobs WHERE job = ?');
  const tallies = new Tallies();
  for (const job of jobs) {
    const { id, state, kind, circuit, submittedMs, durationUs, origin } = read.get(job) as Ended;
    if (state === 'queued' || state === 'running')
      throw new CuzkError('JobRunning', `the job ${id} has not ended`, { remedy: 'cancel it first' });
    const key = { day: dayOf(submittedMs), kind, circuit };
    if (origin === null) {
      tallies.add({ ...key, device: '' }, state as Outcome, state === 'succeeded' ? { job: durationUs } : {}, -1);
      for (const { phase, device, ...times } of attempts.all(job) as ({ phase: string; device: string } & Record<
        SpanName,
        number | null
      >)[]) {
        const counted = Object.entries(times).filter((entry): entry is [string, number] => phase === 'done' && entry[1] !== null);
        tallies.add({ ...key, device }, phase === 'done' ? 'succeeded' : (phase as Outcome), Object.fromEntries(counted), -1);
      }
    }
    remove.run(job);
  }
  tallies.flush(db);
}
