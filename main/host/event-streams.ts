// GET /events: server-sent events to any number of clients. A client is a place in the ring of events, not a queue: one that does not read
// costs nothing but what was handed to its socket, and is dropped when it is too slow or the ring has overtaken it.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CuzkError } from '../contract/errors.ts';
import type { HostedEngine } from './engine-face.ts';
import { EventRing } from './event-ring.ts';
import { ageMs } from './status-projection.ts';

export interface StreamLimits {
  /** Events that are kept for clients who come back. */
  ringEvents: number;
  mostStreams: number;
  /** Events of this many milliseconds go out in one write. */
  batchMs: number;
  /** A client that takes nothing for so long is dropped. */
  slowMs: number;
  heartbeatMs: number;
}

export const streamLimits: StreamLimits = { ringEvents: 10_000, mostStreams: 32, batchMs: 50, slowMs: 30_000, heartbeatMs: 1000 };

/** At most about this much of the ring goes out in one write. */
const batchBytes = 256 << 10;
/** How long the last words to a client that was dropped may take. */
const farewellMs = 2000;

interface Client {
  response: ServerResponse;
  /** The number of the next event that it wants. */
  next: number;
  /** Since when its socket has taken nothing. */
  blockedAt?: number;
  writtenAt: number;
}

export class EventStreams {
  readonly #engine: HostedEngine;
  readonly #now: () => number;
  readonly #limits: StreamLimits;
  readonly #ring: EventRing;
  readonly #clients = new Set<Client>();
  readonly #unsubscribe: () => void;
  readonly #watch: NodeJS.Timeout;
  /** Part of every id: a number of before a restart means nothing to the engine after it. */
  readonly #run = randomBytes(6).toString('hex');
  #batch: NodeJS.Timeout | undefined;

  constructor(engine: HostedEngine, now: () => number, limits: StreamLimits = streamLimits) {
    this.#engine = engine;
    this.#now = now;
    this.#limits = limits;
    this.#ring = new EventRing(limits.ringEvents, engine.snapshot().seq, (seq) => this.#idOf(seq));
    this.#unsubscribe = engine.subscribe((event) => {
      this.#ring.push(event);
      if (this.#clients.size > 0) this.#batch ??= setTimeout(() => this.#writeAll(), limits.batchMs);
    });
    // Heartbeats and slow clients are seen to also while nothing happens.
    this.#watch = setInterval(() => this.#writeAll(), Math.min(1000, limits.heartbeatMs / 4, limits.slowMs));
    this.#watch.unref();
  }

  get openStreams(): number {
    return this.#clients.size;
  }
  get unsentBytes(): number {
    return [...this.#clients].reduce((sum, { response }) => sum + response.writableLength, 0);
  }

  /** Begins a stream; `lastEventId` is the last that the client has seen, if it comes back. Headers must not have been sent. */
  open(response: ServerResponse, headers: Record<string, string>, lastEventId: string | undefined): void {
    if (this.#clients.size >= this.#limits.mostStreams)
      throw new CuzkError('HttpBusy', `there are ${this.#clients.size} streams of events already`, {
        remedy: 'close one, or ask for /status instead',
      });
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
    const client: Client = { response, next: this.#nextAfter(lastEventId), writtenAt: performance.now() };
    this.#clients.add(client);
    response.on('close', () => this.#clients.delete(client)).on('drain', () => this.#write(client, performance.now()));
    response.flushHeaders();
    this.#write(client, performance.now());
  }

  /** Ends every stream, saying so. */
  close(): void {
    this.#unsubscribe();
    clearInterval(this.#watch);
    clearTimeout(this.#batch);
    for (const client of this.#clients) this.#drop(client, 'the server is closing');
  }

  #idOf(seq: number): string {
    return `${seq}-${this.#run}`;
  }

  /** The event that a client wants next; 0, which is never there, makes it begin with a snapshot. */
  #nextAfter(lastEventId: string | undefined): number {
    const [, seq, run = this.#run] = lastEventId?.match(/^(\d{1,15})(?:-([\da-f]+))?$/) ?? [];
    return seq === undefined || run !== this.#run ? 0 : Number(seq) + 1;
  }

  #writeAll(): void {
    clearTimeout(this.#batch);
    this.#batch = undefined;
    const now = performance.now();
    for (const client of this.#clients) this.#write(client, now);
  }

  /** Hands on what the client's socket takes. */
  #write(client: Client, now: number): void {
    const { response } = client;
    if (!this.#clients.has(client)) return;
    if (response.writableNeedDrain) {
      client.blockedAt ??= now;
      const overtaken = client.next <= this.#ring.last && !this.#ring.canContinueAt(client.next);
      if (overtaken || now - client.blockedAt > this.#limits.slowMs) this.#drop(client, 'dropped: this client reads too slowly');
      return;
    }
    delete client.blockedAt;
    if (!this.#ring.canContinueAt(client.next)) this.#writeSnapshot(client, now);
    while (client.next <= this.#ring.last && !response.writableNeedDrain) {
      const { text, next } = this.#ring.framesFrom(client.next, batchBytes);
      client.next = next;
      client.writtenAt = now;
      response.write(text);
    }
    if (now - client.writtenAt >= this.#limits.heartbeatMs) {
      client.writtenAt = now;
      response.write(': still here\n\n');
    }
  }

  #writeSnapshot(client: Client, now: number): void {
    const state = this.#engine.snapshot();
    const data = JSON.stringify({ seq: state.seq, at: state.at, ageMs: ageMs(state, this.#now()), state });
    client.next = state.seq + 1;
    client.writtenAt = now;
    client.response.write(`event: snapshot\nid: ${this.#idOf(state.seq)}\ndata: ${data}\n\n`);
  }

  #drop(client: Client, reason: string): void {
    this.#clients.delete(client);
    client.response.end(`: ${reason}\n\n`);
    // What it does not take now it never will.
    const timer = setTimeout(() => client.response.destroy(), farewellMs);
    client.response.on('close', () => clearTimeout(timer));
  }
}
