// What is needed to do a job again: what was asked for, and the proofs that there are.
import type { Database } from 'better-sqlite3';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { ProofResult } from '../prover/prover.ts';
import { proofsOf } from './export/proofs.ts';
import { requestOf } from './summaries.ts';
import { numberOf } from './upkeep.ts';

export interface Resumable {
  /** Without its request key, which belongs to the job that had it. */
  request: JobRequest;
  /** By partition; for Engine.submit()'s `restored`. */
  restored: Map<number, ProofResult>;
}

/** Throws `JobUnknown`, `JobRunning`, or `JobNotResumable` for a job that succeeded or whose request is not here. */
export function resumable(db: Database, id: string): Resumable {
  const job = numberOf(db, id);
  const state = db.prepare('SELECT state FROM jobs JOIN facets USING (facet) WHERE job = ?').pluck().get(job) as string;
  if (state === 'queued' || state === 'running')
    throw new CuzkError('JobRunning', `the job ${id} has not ended`, { remedy: 'wait for it, or cancel it first' });
  if (state === 'succeeded')
    throw new CuzkError('JobNotResumable', `the job ${id} has all its proofs`, {
      remedy: `export them: cuzk export ${id} --proofs DIR`,
    });
  const request = askedFor(db, id);
  const restored = new Map(proofsOf(db, job).map(({ partition, ...proof }) => [partition, { ...proof, timings: {} }]));
  return { request, restored };
}

/** What a job was asked to prove, without its request key. Throws `JobUnknown`, or `JobNotResumable` when its request is not here. */
export function askedFor(db: Database, id: string): JobRequest {
  const request = requestOf(db, numberOf(db, id));
  if (!request)
    throw new CuzkError('JobNotResumable', `what the job ${id} was asked to prove is not in this history`, {
      remedy: 'resume it on the machine where it ran, or submit it anew',
    });
  const { requestKey: _, ...content } = request;
  return content;
}
