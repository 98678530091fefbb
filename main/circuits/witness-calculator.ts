// Computes witnesses from a circuit's .wasm and input files in a worker thread, with limits on time and memory.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { abortedCode, CuzkError } from '../contract/errors.ts';
import { isBundled, packageRoot } from '../package-root.ts';
import type { WitnessReply, WitnessRequest, WorkerData } from './witness-worker.ts';

const workerFile = join(packageRoot, isBundled ? 'dist/witness-worker.mjs' : 'main/circuits/witness-worker.ts');

export interface WitnessLimits {
  /** How long one witness may take. */
  timeoutMs?: number | undefined;
  /** How much memory the calculator may start with; a 32-bit WebAssembly memory ends at 4 GiB by itself. */
  memoryBytes?: number | undefined;
}

export interface ComputeOptions {
  signal?: AbortSignal | undefined;
  /** Receives the lines of the circuit's log(). */
  onLog?: ((line: string) => void) | undefined;
}

/** The witness calculator of one circuit: its thread lives until `close` (or `using`), or until a computation had to be stopped. */
export class WitnessCalculator {
  readonly #data: WorkerData;
  readonly #timeoutMs: number;
  #worker: Worker | undefined;

  constructor(
    wasmFile: string,
    { symFile, timeoutMs = 600_000, memoryBytes = 2 ** 32 }: WitnessLimits & { symFile?: string | undefined } = {},
  ) {
    this.#data = { wasmFile, symFile, memoryBytes };
    this.#timeoutMs = timeoutMs;
  }

  /** The whole .wtns of one input file. One computation at a time. */
  async compute(inputFile: string, { signal, onLog }: ComputeOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    if (signal?.aborted) throw stopped();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    // Whatever it is doing, it is not waited for: the thread may be in a loop of the circuit's own code.
    const end = (problem: CuzkError) => {
      reject(problem);
      void this.close();
    };
    const abort = () => end(stopped());
    const timer = setTimeout(() => end(this.#tooLong(inputFile)), this.#timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    const hear = (message: WitnessReply) => {
      if ('log' in message) onLog?.(message.log);
      else if ('wtns' in message) resolve(message.wtns);
      else reject(new CuzkError(message.refusal.code, message.refusal.message, message.refusal));
    };
    const die = (problem: unknown) => end(this.#died(problem));
    worker.on('message', hear).on('error', die);
    try {
      worker.postMessage({ inputFile } satisfies WitnessRequest);
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      worker.off('message', hear).off('error', die);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #start(): Worker {
    const worker = new Worker(workerFile, { workerData: this.#data });
    // A thread that dies between two computations is replaced by the next one's.
    return worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
  }

  #tooLong(inputFile: string): CuzkError {
    return new CuzkError('WitnessTimeout', `the witness was not computed within ${this.#timeoutMs / 1000} s`, {
      file: inputFile,
      remedy: 'allow more time with --timeout, or check the circuit for an endless loop',
    });
  }

  #died(problem: unknown): CuzkError {
    return new CuzkError(
      'WitnessFailed',
      `the witness calculator stopped: ${problem instanceof Error ? problem.message : String(problem)}`,
      {
        file: this.#data.wasmFile,
        remedy: 'check that there is enough memory',
        cause: problem,
      },
    );
  }
}

const stopped = () => new CuzkError(abortedCode, 'interrupted');
