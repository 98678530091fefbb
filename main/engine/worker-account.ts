// An independent account of the device workers, by the plainest means: sets of what began and what ended. For tests.
import type { EngineEvent } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';

/** Takes every event with the state after it, and throws when a device worker is shown as anything but what the events make it. */
export class WorkerAccount {
  readonly #newest = new Map<number, number>();
  readonly #ended = new Set<number>();
  readonly #faulted = new Set<number>();

  take(event: EngineEvent, state: EngineState): void {
    if (event.type === 'deviceStarted') this.#newest.set(event.worker, event.assignment);
    else if (/^(deviceReleased|partition(Done|Failed|Cancelled|Retried))$/.test(event.type)) {
      const { assignment } = event as { assignment?: number };
      if (assignment !== undefined) this.#ended.add(assignment);
    } else if (event.type === 'workerFaulted') {
      this.#faulted.add(event.worker);
    }
    for (const { worker, kind, phase } of state.workers) {
      if (kind === 'synthesis') continue;
      const newest = this.#newest.get(worker);
      const isProving = newest !== undefined && !this.#ended.has(newest);
      const expected = this.#faulted.has(worker) ? 'faulted' : isProving ? 'proving' : 'idle';
      if (phase !== expected && !(phase === 'synthesizing' && expected === 'idle' && kind === 'monolithic'))
        throw new Error(`worker ${worker} is ${phase}, not ${expected}, after ${JSON.stringify(event)}`);
    }
  }
}
