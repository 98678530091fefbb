// A job as the table shows it, and one job with all its parts.
import { inflateRawSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { JobRequest } from '../contract/commands.ts';
import type { Failure } from '../contract/events.ts';
import type { AttemptSummary, JobDetails, JobSummary } from '../contract/history.ts';
import { type SpanName, spanNames } from '../contract/state.ts';
import { columnOf } from './partition-rows.ts';
import { numberOf } from './upkeep.ts';

type SummaryRow = Omit<JobSummary, 'devices' | 'error' | 'pinned' | 'tags' | 'durationUs'> & {
  devices: string;
  error: string | null;
  pinned: number;
  tags: string | null;
  durationUs: number;
};

/** The jobs of these numbers, in this order. */
export function summariesOf(db: Database, jobs: readonly number[]): JobSummary[] {
  const read = db.prepare(
    `SELECT id, state, kind, circuit, devices, priority, mode, partitions, done, submitted_ms AS submittedMs, duration_us AS durationUs,
       retry_of AS retryOf, error, pinned, coalesce((SELECT note FROM notes WHERE notes.job = jobs.job), '') AS note,
       (SELECT json_group_array(tag) FROM tags WHERE tags.job = jobs.job) AS tags, bytes, origin
     FROM jobs JOIN facets USING (facet) WHERE job = ?`,
  );
  return jobs.map((job) => {
    const { devices, error, pinned, tags, durationUs, ...rest } = read.get(job) as SummaryRow;
    return {
      ...rest,
      devices: devices.split(',').filter(Boolean),
      durationUs: durationUs < 0 ? null : durationUs,
      error: error === null ? null : (JSON.parse(error) as Failure),
      pinned: pinned === 1,
      tags: tags === null ? [] : (JSON.parse(tags) as string[]),
    };
  });
}

/** Every attempt that has ended, by partition and attempt. */
export function attemptsOf(db: Database, job: number): AttemptSummary[] {
  const columns = spanNames.map((name) => `${columnOf(name)} AS ${name}`).join(', ');
  const rows = db
    .prepare(
      `SELECT partition, attempt, phase, name AS device, worker, error, ${columns}
       FROM partitions LEFT JOIN devices USING (device) WHERE job = ? ORDER BY partition, attempt`,
    )
    .all(job) as (Omit<AttemptSummary, 'error' | 'times'> & { error: string | null } & Record<SpanName, number | null>)[];
  return rows.map((row) => {
    const { partition, attempt, phase, device, worker, error } = row;
    const times = Object.fromEntries(spanNames.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])));
    return { partition, attempt, phase, device, worker, error: error === null ? null : JSON.parse(error), times };
  });
}

/** What was asked for; undefined of a job that was imported, or whose engine kept no journal. */
export function requestOf(db: Database, job: number): JobRequest | undefined {
  const data = db.prepare('SELECT data FROM requests WHERE job = ?').pluck().get(job) as Uint8Array | undefined;
  return data && (JSON.parse(inflateRawSync(data).toString('utf8')) as JobRequest);
}

/** The whole of one job. Throws `JobUnknown`. */
export function detailsOf(db: Database, id: string): JobDetails {
  const job = numberOf(db, id);
  const app = db.prepare('SELECT app FROM jobs JOIN runs USING (run) WHERE job = ?').pluck().get(job) as string | undefined;
  const proved = db.prepare('SELECT partition FROM proofs WHERE job = ? ORDER BY partition').pluck().all(job) as number[];
  return {
    ...summariesOf(db, [job])[0]!,
    attempts: attemptsOf(db, job),
    proved,
    app: app ?? null,
    request: requestOf(db, job) ?? null,
  };
}

/** Up to three ids that begin with the text: enough to see whether it is one. */
export function idsBeginning(db: Database, text: string): string[] {
  return db
    .prepare('SELECT id FROM jobs WHERE id >= ? AND id < ? ORDER BY id LIMIT 3')
    .pluck()
    .all(text, `${text}\u{10ffff}`) as string[];
}
