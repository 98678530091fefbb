// Retention: what would be deleted by age and by size, and deleting it.
import type { Database } from 'better-sqlite3';
import type { PruneRequest } from '../contract/history.ts';

export interface PrunePlan {
  /** By number, the oldest first. */
  jobs: number[];
  /** Of their events, proofs and requests. */
  bytes: number;
  /** Jobs that would go by the rule, and are pinned. */
  pinned: number;
}

/** What would go: jobs that have ended and are not pinned; only the oldest `mostJobs`, if it is said. */
export function plan(db: Database, { beforeMs = 0, mostBytes = Infinity }: PruneRequest, mostJobs = Infinity): PrunePlan {
  const ended = "facet IN (SELECT facet FROM facets WHERE state NOT IN ('queued', 'running'))";
  const bySize = mostBytes < Infinity;
  let left = bySize
    ? (db.prepare(`SELECT total(bytes) FROM jobs INDEXED BY jobs_by_age WHERE ${ended}`).pluck().get() as number)
    : 0;
  const rows = db
    .prepare(
      `SELECT job, bytes, submitted_ms, pinned FROM jobs INDEXED BY jobs_by_age WHERE ${ended} ${bySize ? '' : 'AND submitted_ms < @beforeMs'} ORDER BY submitted_ms, job`,
    )
    .raw()
    .iterate({ beforeMs }) as IterableIterator<[job: number, bytes: number, submittedMs: number, pinned: number]>;
  const found: PrunePlan = { jobs: [], bytes: 0, pinned: 0 };
  for (const [job, bytes, submittedMs, pinned] of rows) {
    if ((submittedMs >= beforeMs && left <= mostBytes) || found.jobs.length >= mostJobs) break;
    if (pinned) {
      found.pinned++;
      continue;
    }
    found.jobs.push(job);
    found.bytes += bytes;
    left -= bytes;
  }
  return found;
}
