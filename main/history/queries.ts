// What is asked of the history by its reader thread: each runs on a connection that only reads.
import type { Database } from 'better-sqlite3';
import { writeWholeAll } from '../circuits/write-whole.ts';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { FacetValues, HistoryRequest, HistoryResults, PruneRequest } from '../contract/history.ts';
import { compare } from './compare.ts';
import { filesOf } from './export/files.ts';
import { type KeptProof, proofOf } from './export/proofs.ts';
import { facetValuesOf } from './facets.ts';
import { pageOf } from './pages.ts';
import { plan } from './prune.ts';
import { replayOf } from './replay.ts';
import { askedFor, type Resumable, resumable } from './resume.ts';
import { detailsOf } from './summaries.ts';
import { totalsOf } from './totals.ts';
import { numberOf } from './upkeep.ts';

type Of<N extends keyof HistoryResults> = (db: Database, args: HistoryRequest<N>) => HistoryResults[N];

const listJobs: Of<'listJobs'> = pageOf;
const showJob: Of<'showJob'> = (db, { job }) => detailsOf(db, job);
const replayJob: Of<'replayJob'> = (db, { job }) => ({ events: replayOf(db, numberOf(db, job)) });
const totals: Of<'totals'> = (db, request) => ({ totals: totalsOf(db, request) });
const compareJobs: Of<'compareJobs'> = (db, request) => {
  const [a, b] = [detailsOf(db, request.a), detailsOf(db, request.b)];
  return { a, b, phases: compare(a.attempts, b.attempts) };
};

export const queries = {
  listJobs,
  listFacets: (db: Database, _: object): FacetValues => facetValuesOf(db),
  showJob,
  replayJob,
  compareJobs,
  totals,

  planPrune(db: Database, request: PruneRequest): HistoryResults['planPrune'] {
    const { jobs, bytes, pinned } = plan(db, request);
    return { jobs: jobs.length, bytes, pinned };
  },

  /** A kept proof, and the key that it was made with. Throws `JobUnknown` or `ProofMissing`. */
  proof(db: Database, { job, partition }: { job: string; partition: number }): KeptProof & { zkey: string } {
    const number = numberOf(db, job);
    const proof = proofOf(db, number, partition);
    if (!proof)
      throw new CuzkError('ProofMissing', `the job ${job} has no proof of partition ${partition}`, { remedy: 'resume the job' });
    const zkey = db.prepare('SELECT circuit FROM jobs JOIN facets USING (facet) WHERE job = ?').pluck().get(number) as string;
    return { ...proof, zkey };
  },

  resumable: (db: Database, { job }: { job: string }): Resumable => resumable(db, job),
  askedFor: (db: Database, { job }: { job: string }): JobRequest => askedFor(db, job),

  /** Writes the files here, where their contents are: all of them or none. */
  async exportJob(db: Database, { job, what, to }: HistoryRequest<'exportJob'>): Promise<HistoryResults['exportJob']> {
    const files = filesOf(db, job, what, to);
    await writeWholeAll(files);
    return { files: files.map(([file]) => file) };
  },
};
export type Queries = typeof queries;
export type QueryName = keyof Queries;
