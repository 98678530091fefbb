// What must be on disk before the engine says that it happened. The history implements it; an engine without one keeps nothing.
import type { JobRequest } from '../contract/commands.ts';
import type { ProofResult } from '../prover/prover.ts';

export interface Journal {
  /** An id that no other job has or had, in this engine or in one before it. */
  newJobId(): string;
  /** Resolves when the job would be found again after a power cut: submit() returns after it. A rejection refuses the job. */
  accept(job: string, request: JobRequest, retryOf: string | undefined): Promise<void>;
  /** Resolves when the proof would be: the partition is reported done after it. A rejection fails the partition. */
  keep(job: string, partition: number, proof: ProofResult): Promise<void>;
}
