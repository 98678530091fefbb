// What a person or a program can ask of the history, with the schema that whatever comes over a border is checked by, and what is answered.
// Moments are milliseconds since 1970, durations microseconds.
import * as z from 'zod';
import type { JobRequest } from './commands.ts';
import type { EngineEvent, Failure, Mode, Priority } from './events.ts';
import { priorities } from './events.ts';
import type { JobPhase, SpanName } from './state.ts';

export const jobPhases = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export const sortColumns = ['submitted', 'duration', 'partitions', 'state', 'kind', 'circuit', 'devices', 'priority'] as const;
export type SortColumn = (typeof sortColumns)[number];
export const dimensions = ['day', 'kind', 'circuit', 'device'] as const;
export type Dimension = (typeof dimensions)[number];

const jobId = z.string().min(1).max(200);
const name = z.string().min(1).max(4096);
const names = z.array(name).max(100);
const moment = z.number().int().nonnegative();
const partition = z.number().int().nonnegative();
const tag = z.string().trim().min(1).max(64);
const absolutePath = z.string().min(1).max(4096);

export const jobFilterSchema = z.strictObject({
  /** In the circuit's path, the kind or the note, or the beginning of the id (three letters of it and more); upper and lower case are alike. */
  text: z.string().max(200).optional(),
  states: z.array(z.enum(jobPhases)).max(jobPhases.length).optional(),
  kinds: names.optional(),
  circuits: names.optional(),
  /** Any of a job's devices. */
  device: name.optional(),
  priorities: z.array(z.enum(priorities)).max(priorities.length).optional(),
  tag: tag.optional(),
  pinned: z.boolean().optional(),
  /** Submitted in this range: from, and before. */
  sinceMs: moment.optional(),
  untilMs: moment.optional(),
  /** How long the job took: at least, and at most. Jobs that have not ended have no duration. */
  minUs: moment.optional(),
  maxUs: moment.optional(),
});
export type JobFilter = z.infer<typeof jobFilterSchema>;

/** The place of a job in the order of a page. Of a column with few values, jobs of one value (the group) are in the order of submission. */
const cursorSchema = z.strictObject({
  group: z.union([z.string().max(4096), z.number()]).optional(),
  value: z.number(),
  job: z.number(),
});
export type Cursor = z.infer<typeof cursorSchema>;

const pruneSchema = z
  .strictObject({
    /** Jobs submitted before this moment go. */
    beforeMs: moment.optional(),
    /** The oldest go until what the others take is no more; bytes. */
    mostBytes: moment.optional(),
  })
  .refine(({ beforeMs, mostBytes }) => beforeMs !== undefined || mostBytes !== undefined, {
    message: 'says neither how old nor how large',
  });

export const historySchemas = {
  /** A page of the table of jobs. */
  listJobs: z.strictObject({
    ...jobFilterSchema.shape,
    sort: z.enum(sortColumns).optional(),
    /** By default the newest, longest, last in the alphabet first. */
    ascending: z.boolean().optional(),
    /** Where the page before ended. */
    after: cursorSchema.optional(),
    /** 50 if it is left out. */
    limit: z.number().int().min(1).max(500).optional(),
  }),
  /** What the table can be filtered by: the values that there are. */
  listFacets: z.strictObject({}),
  showJob: z.strictObject({ job: jobId }),
  /** What must be given to reduce() to see the job as it was. */
  replayJob: z.strictObject({ job: jobId }),
  compareJobs: z.strictObject({ a: jobId, b: jobId }),
  /** What the history comes to, by day, kind, circuit and device. */
  totals: z.strictObject({
    by: z.array(z.enum(dimensions)).max(dimensions.length).optional(),
    /** Days are whole, UTC: those of these moments are included. */
    sinceMs: moment.optional(),
    untilMs: moment.optional(),
    kind: name.optional(),
    circuit: name.optional(),
    device: name.optional(),
  }),
  showProof: z.strictObject({ job: jobId, partition }),
  /** Verifies a kept proof again, with the job's key. */
  verifyProof: z.strictObject({ job: jobId, partition }),
  /** Writes to the machine that proves, where the job's files are. */
  exportJob: z.strictObject({ job: jobId, what: z.enum(['proofs', 'json', 'trace']), to: absolutePath }),
  /** Proves what a job that did not end well still lacks, as a new job. */
  resumeJob: z.strictObject({ job: jobId }),
  /** Submits what a job asked for once more, whatever there is of it. */
  runAgain: z.strictObject({ job: jobId }),
  /** Sets a job's note; an empty one takes it away. */
  setNote: z.strictObject({ job: jobId, note: z.string().max(10_000) }),
  changeTags: z.strictObject({ job: jobId, add: z.array(tag).max(50).optional(), remove: z.array(tag).max(50).optional() }),
  /** A pinned job is not deleted by retention. */
  setPinned: z.strictObject({ job: jobId, pinned: z.boolean() }),
  /** Deletes a job that has ended, with all that belongs to it. */
  removeJob: z.strictObject({ job: jobId }),
  /** What prune would delete. */
  planPrune: pruneSchema,
  prune: pruneSchema,
} as const;

