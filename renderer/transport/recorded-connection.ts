// An engine that is only remembered: plays events that were recorded or made before, as time passes. For the demo and for tests.
import { CuzkError } from '../../main/contract/errors.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import type { Handlers, Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import type { EngineState } from '../../main/contract/state.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import type { Connection, ConnectionListener } from './connection.ts';

export interface Recording {
  started: EngineState;
  events: EngineEvent[];
}

export interface PlayOptions {
  /** Milliseconds of the recording that have passed when it begins. */
  fromMs?: number;
  /** 0 stands still. */
  speed?: number;
  /** How often events are handed on, in milliseconds. */
  everyMs?: number;
  /** What is answered to requests; all others are refused. */
  answers?: Partial<Handlers>;
}

export class RecordedConnection implements Connection {
  readonly name = 'a recording';
  readonly #events: EngineEvent[];
  readonly #options: Required<Omit<PlayOptions, 'answers'>>;
  readonly #answers: Partial<Handlers>;
  readonly #beganAt = performance.now();
  #state: EngineState;
  #next = 0;

  constructor({ started, events }: Recording, { answers = {}, ...options }: PlayOptions = {}) {
    this.#answers = answers;
    this.#events = events;
    this.#state = started;
    this.#options = { fromMs: 0, speed: 1, everyMs: 50, ...options };
    this.#take();
  }

  /** The recording's time. */
  #now(): number {
    const { fromMs, speed } = this.#options;
    return fromMs + (performance.now() - this.#beganAt) * speed;
  }

  /** The events that are due since the last call. */
  #take(): EngineEvent[] {
    const from = this.#next;
    const now = this.#now();
    while (this.#next < this.#events.length && this.#events[this.#next]!.at <= now) {
      this.#state = reduce(this.#state, this.#events[this.#next]!);
      this.#next++;
    }
    return this.#events.slice(from, this.#next);
  }

  async snapshot(): Promise<Snapshot> {
    return { state: this.#state, ageMs: Math.max(0, this.#now() - this.#state.at) };
  }

  subscribe({ onEvents }: ConnectionListener): () => void {
    const timer = setInterval(() => onEvents(this.#take()), this.#options.everyMs);
    return () => clearInterval(timer);
  }

  async request<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]> {
    const answer = this.#answers[name] as ((payload: Request<N>) => Promise<RequestResults[N]>) | undefined;
    if (answer) return await answer(payload);
    throw new CuzkError('EngineStopped', `a recording cannot ${name}`, { remedy: 'start the app itself' });
  }
}
