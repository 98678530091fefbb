// The contract over HTTP, as docs/serve.md describes it: events as a stream that begins with a snapshot, commands as requests.
import type { Command, CommandName, CommandResults } from '../../main/contract/commands.ts';
import { CuzkError } from '../../main/contract/errors.ts';
import type { EngineEvent, Failure } from '../../main/contract/events.ts';
import type { Connection, ConnectionListener, Snapshot } from './connection.ts';
import { ServerSentEvents } from './server-sent-events.ts';

export interface HttpOptions {
  /** Where the host is: `http://127.0.0.1:9077`. */
  base: string;
  token?: string | undefined;
  fetch?: typeof fetch;
  sleep?: (ms: number) => Promise<void>;
}

interface Call {
  method: string;
  path: string;
  body?: unknown;
}

/** How each command is asked for. */
const calls: { [N in CommandName]: (payload: Command<N>) => Call } = {
  submit: (body) => ({ method: 'POST', path: '/jobs', body }),
  cancel: ({ job }) => ({ method: 'DELETE', path: `/jobs/${encodeURIComponent(job)}` }),
  retry: ({ job, ...body }) => ({ method: 'POST', path: `/jobs/${encodeURIComponent(job)}/retry`, body }),
  preload: (body) => ({ method: 'POST', path: '/keys/preload', body }),
  evict: (body) => ({ method: 'POST', path: '/keys/evict', body }),
};

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class HttpConnection implements Connection {
  readonly name: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof fetch;
  readonly #sleep: (ms: number) => Promise<void>;

  constructor({ base, token, fetch: ask = (...args) => fetch(...args), sleep = wait }: HttpOptions) {
    this.name = base;
    this.#token = token;
    this.#fetch = ask;
    this.#sleep = sleep;
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`);
    const answer = await this.#fetch(`${this.name}${path}`, { ...init, headers, cache: 'no-store', redirect: 'error' });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }

  async snapshot(): Promise<Snapshot> {
    const { state, ageMs } = (await (await this.#ask('/status')).json()) as Snapshot;
    return { state, ageMs };
  }

  subscribe(listener: ConnectionListener): () => void {
    const ended = new AbortController();
    this.#follow(listener, ended.signal);
    return () => ended.abort();
  }

  /** Reads the stream, and goes on with it when it breaks, until `signal`. */
  async #follow(listener: ConnectionListener, signal: AbortSignal): Promise<void> {
    const parsed = { lastId: undefined as string | undefined };
    for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(5000, pauseMs * 2)) {
      try {
        const headers = { accept: 'text/event-stream', ...(parsed.lastId === undefined ? {} : { 'last-event-id': parsed.lastId }) };
        const answer = await this.#ask('/events', { signal, headers });
        pauseMs = 250;
        await read(answer, listener, parsed);
        throw new Error('the stream of events ended');
      } catch (problem) {
        if (signal.aborted) return;
        listener.onLost(problem instanceof Error ? problem : new Error(String(problem)));
      }
      await this.#sleep(pauseMs);
    }
  }

  async command<N extends CommandName>(name: N, payload: Command<N>): Promise<CommandResults[N]> {
    const { method, path, body } = calls[name](payload);
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    try {
      return (await (await this.#ask(path, init)).json()) as CommandResults[N];
    } catch (problem) {
      if (problem instanceof CuzkError) throw problem;
      throw new CuzkError('EngineUnreachable', 'the engine does not answer', { remedy: 'is it still running?', cause: problem });
    }
  }
}

/** Hands on what a stream says until it ends, and keeps the id by which it can be gone on with. */
async function read({ body }: Response, listener: ConnectionListener, kept: { lastId: string | undefined }): Promise<void> {
  if (!body) return;
  const parser = new ServerSentEvents();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    let events: EngineEvent[] = [];
    for (const { name, data } of parser.push(piece.value)) {
      if (name === 'message') events.push(JSON.parse(data) as EngineEvent);
      if (name !== 'snapshot') continue;
      listener.onEvents(events);
      events = [];
      listener.onSnapshot(JSON.parse(data) as Snapshot);
    }
    // Also an empty list: a comment was heard.
    listener.onEvents(events);
    kept.lastId = parser.lastId ?? kept.lastId;
  }
}

/** What a refusal's body says, if it is one of ours. */
async function refusalOf(answer: Response): Promise<CuzkError> {
  const { error } = (await answer.json().catch(() => ({}))) as { error?: Failure };
  if (error?.code) return new CuzkError(error.code, error.message, error);
  return new CuzkError('HostRefused', `the host answers ${answer.status} ${answer.statusText}`);
}

/** The host that the page came from, with the token that its address brought. */
export function httpConnection(): HttpConnection {
  return new HttpConnection({ base: location.origin, token: takeToken() });
}

/** Takes the token out of the address, where it would be copied and shown; a reload finds it in the tab's own storage. */
function takeToken(): string | undefined {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given === null) return sessionStorage.getItem('token') ?? undefined;
  sessionStorage.setItem('token', given);
  address.searchParams.delete('token');
  history.replaceState(history.state, '', address);
  return given;
}
