// A job in flight: what was asked, what has come of it, and the one place where it becomes terminal.
import { basename, extname } from 'node:path';
import type { JobRequest, PartitionSource } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { Failure, JobEnd, Mode, Priority } from '../contract/events.ts';
import type { KeyFile } from '../prover/keys.ts';
import type { ProofResult } from '../prover/prover.ts';
import type { Queued } from './partition-queue.ts';

export interface JobOutcome {
  job: string;
  end: JobEnd;
  /** All of them, in order, when the job succeeded. */
  proofs: ProofResult[];
  error?: Failure;
  /** What was thrown, for whoever is in the same process. */
  problem?: unknown;
}

export type ProofListener = (partition: number, proof: ProofResult) => void;

/** What a job is made of, besides what was asked. */
export interface JobMaking {
  id: string;
  /** Its place in the order of submission. */
  order: number;
  key: KeyFile;
  /** Monotonic milliseconds. */
  deadlineAt?: number | undefined;
  /** Devices that must not prove it. */
  avoid?: readonly string[] | undefined;
  /** Told of each proof when it is verified and kept. A listener that throws is not asked again. */
  onProof?: ProofListener | undefined;
}

/** One partition on its way; the same object in every queue, over all its attempts. */
export interface Entry extends Queued {
  readonly job: Job;
  readonly source: PartitionSource;
  /** 1 for the first. */
  attempt: number;
  /** Devices that failed it, or that were not asked for: no later attempt goes there. */
  readonly avoid: Set<string>;
  /** A device whose proof did not verify: it is at fault if another device proves the same. */
  suspect?: string;
  /** How often a later partition was preferred to it because that one's key was in memory. */
  passed: number;
}

export class Job {
  readonly id: string;
  readonly request: JobRequest;
  readonly key: KeyFile;
  readonly kind: string;
  readonly priority: Priority;
  readonly mode: Mode;
  readonly entries: readonly Entry[];
  readonly ended: Promise<JobOutcome>;
  /** What stops each attempt that is under way. */
  readonly underWay = new Set<AbortController>();
  #onProof: ProofListener | undefined;
  readonly #proofs: (ProofResult | undefined)[];
  readonly #settle: (outcome: JobOutcome) => void;
  #end: JobEnd | undefined;

  constructor(request: JobRequest, { id, order, key, deadlineAt, avoid, onProof }: JobMaking) {
    const { zkey } = request.circuit;
    const { priority = 'normal', mode = 'pipelined', kind = basename(zkey, extname(zkey)) || zkey } = request;
    this.id = id;
    this.request = request;
    this.key = key;
    this.kind = kind;
    this.priority = priority;
    this.mode = mode;
    this.entries = request.partitions.map((source, partition) => ({
      job: this,
      partition,
      source,
      priority,
      jobOrder: order,
      deadlineAt,
      attempt: 1,
      avoid: new Set(avoid),
      passed: 0,
    }));
    this.#proofs = request.partitions.map(() => undefined);
    this.#onProof = onProof;
    const { promise, resolve } = Promise.withResolvers<JobOutcome>();
    this.ended = promise;
    this.#settle = resolve;
  }

  get isTerminal(): boolean {
    return this.#end !== undefined;
  }

  /** The proofs that there are, by partition; a failed job keeps those that it had. */
  get proofs(): ReadonlyMap<number, ProofResult> {
    return new Map(this.#proofs.flatMap((proof, partition) => (proof ? [[partition, proof] as const] : [])));
  }

  /** Keeps a proof; true when it was the last one. */
  proved(partition: number, proof: ProofResult): boolean {
    this.#proofs[partition] = proof;
    try {
      this.#onProof?.(partition, proof);
    } catch {
      this.#onProof = undefined;
    }
    return this.#proofs.every((one) => one !== undefined);
  }

  /** Makes the job terminal and stops what is done for it; false when it was terminal. */
  finish(end: JobEnd, error?: Failure, problem?: unknown): boolean {
    if (this.#end) return false;
    this.#end = end;
    const proofs = end === 'succeeded' ? (this.#proofs as ProofResult[]) : [];
    this.#settle({ job: this.id, end, proofs, ...(error ? { error, problem } : {}) });
    for (const attempt of this.underWay) attempt.abort();
    return true;
  }
}

/** An error as the events carry it. */
export function failureOf(problem: unknown): Failure {
  if (problem instanceof CuzkError) {
    const { code, message, file, offset, remedy } = problem;
    return {
      code,
      message,
      ...(file ? { file } : {}),
      ...(offset === undefined ? {} : { offset }),
      ...(remedy ? { remedy } : {}),
    };
  }
  return { code: 'Internal', message: problem instanceof Error ? problem.message : String(problem) };
}
