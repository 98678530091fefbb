// The contract with one page over texts: bounds what comes in, holds back what the page does not take, and ends the session on what is no
// message of ours. Knows nothing of Electron.
import type { BridgeMessage } from '../contract/bridge.ts';
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import { mostMessageBytes } from '../contract/wire.ts';
import { failureOf } from '../engine/job.ts';
import { Session, type SessionOptions } from '../host/session.ts';

export interface PageLinkOptions extends Pick<SessionOptions, 'engine' | 'handlers' | 'now'> {
  /** Hands a text to the page. */
  deliver: (text: string) => void;
  /** Told of what was refused and could not be answered. */
  onRefused: (problem: CuzkError) => void;
}

/** The page gets no more events while so many characters were not taken by it. */
const mostUntaken = 4 << 20;

export class PageLink implements Disposable {
  readonly #options: PageLinkOptions;
  #session: Session | undefined;
  #untaken = 0;

  constructor(options: PageLinkOptions) {
    this.#options = options;
  }

  /** What the page sent; the first message begins a session. */
  receive(value: unknown): void {
    try {
      const message = messageOf(value);
      this.#session ??= this.#begin();
      this.#session.receive(message);
    } catch (problem) {
      const refusal = asCuzkError(problem);
      this.end();
      this.#options.onRefused(refusal);
      this.#deliver({ type: 'ended', error: failureOf(refusal) });
    }
  }

  /** The page has taken so many characters. */
  taken(value: unknown): void {
    if (typeof value === 'number' && value > 0) this.#untaken = Math.max(0, this.#untaken - value);
  }

  /** The page is another one from now on, or none: whatever was asked is not answered any more. */
  end(): void {
    this.#session?.[Symbol.dispose]();
    this.#session = undefined;
    this.#untaken = 0;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #begin(): Session {
    const { engine, handlers, now } = this.#options;
    const session: Session = new Session({
      engine,
      handlers,
      now,
      send: (message) => this.#deliver(message),
      isClear: () => this.#untaken < mostUntaken,
    });
    return session;
  }

  #deliver(message: BridgeMessage): void {
    const text = JSON.stringify(message);
    this.#untaken += text.length;
    this.#options.deliver(text);
  }
}

/** What a text says. Throws for what is no text, too long, or no JSON. */
function messageOf(value: unknown): unknown {
  if (typeof value !== 'string') throw invalid('this is no text');
  // Characters first: no more than four bytes come of each, and none of them is fewer than one.
  if (value.length > mostMessageBytes || Buffer.byteLength(value) > mostMessageBytes) {
    throw invalid(`this is longer than the ${mostMessageBytes} bytes that a message may have`);
  }
  try {
    return JSON.parse(value);
  } catch {
    throw invalid('this is no JSON');
  }
}

const invalid = (what: string) =>
  new CuzkError('MessageInvalid', what, { remedy: 'reload the page: it may be of another version' });
