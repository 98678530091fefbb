// A whole job as JSON, to be kept elsewhere or read by a colleague: `cuzk export --json`, and its import.
import type { Database } from 'better-sqlite3';
import * as z from 'zod';
import type { JobRequest } from '../../contract/commands.ts';
import { CuzkError } from '../../contract/errors.ts';
import type { EngineEvent } from '../../contract/events.ts';
import type { JobDetails } from '../../contract/history.ts';
import { reduce } from '../../contract/reduce.ts';
import { emptyState, isTerminalJob, jobOf } from '../../contract/state.ts';
import { EventRows } from '../event-rows.ts';
import { encodeProof } from '../proof-codec.ts';
import { replayOf } from '../replay.ts';
import { detailsOf } from '../summaries.ts';
import { changes, numberOf } from '../upkeep.ts';
import { type KeptProof, proofsOf } from './proofs.ts';

export interface ExportedJob {
  format: 'cuzk-job';
  version: 1;
  job: Omit<JobDetails, 'request'>;
  request: JobRequest | null;
  /** What reduce() makes the job's states of. */
  events: EngineEvent[];
  proofs: KeptProof[];
}

export function exportJob(db: Database, id: string): ExportedJob {
  const number = numberOf(db, id);
  const { request, ...job } = detailsOf(db, id);
  return {
    format: 'cuzk-job',
    version: 1,
    job,
    request,
    events: replayOf(db, number),
    proofs: proofsOf(db, number),
  };
}

const schema = z.object({
  format: z.literal('cuzk-job'),
  version: z.literal(1),
  job: z.object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    submittedMs: z.number(),
    app: z.string().nullable(),
    note: z.string(),
    tags: z.array(z.string()),
  }),
  events: z.array(z.looseObject({ type: z.string(), seq: z.int().nonnegative(), at: z.number() })),
  proofs: z.array(z.object({ partition: z.int().nonnegative(), proof: z.looseObject({}), publicSignals: z.array(z.string()) })),
});

const isOfWorkers = (type: string) => ['engineStarted', 'workersRegistered', 'workerFaulted', 'workerRestarted'].includes(type);

/**
 * Adds an exported job for reading: it keeps its id, is in no totals, and cannot be resumed, since its files are elsewhere. `origin` says where
 * it came from. Throws `ImportInvalid` or `ImportKnown`; the caller wraps it in a transaction. Its proofs are not verified here.
 */
export function importJob(db: Database, exported: unknown, origin: string): string {
  const parsed = schema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { job, proofs } = parsed.data;
  const { id } = job;
  const rows = new EventRows(db, { isCounted: false });
  if (rows.numberOf(id) !== undefined)
    throw new CuzkError('ImportKnown', `the job ${id} is in the history already`, { remedy: `show it: cuzk show ${id}` });
  const events = parsed.data.events.filter(({ type, ...rest }) => isOfWorkers(type) || rest.job === id) as unknown as EngineEvent[];
  const run = Number(
    db.prepare('INSERT INTO runs (started_ms, app) VALUES (?, ?)').run(Math.round(job.submittedMs), job.app ?? 'unknown')
      .lastInsertRowid,
  );
  let state = emptyState;
  try {
    for (const event of events) {
      const before = state;
      state = reduce(before, event);
      rows.apply(before, state, event, run);
    }
    rows.flush(run);
  } catch (problem) {
    throw invalid('an event is not as the engine tells it', problem);
  }
  const end = jobOf(state, id)?.phase;
  if (!end || !isTerminalJob(end)) throw invalid('the events do not tell the job to its end');
  const number = numberOf(db, id);
  const add = db.prepare('INSERT INTO proofs (job, partition, format, proof, public) VALUES (?, ?, ?, ?, ?)');
  for (const { partition, proof, publicSignals } of proofs as unknown as KeptProof[]) {
    const stored = encodeProof({ proof, publicSignals });
    add.run(number, partition, stored.format, stored.proof, stored.public);
  }
  db.prepare('UPDATE jobs SET origin = ? WHERE job = ?').run(origin, number);
  if (job.note) changes.note(db, { job: id, note: job.note });
  changes.tag(db, { job: id, add: job.tags });
  return id;
}

const invalid = (what: string, cause?: unknown) =>
  new CuzkError('ImportInvalid', `this is no job that cuzk exported: ${what}`, {
    remedy: 'export it again: cuzk export JOB --json FILE',
    cause,
  });
