// Retention: what would be deleted by age and by size, and deleting it.
import type { Database } from 'better-sqlite3';

export interface PruneRequest {
  /** Jobs submitted before this moment go; milliseconds since 1970. */
  beforeMs?: number | undefined;
  /** The oldest go until what the others take is no more; bytes. */
  mostBytes?: number | undefined;
}

export interface PrunePlan {
  /** By number, the oldest first. */
  jobs: number[];
  /** Of their events, proofs and requests. */
  bytes: number;
  /** Jobs that would go by the rule, and are pinned. */
  pinned: number;
}

interface Row {
  job: number;
  bytes: number;
  submitted_ms: number;
  pinned: number;
}

/** What would go: jobs that have ended and are not pinned. */
export function plan(db: Database, { beforeMs = 0, mostBytes = Infinity }: PruneRequest): PrunePlan {
  const rows = db
    .prepare(
      `SELECT job, bytes, submitted_ms, pinned FROM jobs
       WHERE facet IN (SELECT facet FROM facets WHERE state NOT IN ('queued', 'running'))
         AND (@all OR submitted_ms < @beforeMs) ORDER BY submitted_ms, job`,
    )
    .all({ beforeMs, all: mostBytes === Infinity ? 0 : 1 }) as Row[];
  let left = mostBytes === Infinity ? 0 : rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const found: PrunePlan = { jobs: [], bytes: 0, pinned: 0 };
  for (const { job, bytes, submitted_ms, pinned } of rows) {
    if (submitted_ms >= beforeMs && left <= mostBytes) break;
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
