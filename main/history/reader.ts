// The history's end for questions in the thread that asks them: opened when the first comes, and again after its thread was lost.
import type { Queries, QueryName } from './queries.ts';
import { HistoryThread } from './thread.ts';

export class Reader implements AsyncDisposable {
  readonly #file: string;
  #opening: Promise<HistoryThread> | undefined;
  #thread: HistoryThread | undefined;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects with `HistoryMissing` where there is none, with what database.ts throws, and with what the query throws. */
  async ask<N extends QueryName>(query: N, args: Parameters<Queries[N]>[1]): Promise<Awaited<ReturnType<Queries[N]>>> {
    const thread = await this.#open();
    return (await thread.ask({ query, args })) as Awaited<ReturnType<Queries[N]>>;
  }

  /** Ends the thread, after the questions that were asked. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await this.#thread?.close();
  }

  #open(): Promise<HistoryThread> {
    if (this.#thread?.gone && !this.#isClosed) this.#opening = undefined;
    this.#opening ??= HistoryThread.open<true>('history-reader', { file: this.#file }).then(
      ({ thread }) => {
        this.#thread = thread;
        return thread;
      },
      (problem) => {
        this.#opening = undefined;
        throw problem;
      },
    );
    return this.#opening;
  }
}
