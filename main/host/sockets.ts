// The contract over WebSockets, for the app's page in a browser: who may open one, and what comes over it. What is asked and told is the
// session's business.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import type { Handlers } from '../contract/requests.ts';
import { closeCodes, mostMessageBytes, subprotocol } from '../contract/wire.ts';
import { hashOf, requirePageAccess } from './access.ts';
import { commonHeaders, errorAnswer } from './answers.ts';
import type { HostedEngine } from './engine-face.ts';
import { notFound } from './routes.ts';
import { Session } from './session.ts';

export const socketPath = '/socket';

export interface SocketLimits {
  mostSockets: number;
  /** A page gets nothing more while so many bytes wait for its socket. */
  mostUnsentBytes: number;
  /** Whoever does not answer a ping until the next one is gone. */
  pingMs: number;
}

export const socketLimits: SocketLimits = { mostSockets: 32, mostUnsentBytes: 1 << 20, pingMs: 15_000 };

export interface SocketsOptions {
  engine: HostedEngine;
  handlers: Handlers;
  now: () => number;
  token: string;
  /** Whether only this machine reaches the server; known when it listens. */
  loopback: () => boolean;
  limits?: Partial<SocketLimits>;
}

export class Sockets {
  readonly #options: SocketsOptions;
  readonly #limits: SocketLimits;
  readonly #server: WebSocketServer;
  readonly #open = new Set<WebSocket>();

  constructor(options: SocketsOptions) {
    this.#options = options;
    this.#limits = { ...socketLimits, ...options.limits };
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: mostMessageBytes,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    });
  }

  get openSockets(): number {
    return this.#open.size;
  }

  /** Answers a request to upgrade: the server's event of that name. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Until it is a WebSocket nobody else listens for what goes wrong with it.
    const forget = () => socket.destroy();
    socket.on('error', forget);
    try {
      const { url = '/', headers } = request;
      if (url.split('?', 1)[0] !== socketPath) throw notFound(url);
      requirePageAccess(headers, { loopback: this.#options.loopback() });
      if (this.#open.size >= this.#limits.mostSockets)
        throw new CuzkError('HttpBusy', `there are ${this.#open.size} pages already`, { remedy: 'close one' });
    } catch (problem) {
      refuse(socket, problem);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      socket.off('error', forget);
      this.#serve(opened, request);
    });
  }

  /** Ends every socket, saying so. */
  close(): void {
    for (const socket of this.#open) socket.close(1001, 'the server is closing');
    // What they do not take now they never will.
    setTimeout(() => {
      for (const socket of this.#open) socket.terminate();
    }, 500).unref();
  }

  #serve(socket: WebSocket, { headers }: IncomingMessage): void {
    const { engine, handlers, now, token } = this.#options;
    const { mostUnsentBytes, pingMs } = this.#limits;
    socket.on('error', () => socket.terminate());
    // A page is told why by a code: it does not see the status of an upgrade that was refused.
    if (!isToken(headers['sec-websocket-protocol'], token)) {
      socket.close(closeCodes.token, 'the token is missing or wrong');
      return;
    }
    const session = new Session({
      engine,
      handlers,
      now,
      send: (message) => socket.send(JSON.stringify(message)),
      isClear: () => socket.bufferedAmount < mostUnsentBytes,
    });
    let isAlive = true;
    const pinging = setInterval(() => {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping();
    }, pingMs);
    this.#open.add(socket);
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.on('message', (data, isBinary) => {
      try {
        session.receive(isBinary ? undefined : parsed(data.toString()));
      } catch (problem) {
        socket.close(closeCodes.message, asCuzkError(problem).message);
      }
    });
    socket.on('close', () => {
      clearInterval(pinging);
      session[Symbol.dispose]();
      this.#open.delete(socket);
    });
  }
}

/** Undefined, which is no message, for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether one of the subprotocols that a page offers brings the token. */
function isToken(protocols: string | undefined, token: string): boolean {
  const given = protocols?.split(',').find((one) => one.trim().startsWith('token.'));
  if (given === undefined) return false;
  const bytes = Buffer.from(given.trim().slice('token.'.length), 'base64url');
  return timingSafeEqual(hashOf(bytes.toString('utf8')), hashOf(token));
}

/** The refusal of an upgrade, as a whole answer. */
function refuse(socket: Duplex, problem: unknown): void {
  const { status, contentType, body } = errorAnswer(problem);
  const headers = { ...commonHeaders, 'content-type': contentType, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
}
