// A thread of the history's and the questions to it: each has a number, and whoever waits for an answer hears also when the thread is gone.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import type { Failure } from '../contract/events.ts';
import { isBundled, packageRoot } from '../package-root.ts';

/** What a thread says first: that it is ready, or why it cannot be. */
export type FirstWord<T> = { opened: T } | { refused: Failure };
/** The answer to the question of that number. */
export interface Reply {
  id: number;
  problem?: Failure;
  result?: unknown;
}

const files = {
  'history-writer': 'writer-thread.ts',
  'history-reader': 'reader-thread.ts',
} as const;

/** As an error travels between threads. */
export const toFailure = (problem: unknown): Failure => {
  const { code, message, file, remedy }: CuzkError = asCuzkError(problem);
  return { code, message, ...(file ? { file } : {}), ...(remedy ? { remedy } : {}) };
};
const fromFailure = ({ code, message, ...details }: Failure) => new CuzkError(code, message, details);

export class HistoryThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (problem: unknown) => void }>();
  #ids = 0;
  #gone: CuzkError | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#reply(reply)).on('error', (problem) => this.#lose(problem));
    worker.on('exit', () => this.#lose(undefined));
  }

  /** Starts a thread, which is named as its file in the bundle. Rejects with what it refuses to work for. */
  static async open<T>(name: keyof typeof files, workerData: unknown): Promise<{ thread: HistoryThread; opened: T }> {
    const file = isBundled ? join('dist', `${name}.mjs`) : join('main/history', files[name]);
    const worker = new Worker(join(packageRoot, file), { workerData });
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const hear = (word: FirstWord<T>) => ('opened' in word ? resolve(word.opened) : reject(fromFailure(word.refused)));
    worker.once('message', hear).on('error', reject);
    try {
      const opened = await promise;
      return { thread: new HistoryThread(worker), opened };
    } catch (problem) {
      await worker.terminate();
      throw problem;
    } finally {
      worker.off('message', hear).off('error', reject);
    }
  }

  /** Why it answers no more. */
  get gone(): CuzkError | undefined {
    return this.#gone;
  }

  /** Says something that needs no answer. */
  tell(word: object): void {
    this.#worker.postMessage(word);
  }

  /** Rejects with what the thread has against it, or with `HistoryStopped` when it is gone. */
  ask(question: object): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#ids;
    this.#worker.postMessage({ ...question, id });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Asks it to close what it has open, and ends it. */
  async close(): Promise<void> {
    if (this.#gone) return;
    await this.ask({ close: true });
    this.#gone = new CuzkError('HistoryStopped', 'the history is closed', { remedy: 'open it again' });
    await this.#worker.terminate();
  }

  #reply({ id, problem, result }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (problem) waiting?.reject(fromFailure(problem));
    else waiting?.resolve(result);
  }

  #lose(cause: unknown): void {
    this.#gone ??= new CuzkError('HistoryStopped', 'a thread of the history has ended', {
      remedy: 'start cuzk again; what was reported done is on the disk',
      cause,
    });
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}
