// The stream of events: all that the engine does is one of these, and nothing changes but by one.
//
// Times are monotonic milliseconds of the engine's process (`at`); only events that begin something also carry the wall clock
// (`wallMs`, milliseconds since 1970). Ids are strings for jobs and numbers for workers and assignments, never used twice.

/** Who goes first, at every stage; within one priority the older job does. */
export const priorities = ['critical', 'high', 'normal', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** `pipelined`: synthesis and device phase overlap between partitions; `monolithic`: a partition is proved as one unit. */
export const modes = ['pipelined', 'monolithic'] as const;
export type Mode = (typeof modes)[number];

export type WorkerKind = 'synthesis' | 'pipelined' | 'monolithic';

/** How a job ends; `interrupted` is what a shutdown or a restart makes of jobs that were running. */
export type JobEnd = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** Where a circuit's key is. */
export type Residency = 'cold' | 'loading' | 'hot';

/** An error as data: what CuzkError carries. */
export interface Failure {
  /** Stable, listed in docs/errors.md. */
  code: string;
  message: string;
  file?: string;
  /** The byte in that file. */
  offset?: number;
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

export interface DeviceDescription {
  /** `cpu`, `cuda:0`. */
  device: string;
  /** As its maker calls it. */
  name: string;
  /** All that it has, in bytes. */
  memoryBytes: number;
}

/** What a key says about its circuit. */
export interface CircuitDescription {
  /** The key's file. */
  circuit: string;
  curve: string;
  nVars: number;
  nPublic: number;
  domainSize: number;
  /** Bytes of the loaded key. */
  keyBytes: number;
  /** Bytes of one proof in work, at most, besides. */
  proofBytes: number;
  /** Why proofs of this key can be forged or prove nothing; null for a sound key. */
  insecure: string | null;
}

/** How far a long step is. `step` is a name of the prover's: `load`, `ntt`, `msm_a`; `done` of `total` in units of its own. */
export interface StepProgress {
  step: string;
  done: number;
  total: number;
}

export type EngineEventBody =
  /** The first event: what there is to work with. `budgetBytes` is what keys and proofs may take together. */
  | { type: 'engineStarted'; budgetBytes: number; devices: DeviceDescription[]; wallMs: number }
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
      /** The job that this one does again. */
      retryOf?: string;
      wallMs: number;
    }
  /** A key was read for the first time since the engine's start, or says something else than before. */
  | ({ type: 'circuitOpened' } & CircuitDescription)
  /** The job that this one does again had proved the partition: its proof is taken over. */
  | ({ type: 'partitionRestored' } & PartitionRef)
  /** The partition waits for memory, from now until memoryGranted. */
  | ({ type: 'memoryWaitStarted'; bytes: number } & PartitionRef)
  | ({ type: 'memoryGranted' } & PartitionRef)
  /** The partition waits for its circuit's key. */
  | ({ type: 'keyWaitStarted' } & PartitionRef)
  | ({ type: 'keyReady' } & PartitionRef)
  /** The worker computes the partition's witness from its inputs, or checks it against the constraints, before synthesis. */
  | ({ type: 'witnessStarted'; worker: number } & PartitionRef)
  /** All threads of the machine are at work on something else; ends with synthesisStarted. */
  | ({ type: 'threadWaitStarted' } & PartitionRef)
  | ({ type: 'synthesisStarted'; worker: number } & PartitionRef)
  /** The worker is free; `done` says whether there is a synthesis for the device now, or the partition's failure follows. */
  | ({ type: 'synthesisEnded'; worker: number; done: boolean } & PartitionRef)
  | ({ type: 'deviceStarted' } & AssignmentRef)
  /** The worker has the device's lock: kernels run. Until then it waits for the lock. */
  | ({ type: 'kernelsStarted' } & AssignmentRef)
  /** Of a monolithic worker, which finishes its proof itself: the kernels have ended. */
  | ({ type: 'finalizingStarted' } & AssignmentRef)
  /** The device is free again; the finalizer goes on by itself. */
  | ({ type: 'deviceReleased' } & AssignmentRef)
  /** The proof is assembled, and verified from now on. */
  | ({ type: 'verifyStarted' } & AssignmentRef)
  /** `timings`: milliseconds by step, as the prover measured them. */
  | ({ type: 'partitionDone'; timings?: Readonly<Record<string, number>> } & AssignmentRef)
  | ({ type: 'partitionFailed'; error: Failure; worker?: number; assignment?: number } & PartitionRef)
  | ({ type: 'partitionCancelled'; worker?: number; assignment?: number } & PartitionRef)
  /** Back to `pending`, with the next attempt's number (the first attempt is 1); ends the assignment that it names. */
  | ({ type: 'partitionRetried'; attempt: number; reason: Failure; worker?: number; assignment?: number } & PartitionRef)
  /** Told a few times a second; changes nothing but what is shown. */
  | ({ type: 'partitionProgress' } & PartitionRef & StepProgress)
  | ({ type: 'keyProgress'; circuit: string; device: string } & StepProgress)
  | { type: 'jobEnded'; job: string; end: JobEnd; error?: Failure }
  /** A terminal job leaves the live state; the history has it. */
  | { type: 'jobForgotten'; job: string }
  /** The worker's device is gone or wrong: it takes nothing more. */
  | { type: 'workerFaulted'; worker: number; error: Failure }
  /** The worker's loop broke, which is a fault of the program, and was begun again. */
  | { type: 'workerRestarted'; worker: number; error: Failure }
  | { type: 'residencyChanged'; circuit: string; device: string; residency: Residency; bytes: number }
  /** What an owner holds of the budget from now on; 0 removes it. Owners are named for people: `key merkle.zkey on cpu`. */
  | { type: 'memoryHeld'; owner: string; bytes: number }
  /** What the operating system says that the process takes, to stand beside the budget's ledger. */
  | { type: 'memoryMeasured'; rssBytes: number };

export type EngineEvent = EngineEventBody & {
  /** 1, 2, 3, ... without a gap. */
  seq: number;
  /** Monotonic milliseconds; never falls. */
  at: number;
};

export type EventType = EngineEventBody['type'];
