// One page and its host: checks what the page asks, has it answered, and tells the page what happens. Knows nothing of the wire.
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import type { EngineEvent } from '../contract/events.ts';
import { type Handlers, isRequestName } from '../contract/requests.ts';
import { type HostMessage, heartbeatMs, pageMessageSchema } from '../contract/wire.ts';
import { failureOf } from '../engine/job.ts';
import type { HostedEngine } from './engine-face.ts';
import { requireRequest } from './problems-of.ts';
import { ageMs } from './status-projection.ts';

export interface SessionOptions {
  engine: Pick<HostedEngine, 'snapshot' | 'subscribe'>;
  handlers: Handlers;
  /** The engine's clock. */
  now: () => number;
  send: (message: HostMessage) => void;
  /** Whether the wire has taken all that was sent; a page that does not read gets nothing more until it does. */
  isClear?: () => boolean;
}

/** A page that lags behind by more than this gets a snapshot instead. */
const mostPending = 20_000;
/** A page that has so many answers to come is broken. */
const mostAsked = 256;

export class Session implements Disposable {
  readonly #options: SessionOptions;
  #unsubscribe: (() => void) | undefined;
  #pending: EngineEvent[] = [];
  /** The page is to be given a snapshot before anything else. */
  #behind = false;
  #everyMs = heartbeatMs;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #asked = 0;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** What the page sent. Throws `MessageInvalid` for what is no message at all: there is nobody whom an answer would reach. */
  receive(value: unknown): void {
    const parsed = pageMessageSchema.safeParse(value);
    if (!parsed.success) throw invalid();
    const message = parsed.data;
    if (message.type === 'ask') void this.#ask(message.id, message.name, message.payload);
    else if (message.type === 'follow') this.#follow(message.everyMs);
    else this.#everyMs = message.everyMs;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    this.#pending = [];
  }

  async #ask(id: number, name: string, payload: unknown): Promise<void> {
    const { handlers } = this.#options;
    try {
      if (!isRequestName(name))
        throw new CuzkError('RequestUnknown', `there is no request named ${name}`, {
          remedy: 'reload the page: it may be of another version',
        });
      if (this.#asked >= mostAsked)
        throw new CuzkError('HostBusy', `${this.#asked} requests of this page are being answered`, {
          remedy: 'wait for one of them',
        });
      const request = requireRequest(name, payload);
      this.#asked++;
      try {
        const handler = handlers[name] as (checked: unknown) => Promise<unknown>;
        const result = await handler(request);
        this.#send({ type: 'answer', id, result });
      } finally {
        this.#asked--;
      }
    } catch (problem) {
      this.#send({ type: 'refusal', id, error: failureOf(asCuzkError(problem)) });
    }
  }

  #follow(everyMs: number): void {
    const { engine } = this.#options;
    this.#everyMs = everyMs;
    this.#unsubscribe ??= engine.subscribe((event) => this.#hear(event));
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs / 4);
    this.#behind = true;
    this.#flush();
  }

  #hear(event: EngineEvent): void {
    if (this.#behind) return;
    if (this.#pending.length >= mostPending) {
      this.#behind = true;
      this.#pending = [];
    } else this.#pending.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), this.#everyMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { engine, now, isClear = () => true } = this.#options;
    // It is tried again with the heart's next beat.
    if (!isClear()) return;
    if (this.#behind) {
      this.#behind = false;
      this.#pending = [];
      const state = engine.snapshot();
      this.#send({ type: 'snapshot', snapshot: { state, ageMs: ageMs(state, now()) } });
    } else if (this.#pending.length > 0) {
      const events = this.#pending;
      this.#pending = [];
      this.#send({ type: 'events', events });
    }
  }

  #beat(): void {
    if (this.#behind || this.#pending.length > 0) this.#flush();
    else if (performance.now() - this.#sentAt >= heartbeatMs * 0.7) this.#send({ type: 'events', events: [] });
  }

  #send(message: HostMessage): void {
    if (this.#closed) return;
    this.#sentAt = performance.now();
    this.#options.send(message);
  }
}

const invalid = () =>
  new CuzkError('MessageInvalid', 'this is no message that a page of cuzk sends', {
    remedy: 'reload the page: it may be of another version',
  });
