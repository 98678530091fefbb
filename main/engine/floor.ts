// What the loops work with, and what they report to: the engine's inside.
import type { PartitionSource } from '../contract/commands.ts';
import type { CallOptions, ProofResult, Prover, Witness } from '../prover/prover.ts';
import type { Clock } from './clock.ts';
import type { DeviceLine } from './device-line.ts';
import type { DeviceLock } from './device-lock.ts';
import type { Entry, Job } from './job.ts';
import type { Attempt } from './loops.ts';
import type { PartitionQueue } from './partition-queue.ts';
import type { Residency } from './residency.ts';
import type { Scheduler } from './scheduler.ts';
import type { StatusTracker } from './status-tracker.ts';

export type EngineProver = Pick<Prover, 'synthesize' | 'proveStart' | 'proveFinish'>;

export interface PreparedWitness {
  witness: Witness;
  /** Checks it against the constraints, on all threads; rejects with what it does not satisfy. */
  check?: (options: CallOptions) => Promise<void>;
  /** Says of a proof that does not verify why that may be, with the names that the person knows. */
  explain?: (problem: unknown) => unknown;
}

/** Makes a partition's witness of what was given. */
export interface WitnessPreparer {
  /** Whether it has to be computed, which is shown as a step of its own. */
  hasWork(source: PartitionSource): boolean;
  prepare(job: Job, source: PartitionSource, options: CallOptions): Promise<PreparedWitness>;
}

export interface Floor {
  readonly clock: Clock;
  readonly tracker: StatusTracker;
  readonly prover: EngineProver;
  readonly residency: Residency;
  readonly scheduler: Scheduler;
  readonly witnesses: WitnessPreparer;
  readonly lines: readonly DeviceLine[];
  /** With key and memory, for the synthesis workers. */
  readonly admitted: PartitionQueue<Attempt>;
  /** Where every computation uses all threads: only one runs at a time, the most urgent next. */
  readonly threads: DeviceLock | undefined;
  /** Resolves when the proof is on disk. */
  keep(entry: Entry, proof: ProofResult): Promise<void>;
  /** A partition is proved, verified and kept. */
  proved(entry: Entry, proof: ProofResult): void;
  /** A partition failed, which the tracker was told: so does its job. */
  failed(entry: Entry, problem: unknown): void;
  /** A device is lost, hung, or wrong: nothing more is done on it. */
  deviceFailed(line: DeviceLine, problem: unknown): void;
  /** Work that no loop waits for; shutdown does. */
  unattended(work: Promise<void>): void;
}
