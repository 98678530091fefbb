// What each worker did in the last minute, gathered from single events: the state shows only what it does now.
import type { EngineEvent } from '../../main/contract/events.ts';
import type { EngineState, WorkerState } from '../../main/contract/state.ts';
import type { EventTap } from '../store/event-feed.ts';

export type Doing = 'idle' | 'synthesis' | 'lockWait' | 'kernels' | 'finalizing' | 'faulted';

/** Shares of the time that is known about, together 1. */
export interface Shares extends Record<Doing, number> {
  /** How long that is: less than the window while the page has not seen more. */
  coveredMs: number;
}

export const windowMs = 60_000;

interface Turn {
  at: number;
  doing: Doing;
}

/** What a worker is on, as its state says; a monolithic worker's finalizing shows in its events alone. */
function doingOf({ phase, current }: WorkerState): Doing {
  if (phase === 'faulted') return 'faulted';
  if (phase === 'synthesizing') return 'synthesis';
  if (phase === 'idle') return 'idle';
  return current?.kernelsAt === undefined ? 'lockWait' : 'kernels';
}

export class WorkerActivity implements EventTap {
  /** By worker: when it turned to what, in order. */
  #turns: Turn[][] = [];

  reset(state: EngineState): void {
    this.#turns = state.workers.map(turnsKnown);
  }

  apply(event: EngineEvent, state: EngineState): void {
    if (event.type === 'workersRegistered') {
      for (const worker of state.workers.slice(this.#turns.length)) this.#turns.push(turnsKnown(worker));
    } else if ('worker' in event && event.worker !== undefined) {
      const worker = state.workers[event.worker];
      if (!worker) return;
      const isFinalizing = event.type === 'finalizingStarted' && worker.current?.assignment === event.assignment;
      // Verifying, after finalizing, is no turn: the worker's own state says kernels until its end.
      if (event.type === 'verifyStarted') return;
      this.#turn(event.worker, isFinalizing ? 'finalizing' : doingOf(worker), state.at);
    }
  }

  #turn(worker: number, doing: Doing, at: number): void {
    const turns = this.#turns[worker];
    if (!turns || turns.at(-1)?.doing === doing) return;
    turns.push({ at, doing });
    // The turn that reaches into the window is kept, and the list is only cut when that is worth it.
    const first = turns.findIndex((turn) => turn.at > at - windowMs) - 1;
    if (first > 64) turns.splice(0, first);
  }

  /** The shares of the last minute before `now`. */
  shares(worker: number, now: number): Shares {
    const shares: Shares = { idle: 0, synthesis: 0, lockWait: 0, kernels: 0, finalizing: 0, faulted: 0, coveredMs: 0 };
    const turns = this.#turns[worker] ?? [];
    const begin = now - windowMs;
    for (let i = turns.length - 1, end = now; i >= 0 && end > begin; i--) {
      const { at, doing } = turns[i]!;
      const from = Math.max(at, begin);
      if (from >= end) continue;
      shares[doing] += end - from;
      shares.coveredMs += end - from;
      end = from;
    }
    if (shares.coveredMs === 0) return shares;
    for (const doing of ['idle', 'synthesis', 'lockWait', 'kernels', 'finalizing', 'faulted'] as const)
      shares[doing] /= shares.coveredMs;
    return shares;
  }
}

/** What a worker's state alone tells of its past. */
function turnsKnown(worker: WorkerState): Turn[] {
  const { current, since } = worker;
  if (!current) return [{ at: since, doing: doingOf(worker) }];
  const waited: Turn = { at: current.startedAt, doing: 'lockWait' };
  return current.kernelsAt === undefined ? [waited] : [waited, { at: current.kernelsAt, doing: 'kernels' }];
}
