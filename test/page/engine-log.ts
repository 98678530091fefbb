// The engine's own account of what it does, beside the page's: the events over a connection of the test's, and which worker they say proves.
import type { Page } from 'playwright-core';
import type { AssignmentRef, EngineEvent } from '../../main/contract/events.ts';
import type { Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import { LinkConnection } from '../../renderer/transport/link-connection.ts';
import { webSocketLink } from '../../renderer/transport/web-socket.ts';

export class EngineLog implements AsyncDisposable {
  readonly #connection: LinkConnection;
  readonly #events: EngineEvent[] = [];
  #proving = new Map<number, AssignmentRef>();
  /** By the number of the event after which it holds. */
  readonly #after = new Map<number, ReadonlyMap<number, AssignmentRef>>();
  readonly #waiting = new Set<() => void>();
  #end = () => {};

  private constructor(connection: LinkConnection) {
    this.#connection = connection;
  }

  /** Listens to the host from now on; what its workers are on already is taken from its state. */
  static async open({ url, token }: { url: string; token: string }): Promise<EngineLog> {
    const connection = new LinkConnection({ name: 'test', open: webSocketLink(`${url.replace('http', 'ws')}/socket`, token) });
    const log = new EngineLog(connection);
    await new Promise<void>((resolve, reject) => {
      log.#end = connection.subscribe({
        onSnapshot: ({ state }) => {
          log.#proving = new Map(
            state.workers.flatMap(({ worker, current }) => (current ? [[worker, { ...current, worker }] as const] : [])),
          );
          log.#after.set(state.seq, log.#proving);
          resolve();
        },
        onEvents: (events) => log.#take(events),
        onLost: reject,
      });
    });
    return log;
  }

  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  request<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]> {
    return this.#connection.request(name, payload);
  }

  /** Resolves when such an event has been heard. */
  async until(matches: (event: EngineEvent) => boolean): Promise<void> {
    while (!this.#events.some(matches)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** The device workers that prove after that event, and on what. Throws where the log does not reach. */
  provingAt(seq: number): ReadonlyMap<number, AssignmentRef> {
    const proving = this.#after.get(seq);
    if (!proving) throw new Error(`the event ${seq} was not heard`);
    return proving;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }

  #take(events: EngineEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      const next = new Map(this.#proving);
      // By the assignment alone: an end of another one changes nothing.
      if (event.type === 'deviceStarted') next.set(event.worker, event);
      else if (
        'assignment' in event &&
        event.assignment !== undefined &&
        /^(deviceReleased|partition(Done|Failed|Cancelled|Retried))$/.test(event.type)
      )
        for (const [worker, { assignment }] of next) if (assignment === event.assignment) next.delete(worker);
      this.#proving = next;
      this.#after.set(event.seq, next);
    }
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

export interface WorkerSample {
  /** The event after which the page shows this. */
  seq: number;
  workers: { worker: number; phase: string; label: string; text: string }[];
}

/** Reads the workers' cards each time the page has changed, and adds what they say to `samples`. */
export function sampleWorkers(page: Page, samples: WorkerSample[]): { stop: () => Promise<void> } {
  let isEnding = false;
  const begun = page.evaluate(() => {
    const kept: WorkerSample[] = [];
    const app = document.querySelector<HTMLElement>('.app')!;
    const look = () => {
      const seq = Number(app.dataset.seq);
      if (kept.at(-1)?.seq === seq) return;
      const workers = [...app.querySelectorAll<HTMLElement>('[data-worker]')].map((card) => ({
        worker: Number(card.dataset.worker),
        phase: card.dataset.phase!,
        label: card.getAttribute('aria-label')!,
        text: card.textContent!,
      }));
      kept.push({ seq, workers });
    };
    // After each change of the page, as a whole: the state's number and the cards change in one go.
    const observer = new MutationObserver(look);
    observer.observe(app, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(window, {
      endSampling: () => {
        observer.disconnect();
        return kept;
      },
    });
  });
  return {
    stop: async () => {
      if (isEnding) return;
      isEnding = true;
      await begun;
      samples.push(...(await page.evaluate(() => (window as unknown as { endSampling: () => WorkerSample[] }).endSampling())));
    },
  };
}
