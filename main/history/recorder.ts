// The history's end in the engine's thread: hears its events, is its journal, and leaves all writing to a thread of its own.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { EngineEvent, Failure } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';
import type { Journal } from '../engine/journal.ts';
import { isBundled, packageRoot } from '../package-root.ts';
import type { ProofResult } from '../prover/prover.ts';
import { isKept } from './event-streams.ts';
import { preambleOf } from './preamble.ts';
import type { ChangeName, Changes } from './upkeep.ts';
import type { FromThread, ThreadData, ToThread } from './writer-thread.ts';

const threadFile = join(packageRoot, isBundled ? 'dist/history-writer.mjs' : 'main/history/writer-thread.ts');

/** What the recorder needs of an engine. */
export interface Source {
  snapshot(): EngineState;
  subscribe(listener: (event: EngineEvent) => void): () => void;
}

/** Events are handed to the thread together, this often, in milliseconds. */
const handOverMs = 20;
/** Crockford's base 32: no i, l, o, u, which are misread. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** 60 bits: no two are alike among all that a person will ever make, nor among those of two machines. */
export const newJobId = (): string => [...randomBytes(12)].map((byte) => letters[byte % 32]).join('');

export class Recorder implements Journal, AsyncDisposable {
  /** The ids of the jobs that a process before this one left behind; they are `interrupted` now. */
  readonly interrupted: readonly string[];
  readonly #thread: Worker;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (problem: unknown) => void }>();
  #heard: EngineEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ids = 0;
  #gone: CuzkError | undefined;

  private constructor(thread: Worker, interrupted: readonly string[]) {
    this.#thread = thread;
    this.interrupted = interrupted;
    thread.on('message', (reply: FromThread) => this.#reply(reply)).on('error', (problem) => this.#lose(problem));
    thread.on('exit', () => this.#lose(undefined));
  }

  /**
   * Opens the history for writing, ends what a dead process left in it, and starts its thread. Throws `HistoryReadOnly` when another
   * process writes it, and what database.ts throws.
   */
  static async open(data: ThreadData): Promise<Recorder> {
    const thread = new Worker(threadFile, { workerData: data });
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const hear = (reply: FromThread) => {
      if ('opened' in reply) resolve(reply.opened.interrupted);
      else if ('refused' in reply) reject(errorOf(reply.refused));
    };
    thread.on('message', hear).on('error', reject);
    try {
      const interrupted = await promise;
      return new Recorder(thread, interrupted);
    } catch (problem) {
      await thread.terminate();
      throw problem;
    } finally {
      thread.off('message', hear).off('error', reject);
    }
  }

  /** Records the engine from now on; before its first job. What it said before is told from its state. */
  attach(engine: Source): () => void {
    for (const event of preambleOf(engine.snapshot())) this.#hear(event);
    return engine.subscribe((event) => this.#hear(event));
  }

  newJobId(): string {
    return newJobId();
  }

  async accept(job: string, request: JobRequest, retryOf: string | undefined): Promise<void> {
    // Written after all events before it: with a slow disk submits wait, and what has not been written stays bounded by the jobs that run.
    await this.#ask({ message: { do: 'accept', job, request, retryOf, wallMs: Date.now() } });
  }

  async keep(job: string, partition: number, { proof, publicSignals }: ProofResult): Promise<void> {
    await this.#ask({ message: { do: 'keep', job, partition, proof: { proof, publicSignals } } });
  }

  /** Changes what a person may: notes, tags, pins, deletions (upkeep.ts). */
  async change<N extends ChangeName>(change: N, args: Parameters<Changes[N]>[1]): Promise<ReturnType<Changes[N]>> {
    return (await this.#ask({ change, args })) as ReturnType<Changes[N]>;
  }

  /** Writes what is left and gives the writer's lock back. */
  async close(): Promise<void> {
    if (this.#gone) return;
    await this.#ask({ close: true });
    this.#gone = closed();
    await this.#thread.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #hear(event: EngineEvent): void {
    if (!isKept(event) || this.#gone) return;
    this.#heard.push(event);
    this.#timer ??= setTimeout(() => this.#handOver(), handOverMs);
  }

  #handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#heard.length === 0) return;
    this.#thread.postMessage({ message: { do: 'events', events: this.#heard } } satisfies ToThread);
    this.#heard = [];
  }

  #ask(order: Record<string, unknown>): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    // What happened before is written before.
    this.#handOver();
    const id = ++this.#ids;
    this.#thread.postMessage({ ...order, id });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #reply(reply: FromThread): void {
    if (!('id' in reply)) return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.problem) waiting?.reject(errorOf(reply.problem));
    else waiting?.resolve(reply.result);
  }

  #lose(cause: unknown): void {
    this.#gone ??= new CuzkError('HistoryStopped', 'the thread that writes the history has ended', {
      remedy: 'start cuzk again; what was reported done is on the disk',
      cause,
    });
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}

const closed = () => new CuzkError('HistoryStopped', 'the history is closed', { remedy: 'open it again' });

const errorOf = ({ code, message, ...details }: Failure) => new CuzkError(code, message, details);
