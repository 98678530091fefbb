// The HTTP server: binds, lets in, dispatches, and ends cleanly. What it answers is made elsewhere.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CuzkError } from '../contract/errors.ts';
import type { Handlers } from '../contract/requests.ts';
import { requireAccess, requirePageAccess } from './access.ts';
import { inUrl, isLoopback, type ListenAddress } from './addresses.ts';
import { commonHeaders, errorAnswer, send } from './answers.ts';
import type { HostedEngine } from './engine-face.ts';
import { EventStreams, type StreamLimits, streamLimits } from './event-streams.ts';
import { Metrics } from './metrics.ts';
import { type Page, pagePath } from './page.ts';
import { readBody } from './request-body.ts';
import { allowedMethods, findRoute, handlerOf, notFound } from './routes.ts';
import { type SocketLimits, Sockets } from './sockets.ts';

export interface HostOptions {
  engine: HostedEngine;
  /** Port 0 is any that is free. */
  listen: ListenAddress;
  token: string;
  /** The app's page for browsers, if it is to be served. */
  page?: Page | undefined;
  /** Who answers the page's requests; without them there are no WebSockets. */
  handlers?: Handlers | undefined;
  /** The engine's clock; this process's by default. */
  now?: () => number;
  streams?: Partial<StreamLimits>;
  sockets?: Partial<SocketLimits>;
}

/** No client holds a connection without using it, or makes the server remember much before it is known. */
const connectionLimits = {
  maxHeaderSize: 16 << 10,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
};
const mostConnections = 256;
/** A connection on which nothing moves for so long is closed; a stream's heartbeats come more often. */
const idleMs = 60_000;
/** How long answers may take to go out when the server ends. */
const closingMs = 1000;

const listenRefusals: Record<string, string> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'there is no such name',
};

export class Host implements AsyncDisposable {
  readonly #engine: HostedEngine;
  readonly #now: () => number;
  readonly #token: string;
  readonly #metrics: Metrics;
  readonly #page: Page | undefined;
  readonly #streams: EventStreams;
  readonly #sockets: Sockets | undefined;
  readonly #server: Server;
  #loopback = false;
  #closed: Promise<void> | undefined;

  /** Resolves when the server listens. */
  static async start(options: HostOptions): Promise<Host> {
    const host = new Host(options);
    try {
      await host.#listen(options.listen);
    } catch (problem) {
      await host.close();
      throw problem;
    }
    return host;
  }

  private constructor({ engine, token, page, handlers, now = () => performance.now(), streams = {}, sockets = {} }: HostOptions) {
    this.#engine = engine;
    this.#now = now;
    this.#token = token;
    this.#page = page;
    this.#metrics = new Metrics(engine, now);
    this.#streams = new EventStreams(engine, now, { ...streamLimits, ...streams });
    this.#server = createServer(connectionLimits, (request, response) => void this.#answer(request, response));
    if (handlers) {
      const opened = new Sockets({ engine, handlers, now, token, loopback: () => this.#loopback, limits: sockets });
      this.#sockets = opened;
      this.#server.on('upgrade', (request, socket, head) => opened.upgrade(request, socket, head));
    }
    this.#server.maxConnections = mostConnections;
    this.#server.setTimeout(idleMs);
  }

  /** Where it listens; `port` is the one it got. */
  get address(): ListenAddress {
    const { address, port } = this.#server.address() as AddressInfo;
    return { host: address, port };
  }
  get url(): string {
    const { host, port } = this.address;
    return `http://${inUrl(host, port)}`;
  }
  /** Whether only this machine can reach it. */
  get isLoopback(): boolean {
    return this.#loopback;
  }
  /** How many clients follow the events. */
  get openStreams(): number {
    return this.#streams.openStreams;
  }
  /** How many pages are connected. */
  get openSockets(): number {
    return this.#sockets?.openSockets ?? 0;
  }
  /** What was handed to the sockets of those clients and not yet taken. */
  get unsentBytes(): number {
    return this.#streams.unsentBytes;
  }

  /** Takes no more connections, ends the streams, and lets answers that are on their way go out. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #listen({ host, port }: ListenAddress): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', (problem: NodeJS.ErrnoException) => {
      const reason = listenRefusals[problem.code ?? ''] ?? problem.message;
      const remedy = 'choose another address with --listen; port 0 takes any that is free';
      reject(new CuzkError('ListenFailed', `cannot listen on ${inUrl(host, port)}: ${reason}`, { remedy, cause: problem }));
    });
    this.#server.listen({ host, port }, () => {
      // What it is bound to, not what it was called: a name can lead anywhere.
      this.#loopback = isLoopback(this.address.host);
      resolve();
    });
    return promise;
  }

  async #close(): Promise<void> {
    this.#metrics[Symbol.dispose]();
    this.#streams.close();
    this.#sockets?.close();
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    const timer = setTimeout(() => this.#server.closeAllConnections(), closingMs);
    await promise;
    clearTimeout(timer);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    if (this.#page && /^\/app(?:$|[/?])/.test(url)) {
      this.#answerPage(this.#page, request, response);
      return;
    }
    const found = findRoute(url);
    try {
      requireAccess(headers, found?.route.guarded ?? false, { token: this.#token, loopback: this.#loopback });
      if (!found) throw notFound(url);
      const handler = handlerOf(found.route, method);
      if (handler === 'stream') return this.#stream(request, response);
      // Loading a key takes minutes in which nothing moves on the connection.
      if (found.route.guarded) request.socket.setTimeout(0);
      const body = () => readBody(request);
      const answer = await handler({ engine: this.#engine, metrics: this.#metrics, now: this.#now, id: found.id, body });
      request.socket.setTimeout(idleMs);
      send(request, response, answer);
    } catch (problem) {
      this.#refuse(request, response, problem, found && allowedMethods(found.route));
    }
  }

  /** The page's files are the same for everybody and hold nothing secret; what the page asks for then needs what everything does. */
  #answerPage(page: Page, request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = request;
    const path = url.split('?', 1)[0]!;
    try {
      requirePageAccess(headers, { loopback: this.#loopback, mayNavigate: true });
      if (method !== 'GET' && method !== 'HEAD')
        throw new CuzkError('HttpMethod', `${path} does not take ${method}`, { remedy: 'use GET or HEAD' });
      if (path === pagePath.slice(0, -1)) {
        const location = pagePath + url.slice(path.length);
        send(request, response, { status: 308, contentType: 'text/plain; charset=utf-8', body: '', headers: { location } });
      } else send(request, response, page.answer(path));
    } catch (problem) {
      this.#refuse(request, response, problem, ['GET', 'HEAD']);
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, problem: unknown, methods: string[] = []): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const answer = errorAnswer(problem);
    const allow = answer.status === 405 ? { allow: methods.join(', ') } : {};
    // What is left of a body that was not read whole would be taken for the next request.
    const close = request.complete ? {} : { connection: 'close' };
    request.socket.setTimeout(idleMs);
    send(request, response, { ...answer, headers: { ...answer.headers, ...allow, ...close } });
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    const id = request.headers['last-event-id'];
    if (request.method === 'HEAD') {
      response.writeHead(200, { ...commonHeaders, 'content-type': 'text/event-stream; charset=utf-8' }).end();
      return;
    }
    // It ends with its stream, so that closing the server does not wait for the connection's next request.
    this.#streams.open(response, { ...commonHeaders, connection: 'close' }, typeof id === 'string' ? id : undefined);
  }
}
