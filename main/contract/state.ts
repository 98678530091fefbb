// What a screen shows: the state that reduce() makes of the events. Plain data, never changed in place.
import type {
  CircuitDescription,
  DeviceDescription,
  Failure,
  JobEnd,
  Mode,
  Priority,
  Residency,
  StepProgress,
  WorkerKind,
} from './events.ts';
import { allRows, type Rows, rowAt } from './rows.ts';

export type PartitionPhase = 'pending' | 'synthesizing' | 'synth_done' | 'gpu' | 'finalizing' | 'done' | 'failed' | 'cancelled';
export type JobPhase = 'queued' | 'running' | JobEnd;
export type DeviceWorkerPhase = 'idle' | 'proving' | 'faulted';

/** The parts of a partition's time, each measured by itself: a wait is never hidden in another's time. */
export const spanNames = [
  'queueWait',
  'memoryWait',
  'keyWait',
  'witness',
  'threadWait',
  'synthesis',
  'deviceQueue',
  'lockWait',
  'kernels',
  'finalizing',
  'verify',
] as const;
export type SpanName = (typeof spanNames)[number];

/** Monotonic milliseconds; open while `endedAt` is missing, frozen afterwards. */
export interface Span {
  startedAt: number;
  endedAt?: number;
}

export interface PartitionState {
  phase: PartitionPhase;
  /** 1 for the first. */
  attempt: number;
  /** The current attempt's parts. */
  spans: Readonly<Partial<Record<SpanName, Span>>>;
  /** The take by a device worker that this attempt is on. */
  assignment?: number;
  /** The worker that has or had it last. */
  worker?: number;
  /** How far the current step is, while there is one. */
  progress?: StepProgress;
  /** Milliseconds by step, as the prover measured them; of a partition that is done. */
  timings?: Readonly<Record<string, number>>;
  /** Why it failed; of a later attempt, why the one before was given up. */
  error?: Failure;
}

export interface JobState {
  job: string;
  kind: string;
  circuit: string;
  priority: Priority;
  mode: Mode;
  phase: JobPhase;
  submittedAt: number;
  submittedWallMs: number;
  deadlineAt?: number;
  /** The job that this one does again. */
  retryOf?: string;
  endedAt?: number;
  /** By partition: partitionsOf() and partitionOf() read them. */
  partitions: Rows<PartitionState>;
  error?: Failure;
}

/** What a device worker is on. */
export interface Assignment {
  assignment: number;
  job: string;
  partition: number;
  startedAt: number;
  /** When it got the device's lock. */
  kernelsAt?: number;
}

export interface WorkerState {
  worker: number;
  kind: WorkerKind;
  device?: string;
  phase: DeviceWorkerPhase | 'synthesizing';
  /** Of a device worker that is proving. */
  current?: Assignment;
  /** Of a synthesis worker, or a monolithic one in that part, at work. */
  synthesis?: { job: string; partition: number; startedAt: number };
  /** Since when it is in this phase. */
  since: number;
  restarts: number;
  error?: Failure;
}

/** A proof that a worker left behind when it took the next one: listed by itself, 0 to k per worker. */
export interface FinalizerState {
  assignment: number;
  worker: number;
  job: string;
  partition: number;
  startedAt: number;
  /** When its proof was being verified. */
  verifyAt?: number;
}

export interface KeyState {
  circuit: string;
  device: string;
  residency: Residency;
  bytes: number;
  since: number;
  /** While it is loading. */
  progress?: StepProgress;
}

/** Jobs by kind and by how they stand. */
export type Counters = Readonly<Record<string, Readonly<Record<JobPhase, number>>>>;

/** Jobs in rows, and each id's place in them. */
export interface JobTable {
  readonly places: Readonly<Record<string, number>>;
  readonly rows: Rows<JobState>;
}

export interface EngineState {
  /** The last event's number; 0 before the first. */
  seq: number;
  /** Its time. */
  at: number;
  /** When it was started: monotonic, and by the wall clock (milliseconds since 1970). */
  startedAt: number;
  startedWallMs: number;
  devices: readonly DeviceDescription[];
  /** By worker id; ids are sequential from 0. */
  workers: readonly WorkerState[];
  /** In order of submission: jobsOf() and jobOf() read them. */
  jobs: JobTable;
  /** What the keys that were opened say, by file. */
  circuits: Readonly<Record<string, CircuitDescription>>;
  /** By assignment. */
  finalizers: Readonly<Record<number, FinalizerState>>;
  /** By `circuit@device`. */
  keys: Readonly<Record<string, KeyState>>;
  /** Bytes of the budget by owner. */
  memory: Readonly<Record<string, number>>;
  /** All that keys and proofs may take together, in bytes. */
  budgetBytes: number;
  /** What the process takes, as the operating system says; 0 while it was not measured. */
  rssBytes: number;
  /** Jobs that left the live state, for the counters: by kind and end. */
  forgotten: Readonly<Record<string, Readonly<Partial<Record<JobEnd, number>>>>>;
  /** Ends that named an assignment which was neither a worker's current one nor in a finalizer. */
  staleEnds: number;
  /** Events that could not apply: about unknown or terminal things, or steps backwards. */
  ignored: number;
}

export const emptyState: EngineState = {
  seq: 0,
  at: 0,
  startedAt: 0,
  startedWallMs: 0,
  devices: [],
  workers: [],
  jobs: { places: {}, rows: [] },
  circuits: {},
  finalizers: {},
  keys: {},
  memory: {},
  budgetBytes: 0,
  rssBytes: 0,
  forgotten: {},
  staleEnds: 0,
  ignored: 0,
};

export const isTerminalJob = (phase: JobPhase): phase is JobEnd => phase !== 'queued' && phase !== 'running';
export const isTerminalPartition = (phase: PartitionPhase): boolean =>
  phase === 'done' || phase === 'failed' || phase === 'cancelled';

/** The live state's job of that id. */
export function jobOf({ jobs: { places, rows } }: EngineState, id: string): JobState | undefined {
  // An id may be anything that a person can type, `constructor` too.
  return Object.hasOwn(places, id) ? rowAt(rows, places[id]!) : undefined;
}

/** All jobs of the live state, in order of submission. */
export const jobsOf = (state: EngineState): JobState[] => allRows(state.jobs.rows);

export const partitionsOf = (job: JobState): PartitionState[] => allRows(job.partitions);
export const partitionOf = (job: JobState, partition: number): PartitionState | undefined => rowAt(job.partitions, partition);

/** Milliseconds of a span so far; of an open one until `now`. Never negative. */
export function spanMs(span: Span, now: number): number {
  return Math.max(0, (span.endedAt ?? now) - span.startedAt);
}

/** How many jobs of each kind stand how: computed from the jobs' own states, so that no two views can disagree. */
export function countersOf(state: EngineState): Counters {
  // A kind is any text, "__proto__" too: without a prototype it is a name like others.
  const counters: Record<string, Record<JobPhase, number>> = Object.create(null);
  const of = (kind: string) => {
    counters[kind] ??= { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, interrupted: 0 };
    return counters[kind];
  };
  for (const [kind, ends] of Object.entries(state.forgotten))
    for (const [end, count] of Object.entries(ends)) of(kind)[end as JobEnd] += count;
  for (const job of jobsOf(state)) of(job.kind)[job.phase] += 1;
  return counters;
}
