// The stream of events: all that the engine does is one of these, and nothing changes but by one.
//
// Times are monotonic milliseconds of the engine's process (`at`); only events that begin something also carry the wall clock
// (`wallMs`, milliseconds since 1970). Ids are strings for jobs and numbers for workers and assignments, never used twice.

/** Who goes first, at every stage; within one priority the older job does. */
export const priorities = ['critical', 'high', 'normal', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** `pipelined`: synthesis and device phase overlap between partitions; `monolithic`: a partition is proved as one unit. */
export type Mode = 'pipelined' | 'monolithic';

export type WorkerKind = 'synthesis' | 'pipelined' | 'monolithic';

/** How a job ends; `interrupted` is what a restart makes of jobs that were running. */
export type JobEnd = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** Where a circuit's key is. */
export type Residency = 'cold' | 'loading' | 'hot';

/** An error as data: what CuzkError carries. */
export interface Failure {
  /** Stable, listed in docs/errors.md. */
  code: string;
  message: string;
  file?: string;
  remedy?: string;
}

/** One partition of one job. */
export interface PartitionRef {
  job: string;
  /** From 0. */
  partition: number;
}

/** One take of a partition by a device worker: the lease that the guard compares. */
export interface AssignmentRef extends PartitionRef {
  worker: number;
  /** Never used again, also not by a retry of the same partition on the same worker. */
  assignment: number;
}

export interface WorkerRegistration {
  /** Global and sequential over all kinds. */
  worker: number;
  kind: WorkerKind;
  /** The device of a device worker: `cpu`, `cuda:0`. */
  device?: string;
}

export type EngineEventBody =
  | { type: 'workersRegistered'; workers: WorkerRegistration[]; wallMs: number }
  | {
      type: 'jobSubmitted';
      job: string;
      /** What jobs are counted and batched by. */
      kind: string;
      circuit: string;
      partitions: number;
      priority: Priority;
      mode: Mode;
      /** Monotonic milliseconds by which the person wants it done. */
      deadlineAt?: number;
      wallMs: number;
    }
  /** The partition waits for memory, from now until memoryGranted. */
  | ({ type: 'memoryWaitStarted'; bytes: number } & PartitionRef)
  | ({ type: 'memoryGranted' } & PartitionRef)
  /** The partition waits for its circuit's key. */
  | ({ type: 'keyWaitStarted' } & PartitionRef)
  | ({ type: 'keyReady' } & PartitionRef)
  | ({ type: 'synthesisStarted'; worker: number } & PartitionRef)
  | ({ type: 'synthesisEnded'; worker: number } & PartitionRef)
  | ({ type: 'deviceStarted' } & AssignmentRef)
  /** The worker has the device's lock: kernels run. Until then it waits for the lock. */
  | ({ type: 'kernelsStarted' } & AssignmentRef)
  /** The device is free again; the finalizer goes on by itself. */
  | ({ type: 'deviceReleased' } & AssignmentRef)
  /** The finalizer has its proof and verifies it. */
  | ({ type: 'verifyStarted' } & AssignmentRef)
  | ({ type: 'partitionDone' } & AssignmentRef)
  | ({ type: 'partitionFailed'; error: Failure; worker?: number; assignment?: number } & PartitionRef)
  | ({ type: 'partitionCancelled'; worker?: number; assignment?: number } & PartitionRef)
  /** Back to `pending`, with the next attempt's number (the first attempt is 1). */
  | ({ type: 'partitionRetried'; attempt: number; reason: Failure } & PartitionRef)
  | { type: 'jobEnded'; job: string; end: JobEnd; error?: Failure }
  /** A terminal job leaves the live state; the history has it. */
  | { type: 'jobForgotten'; job: string }
  | { type: 'workerFaulted'; worker: number; error: Failure }
  | { type: 'workerRestarted'; worker: number; error: Failure }
  | { type: 'residencyChanged'; circuit: string; device: string; residency: Residency; bytes: number }
  /** What an owner holds of the budget from now on; 0 removes it. Owners are named for people: `key merkle on cpu`. */
  | { type: 'memoryHeld'; owner: string; bytes: number };

export type EngineEvent = EngineEventBody & {
  /** 1, 2, 3, ... without a gap. */
  seq: number;
  /** Monotonic milliseconds; never falls. */
  at: number;
};

export type EventType = EngineEventBody['type'];
