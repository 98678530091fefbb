// The one that writes: turns what the engine says into transactions. Knows nothing of threads; writer-thread.ts runs it in one.
import { basename, extname } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Database, Statement } from 'better-sqlite3';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { EngineEvent } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { type EngineState, emptyState } from '../contract/state.ts';
import type { ProofResult } from '../prover/prover.ts';
import { historyError, isOfTheDisk } from './errors.ts';
import { EventRows } from './event-rows.ts';
import { encodeProof } from './proof-codec.ts';

export type Message =
  | { do: 'events'; events: EngineEvent[] }
  | { do: 'accept'; job: string; request: JobRequest; retryOf: string | undefined; wallMs: number }
  | { do: 'keep'; job: string; partition: number; proof: Pick<ProofResult, 'proof' | 'publicSignals'> };

export interface WriterOptions {
  /** The database's file, for errors. */
  file: string;
  /** The program with its version. */
  app: string;
  wallMs?: () => number;
}

export class Writer {
  readonly #db: Database;
  readonly #rows: EventRows;
  readonly #options: Required<WriterOptions>;
  readonly #statements: Record<'run' | 'request' | 'proof', Statement>;
  /** The engine's state after the last event that was written. */
  #state: EngineState = emptyState;
  #run: number | undefined;
  #unsaved: EngineEvent[] = [];

  constructor(db: Database, options: WriterOptions) {
    this.#db = db;
    this.#rows = new EventRows(db);
    this.#options = { wallMs: () => Date.now(), ...options };
    this.#statements = {
      run: db.prepare('INSERT INTO runs (started_ms, app) VALUES (?, ?)'),
      request: db.prepare('INSERT INTO requests (job, data) VALUES (?, ?)'),
      proof: db.prepare('INSERT OR REPLACE INTO proofs (job, partition, format, proof, public) VALUES (?, ?, ?, ?, ?)'),
    };
  }

  get unsavedEvents(): number {
    return this.#unsaved.length;
  }

  /**
   * All in one transaction; if that fails, each by itself, so that none suffers for another. Never throws: returns the problem of each message,
   * undefined where it is on the disk. Events that the disk refused stay here, and are tried again with the next write.
   */
  write(messages: readonly Message[]): unknown[] {
    return this.#together(messages) ? messages.map(() => undefined) : messages.map((message) => this.#alone(message));
  }

  #together(messages: readonly Message[]): boolean {
    try {
      this.#transaction([this.#waiting(), ...messages]);
      this.#unsaved = [];
      return true;
    } catch {
      return false;
    }
  }

  #alone(message: Message): unknown {
    // A job is taken only when all that was before it is on the disk, so that no backlog grows; a proof is no worse for it.
    const all = message.do === 'keep' ? [message] : [this.#waiting(), message];
    try {
      this.#transaction(all);
      if (message.do !== 'keep') this.#unsaved = [];
      return undefined;
    } catch (problem) {
      // What the disk refuses now it may take later. Anything else is a mistake in here, which must not stand in the way of all that follows.
      if (message.do === 'events') this.#unsaved = isOfTheDisk(problem) ? [...this.#unsaved, ...message.events] : [];
      return problem;
    }
  }

  #waiting(): Message {
    return { do: 'events', events: this.#unsaved };
  }

  #transaction(messages: readonly Message[]): void {
    // Only what somebody waits for needs to be on the disk at once; events follow at the next such moment, in the same order.
    const awaited = messages.some(({ do: what }) => what !== 'events');
    const [state, run] = [this.#state, this.#run];
    try {
      this.#db.pragma(`synchronous = ${awaited ? 'FULL' : 'NORMAL'}`);
      this.#db
        .transaction(() => {
          for (const message of messages) this.#apply(message);
          if (this.#run !== undefined) this.#rows.flush(this.#run);
        })
        .immediate();
    } catch (problem) {
      this.#state = state;
      this.#run = run;
      this.#rows.drop();
      throw historyError(problem, this.#options.file);
    }
  }

  #apply(message: Message): void {
    switch (message.do) {
      case 'events':
        for (const event of message.events) {
          const before = this.#state;
          this.#state = reduce(before, event);
          this.#rows.apply(before, this.#state, event, this.#currentRun());
        }
        return;
      case 'accept':
        this.#accept(message);
        return;
      case 'keep': {
        const { job: id, partition, proof } = message;
        const job = this.#rows.numberOf(id);
        if (job === undefined)
          throw new CuzkError('JobUnknown', `there is no job ${id}`, { remedy: 'list the jobs that there are' });
        const { format, proof: points, public: signals } = encodeProof(proof);
        this.#statements.proof.run(job, partition, format, points, signals);
      }
    }
  }

  #accept({ job: id, request, retryOf, wallMs }: Message & { do: 'accept' }): void {
    const { circuit, kind, priority = 'normal', mode = 'pipelined', partitions, deadlineMs } = request;
    const about = { kind: kind ?? basename(circuit.zkey, extname(circuit.zkey)), circuit: circuit.zkey, priority, mode };
    const submittedMs = Math.round(wallMs);
    const job = this.#rows.addJob(
      id,
      { ...about, partitions: partitions.length },
      {
        run: this.#currentRun(),
        submittedMs,
        deadlineMs: deadlineMs === undefined ? null : Math.round(submittedMs + deadlineMs),
        retryOf: retryOf ?? null,
      },
    );
    this.#statements.request.run(job, deflateRawSync(JSON.stringify(request)));
  }

  /** The row of this run of the engine; made with the first thing that happens in it. */
  #currentRun(): number {
    this.#run ??= Number(this.#statements.run.run(Math.round(this.#options.wallMs()), this.#options.app).lastInsertRowid);
    return this.#run;
  }
}
