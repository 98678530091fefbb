// The contract over a link: requests with their answers, and the engine's state as snapshots and events. A link that breaks is opened anew.
import { CuzkError } from '../../main/contract/errors.ts';
import type { Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import { type HostMessage, heartbeatMs, livelyMs, restfulMs, type Snapshot } from '../../main/contract/wire.ts';
import type { Connection, ConnectionListener } from './connection.ts';
import type { Link, OpenLink } from './link.ts';

export interface LinkConnectionOptions {
  name: string;
  open: OpenLink;
  pathOf?: (file: File) => string;
  chooseFiles?: Connection['chooseFiles'];
}

interface Waiting {
  resolve: (result: never) => void;
  reject: (problem: Error) => void;
}

/** A link on which nothing was heard for so long is taken for dead. */
const silentMs = 5 * heartbeatMs;
const [shortestPauseMs, longestPauseMs] = [250, 5000];

export class LinkConnection implements Connection {
  readonly name: string;
  readonly pathOf?: (file: File) => string;
  readonly chooseFiles?: NonNullable<Connection['chooseFiles']>;
  readonly #openLink: OpenLink;
  readonly #asked = new Map<number, Waiting>();
  /** What was asked before the first link was open. */
  readonly #unsent: (() => void)[] = [];
  #listener: ConnectionListener | undefined;
  #snapshots: Waiting[] = [];
  #link: Link | undefined;
  #isOpen = false;
  #ids = 0;
  #everyMs = restfulMs;
  #heardAt = 0;
  #pauseMs = shortestPauseMs;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor({ name, open, pathOf, chooseFiles }: LinkConnectionOptions) {
    this.name = name;
    this.#openLink = open;
    if (pathOf) this.pathOf = pathOf;
    if (chooseFiles) this.chooseFiles = chooseFiles;
  }

  subscribe(listener: ConnectionListener): () => void {
    this.#listener = listener;
    this.#watch = setInterval(() => {
      if (this.#isOpen && performance.now() - this.#heardAt > silentMs) this.#drop(new Error('the engine is silent'));
    }, heartbeatMs);
    this.#open();
    return () => {
      this.#listener = undefined;
      clearInterval(this.#watch);
      clearTimeout(this.#retry);
      this.#lose(new Error('the page has left'));
    };
  }

  /** The next snapshot: the one that a link begins with, or another that is asked for. */
  snapshot(): Promise<Snapshot> {
    if (!this.#listener) return Promise.reject(unreachable());
    if (this.#isOpen && this.#snapshots.length === 0) this.#follow();
    return new Promise((resolve, reject) => this.#snapshots.push({ resolve, reject }));
  }

  /** Whether something is drawn that moves with every event, and batches are wanted more often. */
  setLively(isLively: boolean): void {
    this.#everyMs = isLively ? livelyMs : restfulMs;
    if (this.#isOpen) this.#link?.send({ type: 'pace', everyMs: this.#everyMs });
  }

  request<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]> {
    const id = ++this.#ids;
    const message = { type: 'ask' as const, id, name, payload };
    const { promise, resolve, reject } = Promise.withResolvers<RequestResults[N]>();
    this.#asked.set(id, { resolve, reject });
    const send = () => this.#link?.send(message);
    if (this.#isOpen) send();
    // A screen may ask before the page has its first link; later on, who asks is told at once that nobody is there.
    else if (this.#heardAt === 0) this.#unsent.push(send);
    else {
      this.#asked.delete(id);
      reject(unreachable());
    }
    return promise;
  }

  #open(): void {
    this.#retry = undefined;
    const isMine = () => this.#link === link;
    const link: Link = this.#openLink({
      onOpen: () => {
        if (!isMine()) return;
        this.#isOpen = true;
        this.#heardAt = performance.now();
        this.#follow();
        for (const send of this.#unsent.splice(0)) send();
      },
      onMessage: (message) => {
        if (isMine()) this.#hear(message);
      },
      onClose: (problem) => {
        if (isMine()) this.#drop(problem);
      },
    });
    this.#link = link;
  }

  #follow(): void {
    this.#link?.send({ type: 'follow', everyMs: this.#everyMs });
  }

  #hear(message: HostMessage): void {
    this.#heardAt = performance.now();
    switch (message.type) {
      case 'events':
        this.#listener?.onEvents(message.events);
        break;
      case 'snapshot': {
        this.#pauseMs = shortestPauseMs;
        this.#listener?.onSnapshot(message.snapshot);
        for (const { resolve } of this.#snapshots.splice(0)) (resolve as (snapshot: Snapshot) => void)(message.snapshot);
        break;
      }
      case 'answer':
        (this.#take(message.id)?.resolve as ((result: unknown) => void) | undefined)?.(message.result);
        break;
      case 'refusal': {
        const { code, message: text, ...details } = message.error;
        this.#take(message.id)?.reject(new CuzkError(code, text, details));
        break;
      }
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    return waiting;
  }

  /** The link is of no use any more: another one is tried after a pause. */
  #drop(problem: Error): void {
    this.#lose(problem);
    this.#listener?.onLost(problem);
    if (!this.#listener) return;
    this.#retry = setTimeout(() => this.#open(), this.#pauseMs);
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
  }

  #lose(cause: Error): void {
    const link = this.#link;
    this.#link = undefined;
    this.#isOpen = false;
    // From now on nobody waits for a first link.
    this.#heardAt ||= 1;
    this.#unsent.length = 0;
    link?.close();
    const asked = [...this.#asked.values()];
    const snapshots = this.#snapshots;
    this.#asked.clear();
    this.#snapshots = [];
    for (const { reject } of asked) reject(unreachable(cause));
    // Whoever waits for the state shows why there is none.
    for (const { reject } of snapshots) reject(cause);
  }
}

const unreachable = (cause?: Error) =>
  new CuzkError('EngineUnreachable', 'the engine does not answer', { remedy: 'is it still running?', cause });