export type HistoryRequestName = keyof typeof historySchemas;
export type HistoryRequest<N extends HistoryRequestName> = z.infer<(typeof historySchemas)[N]>;
export type PageRequest = HistoryRequest<'listJobs'>;
export type TotalsRequest = HistoryRequest<'totals'>;
export type PruneRequest = z.infer<typeof pruneSchema>;

/** A job as the table shows it. */
export interface JobSummary {
  id: string;
  state: JobPhase;
  kind: string;
  circuit: string;
  devices: string[];
  priority: Priority;
  mode: Mode;
  partitions: number;
  done: number;
  submittedMs: number;
  /** From submission to the end; null until then. */
  durationUs: number | null;
  retryOf: string | null;
  error: Failure | null;
  pinned: boolean;
  note: string;
  tags: string[];
  /** What its events, proofs and request take. */
  bytes: number;
  /** Where an imported job ran; null of this machine's own. */
  origin: string | null;
}

export interface Page {
  jobs: JobSummary[];
  /** Where the next page begins; absent on the last. */
  next?: Cursor;
  /** How many jobs the filter lets through, where that is known without counting them. */
  total?: number;
}

export interface FacetValues {
  kinds: string[];
  circuits: string[];
  devices: string[];
  tags: string[];
}

/** How an attempt at a partition ended; `retried` of one that was given up for the next. */
export type AttemptPhase = 'done' | 'failed' | 'cancelled' | 'retried';

export interface AttemptSummary {
  partition: number;
  attempt: number;
  phase: AttemptPhase;
  device: string | null;
  worker: number | null;
  error: Failure | null;
  times: Partial<Record<SpanName, number>>;
}

export interface JobDetails extends JobSummary {
  /** Every attempt that has ended, by partition and attempt. */
  attempts: AttemptSummary[];
  /** Partitions whose proof is kept. */
  proved: number[];
  app: string | null;
  /** What was asked for; null of a job that was imported, or whose engine kept no journal. */
  request: JobRequest | null;
}

export interface PhaseComparison {
  phase: SpanName;
  /** The mean over the partitions that are done; null where none has that phase. */
  aUs: number | null;
  bUs: number | null;
  /** b less a, and as a share of a. */
  deltaUs: number | null;
  ratio: number | null;
}

export interface Comparison {
  a: JobDetails;
  b: JobDetails;
  /** The phases that either job has, in the order in which they happen. */
  phases: PhaseComparison[];
}

export const outcomes = ['succeeded', 'failed', 'cancelled', 'interrupted', 'retried'] as const;
export type Outcome = (typeof outcomes)[number];

/** Percentiles are exact to one part in 32. */
export interface TimeSummary {
  count: number;
  meanUs: number;
  p50Us: number;
  p95Us: number;
  p99Us: number;
}

export interface Totals {
  /** What it is the total of: the dimensions that were asked for. `day` counts from 1970, UTC; `device` is '' for the jobs themselves. */
  key: { day?: number; kind?: string; circuit?: string; device?: string };
  jobs: Record<Outcome, number>;
  /** Attempts at partitions that reached a device. */
  attempts: Record<Outcome, number>;
  /** Of succeeded jobs (`job`), and of each phase of partitions that are done. */
  times: Record<string, TimeSummary>;
}

/** A kept proof, as snarkjs writes it. */
export interface ShownProof {
  /** The content of proof.json and public.json. */
  proof: string;
  publicSignals: string;
  /** The arguments of a Solidity verifier's verifyProof; null where there is none for the curve. */
  calldata: string | null;
  /** `A`, `B`, `C` in zcash's compressed form, in hexadecimal; null but for bls12-381. */
  compressed: string | null;
}

/** What each request answers. */
export interface HistoryResults {
  listJobs: Page;
  listFacets: FacetValues;
  showJob: JobDetails;
  replayJob: { events: EngineEvent[] };
  compareJobs: Comparison;
  totals: { totals: Totals[] };
  showProof: ShownProof;
  verifyProof: { valid: boolean };
  /** The files that were written. */
  exportJob: { files: string[] };
  resumeJob: { job: string; attached: boolean };
  runAgain: { job: string; attached: boolean };
  setNote: { note: string };
  changeTags: { tags: string[] };
  setPinned: { pinned: boolean };
  removeJob: { removed: string };
  /** `pinned`: jobs that would go by the rule, and are pinned. */
  planPrune: { jobs: number; bytes: number; pinned: number };
  prune: { jobs: number; bytes: number; pinned: number };
}
