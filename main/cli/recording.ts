// The history of what a command proves: opened while the key is being loaded, told everything, closed when all is written.
import packageJson from '../../package.json' with { type: 'json' };
import type { JobRequest } from '../contract/commands.ts';
import { asCuzkError } from '../contract/errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { Journal } from '../engine/journal.ts';
import type { Recorder } from '../history/recorder.ts';
import { absolute } from '../host/journal.ts';
import type { ProofResult } from '../prover/prover.ts';
import type { Context } from './context.ts';

export interface RecordingOptions {
  /** Whether jobs are refused when they cannot be recorded; otherwise that is told, and they are proved all the same. */
  isRequired: boolean;
  /** What else must be on disk before a partition is done: the proof's own files. */
  files?: Pick<Journal, 'keep'> | undefined;
}

export class Recording implements Journal, AsyncDisposable {
  readonly #recorder: Promise<Recorder | undefined>;
  readonly #files: Pick<Journal, 'keep'> | undefined;
  readonly #newJobId: () => string;
  #engine: Engine | undefined;
  #attached: Promise<Recorder | undefined> | undefined;

  private constructor(recorder: Promise<Recorder | undefined>, newJobId: () => string, files: RecordingOptions['files']) {
    this.#recorder = recorder;
    // Told by accept(); until then a failure must not count as unhandled.
    recorder.catch(() => {});
    this.#newJobId = newJobId;
    this.#files = files;
  }

  /** Begins to open the history; whoever needs it waits for it. */
  static async open(context: Context, { isRequired, files }: RecordingOptions): Promise<Recording> {
    const [{ Recorder, newJobId }, { historyFile }] = await Promise.all([
      import('../history/recorder.ts'),
      import('../history/location.ts'),
    ]);
    const opening = Recorder.open({ file: historyFile(), app: `cuzk ${packageJson.version}` }).catch((problem) => {
      if (isRequired) throw problem;
      const { code, message, file } = asCuzkError(problem);
      context.output.note({ event: 'note', code, file }, `note: this is not recorded in the history: ${message}`);
      return undefined;
    });
    return new Recording(opening, newJobId, files);
  }

  /** The engine that is recorded, before its first job. */
  attach(engine: Engine): void {
    this.#engine = engine;
  }

  newJobId(): string {
    return this.#newJobId();
  }

  async accept(job: string, request: JobRequest, retryOf: string | undefined): Promise<void> {
    this.#attached ??= this.#recorder.then((recorder) => {
      if (this.#engine) recorder?.attach(this.#engine);
      return recorder;
    });
    const recorder = await this.#attached;
    await recorder?.accept(job, absolute(request), retryOf);
  }

  async keep(job: string, partition: number, proof: ProofResult): Promise<void> {
    // First where it cannot get lost, then where the person wants it.
    const recorder = await this.#recorder;
    await recorder?.keep(job, partition, proof);
    await this.#files?.keep(job, partition, proof);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const recorder = await this.#recorder.catch(() => undefined);
    await recorder?.close();
  }
}
