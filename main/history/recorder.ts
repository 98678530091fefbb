// The history's end in the engine's thread: hears its events, is its journal, and leaves all writing to a thread of its own.
import { randomBytes } from 'node:crypto';
import type { JobRequest } from '../contract/commands.ts';
import type { EngineEvent } from '../contract/events.ts';
import type { PruneRequest } from '../contract/history.ts';
import type { EngineState } from '../contract/state.ts';
import type { Journal } from '../engine/journal.ts';
import type { ProofResult } from '../prover/prover.ts';
import { isKept } from './event-streams.ts';
import { preambleOf } from './preamble.ts';
import { HistoryThread } from './thread.ts';
import type { ChangeName, Changes, Pruned } from './upkeep.ts';
import type { Opened, ThreadData, ToThread } from './writer-thread.ts';

/** What the recorder needs of an engine. */
export interface Source {
  snapshot(): EngineState;
  subscribe(listener: (event: EngineEvent) => void): () => void;
}

/** Events are handed to the thread together, this often, in milliseconds. */
const handOverMs = 20;
/** So many jobs are deleted in one transaction. */
const prunedTogether = 100;
/** Crockford's base 32: no i, l, o, u, which are misread. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** 60 bits: no two are alike among all that a person will ever make, nor among those of two machines. */
export const newJobId = (): string => [...randomBytes(12)].map((byte) => letters[byte % 32]).join('');

export class Recorder implements Journal, AsyncDisposable {
  /** The ids of the jobs that a process before this one left behind; they are `interrupted` now. */
  readonly interrupted: readonly string[];
  readonly #thread: HistoryThread;
  #heard: EngineEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(thread: HistoryThread, interrupted: readonly string[]) {
    this.#thread = thread;
    this.interrupted = interrupted;
  }

  /**
   * Opens the history for writing, ends what a dead process left in it, and starts its thread. Throws `HistoryReadOnly` when another
   * process writes it, and what database.ts throws.
   */
  static async open(data: ThreadData): Promise<Recorder> {
    const { thread, opened } = await HistoryThread.open<Opened>('history-writer', data);
    return new Recorder(thread, opened.interrupted);
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

  /** Deletes what retention lets go, a few jobs at a time, so that what an engine waits for is written in between. */
  async prune(request: PruneRequest): Promise<Pruned> {
    const all = { jobs: 0, bytes: 0 };
    for (;;) {
      const { jobs, bytes, pinned } = await this.change('prune', { ...request, mostJobs: prunedTogether });
      all.jobs += jobs;
      all.bytes += bytes;
      if (jobs < prunedTogether) return { ...all, pinned };
    }
  }

  /** Writes what is left and gives the writer's lock back. */
  async close(): Promise<void> {
    if (!this.#thread.gone) this.#handOver();
    await this.#thread.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #hear(event: EngineEvent): void {
    if (!isKept(event) || this.#thread.gone) return;
    this.#heard.push(event);
    this.#timer ??= setTimeout(() => this.#handOver(), handOverMs);
  }

  #handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#heard.length === 0) return;
    this.#thread.tell({ message: { do: 'events', events: this.#heard } } satisfies ToThread);
    this.#heard = [];
  }

  #ask(question: Record<string, unknown>): Promise<unknown> {
    // What happened before is written before.
    if (!this.#thread.gone) this.#handOver();
    return this.#thread.ask(question);
  }
}
