// The history as an engine's journal that lives long: where it cannot be opened, jobs are refused with the reason, and every further job
// tries again, since the other process that writes may have ended, or the disk have room.
import { resolve } from 'node:path';
import type { JobRequest } from '../contract/commands.ts';
import type { Failure } from '../contract/events.ts';
import { failureOf } from '../engine/job.ts';
import type { Journal } from '../engine/journal.ts';
import { newJobId, type Recorder, type Source } from '../history/recorder.ts';
import type { ProofResult } from '../prover/prover.ts';

export class OpeningJournal implements Journal, AsyncDisposable {
  readonly #open: () => Promise<Recorder>;
  #engine: Source | undefined;
  #opened: Promise<Recorder> | undefined;
  #recorder: Recorder | undefined;
  #problem: Failure | undefined;

  /** `open` opens the history for writing. */
  constructor(open: () => Promise<Recorder>) {
    this.#open = open;
  }

  /** The engine that is recorded; before its first job. */
  attach(engine: Source): void {
    this.#engine = engine;
  }

  /** Why nothing can be written now. */
  get problem(): Failure | undefined {
    return this.#problem;
  }

  /** The recorder, opened if it was not yet. Rejects with why it cannot be. */
  recorder(): Promise<Recorder> {
    this.#opened ??= this.#open().then(
      (recorder) => {
        this.#problem = undefined;
        this.#recorder = recorder;
        if (this.#engine) recorder.attach(this.#engine);
        return recorder;
      },
      (problem) => {
        this.#opened = undefined;
        this.#problem = failureOf(problem);
        throw problem;
      },
    );
    return this.#opened;
  }

  newJobId(): string {
    return newJobId();
  }

  async accept(job: string, request: JobRequest, retryOf: string | undefined): Promise<void> {
    await (await this.recorder()).accept(job, absolute(request), retryOf);
  }

  async keep(job: string, partition: number, proof: ProofResult): Promise<void> {
    await (await this.recorder()).keep(job, partition, proof);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened?.catch(() => {});
    await this.#recorder?.close();
  }
}

/** A request whose paths mean the same from any folder: the history is read from anywhere. */
export function absolute({ circuit, partitions, ...rest }: JobRequest): JobRequest {
  const { zkey, wasm, r1cs, sym } = circuit;
  return {
    ...rest,
    circuit: {
      zkey: resolve(zkey),
      ...(wasm ? { wasm: resolve(wasm) } : {}),
      ...(r1cs ? { r1cs: resolve(r1cs) } : {}),
      ...(sym ? { sym: resolve(sym) } : {}),
    },
    partitions: partitions.map((one) => ('witness' in one ? { witness: resolve(one.witness) } : { input: resolve(one.input) })),
  };
}
