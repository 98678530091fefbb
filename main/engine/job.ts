// A job in flight: what was asked, what has come of it, and the one place where it becomes terminal.
import { CuzkError } from '../contract/errors.ts';
import type { Failure, JobEnd, Mode, Priority } from '../contract/events.ts';
import type { ProofResult, Witness } from '../prover/prover.ts';
import type { Queued } from './partition-queue.ts';

export interface JobRequest {
  /** What jobs are counted and batched by. */
  kind: string;
  /** The key's file. */
  circuit: string;
  /** One per partition, in order. */
  witnesses: Witness[];
  priority?: Priority;
  mode?: Mode;
  /** Monotonic milliseconds. */
  deadlineAt?: number;
}

export interface JobOutcome {
  job: string;
  end: JobEnd;
  /** All of them, in order, when the job succeeded. */
  proofs: ProofResult[];
  error?: Failure;
}

/** One partition on its way; the same object in every queue. */
export interface Entry extends Queued {
  readonly job: Job;
  readonly witness: Witness;
}

export class Job {
  readonly id: string;
  readonly kind: string;
  readonly circuit: string;
  readonly priority: Priority;
  readonly mode: Mode;
  readonly entries: readonly Entry[];
  readonly ended: Promise<JobOutcome>;
  readonly #stop = new AbortController();
  readonly #proofs: (ProofResult | undefined)[];
  readonly #settle: (outcome: JobOutcome) => void;
  #end: JobEnd | undefined;

  constructor(
    id: string,
    order: number,
    { kind, circuit, witnesses, priority = 'normal', mode = 'pipelined', deadlineAt }: JobRequest,
  ) {
    this.id = id;
    this.kind = kind;
    this.circuit = circuit;
    this.priority = priority;
    this.mode = mode;
    this.entries = witnesses.map((witness, partition) => ({
      job: this,
      partition,
      witness,
      priority,
      jobOrder: order,
      deadlineAt,
    }));
    this.#proofs = witnesses.map(() => undefined);
    const { promise, resolve } = Promise.withResolvers<JobOutcome>();
    this.ended = promise;
    this.#settle = resolve;
  }

  /** Aborted as soon as the job is terminal: everything that is still done for it stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get isTerminal(): boolean {
    return this.#end !== undefined;
  }

  /** Keeps a proof; true when it was the last one. */
  proved(partition: number, proof: ProofResult): boolean {
    this.#proofs[partition] = proof;
    return this.#proofs.every((one) => one !== undefined);
  }

  /** Makes the job terminal; false when it was. */
  finish(end: JobEnd, error?: Failure): boolean {
    if (this.#end) return false;
    this.#end = end;
    const proofs = end === 'succeeded' ? (this.#proofs as ProofResult[]) : [];
    this.#settle({ job: this.id, end, proofs, ...(error ? { error } : {}) });
    this.#stop.abort();
    return true;
  }
}

/** An error as the events carry it. */
export function failureOf(problem: unknown): Failure {
  if (problem instanceof CuzkError) {
    const { code, message, file, remedy } = problem;
    return { code, message, ...(file ? { file } : {}), ...(remedy ? { remedy } : {}) };
  }
  return { code: 'Internal', message: problem instanceof Error ? problem.message : String(problem) };
}
