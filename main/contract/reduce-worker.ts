// What events do to workers outside the guard: synthesis, faults and restarts. Part of reduce(); nothing else imports it.
import type { EngineEvent, Failure } from './events.ts';
import { beginSpan, changePartition, closeSpans, enter } from './reduce-job.ts';
import type { EngineState, WorkerState } from './state.ts';

type SynthesisStart = EngineEvent & { type: 'witnessStarted' | 'synthesisStarted' };

export function changeWorker(
  state: EngineState,
  worker: number,
  change: (worker: WorkerState) => WorkerState | undefined,
): EngineState | undefined {
  const old = state.workers[worker];
  const changed = old && change(old);
  return changed && { ...state, workers: state.workers.with(worker, changed) };
}

/** A worker begins on a partition's witness or its synthesis; the second follows the first on the same worker. */
export function startSynthesis(state: EngineState, event: SynthesisStart, at: number): EngineState | undefined {
  const { job, partition, worker } = event;
  const busy = changeWorker(state, worker, (w) => {
    // A monolithic worker that is proving, or out of order, is not taken off its state by a late start.
    if (w.kind === 'pipelined' || w.phase === 'proving' || w.phase === 'faulted') return undefined;
    if (w.synthesis?.job === job && w.synthesis.partition === partition) return w;
    return { ...w, phase: 'synthesizing', synthesis: { job, partition, startedAt: at }, since: at };
  });
  if (!busy) return undefined;
  const span = event.type === 'witnessStarted' ? ('witness' as const) : ('synthesis' as const);
  const entered = enter(busy, event, 'synthesizing', span, at, { worker });
  if (entered) return entered;
  const gone = changePartition(busy, event, (p) =>
    p.phase === 'synthesizing' && p.worker === worker && !p.spans[span] ? beginSpan(p, span, at) : undefined,
  );
  return gone ?? countIgnored(busy);
}

export function endSynthesis(
  state: EngineState,
  event: EngineEvent & { type: 'synthesisEnded' },
  at: number,
): EngineState | undefined {
  const { job, partition } = event;
  const free = changeWorker(state, event.worker, ({ synthesis, ...w }) =>
    synthesis?.job === job && synthesis.partition === partition ? { ...w, phase: 'idle', since: at } : undefined,
  );
  if (!event.done) return free && (stopSynthesis(free, event, at) ?? free);
  return free && (enter(free, event, 'synth_done', 'deviceQueue', at, {}) ?? countIgnored(free));
}

/**
 * A synthesis that came to nothing leaves its partition in its phase, for the failure or the cancel that follows to end; what it
 * was doing ends here, with its worker's part of it, so that no moment has a free worker on an open synthesis.
 */
function stopSynthesis(state: EngineState, event: EngineEvent & { type: 'synthesisEnded' }, at: number): EngineState | undefined {
  return changePartition(state, event, (p) =>
    p.phase === 'synthesizing' && p.worker === event.worker ? { ...p, spans: closeSpans(p.spans, at) } : undefined,
  );
}

/** Out of order, or begun again: whatever it was on is not its own any more. */
export function resetWorker(
  state: EngineState,
  id: number,
  phase: 'faulted' | 'idle',
  error: Failure,
  at: number,
): EngineState | undefined {
  return changeWorker(state, id, ({ current: _, synthesis: __, ...worker }) => {
    const restarts = phase === 'idle' ? worker.restarts + 1 : worker.restarts;
    return { ...worker, phase, since: at, restarts, error };
  });
}

/** The worker's part of an event applied, the partition's did not. */
function countIgnored(state: EngineState): EngineState {
  return { ...state, ignored: state.ignored + 1 };
}
