// What events do to device workers and finalizers: the guard. Part of reduce(); nothing else imports it.
//
// A worker's state belongs to the assignment that it is on. An end names its assignment and changes the worker only if that is still the
// current one: job and partition would not do, since a retry runs the same pair again on the same worker. An end of an assignment that
// was released before belongs to its finalizer; any other is stale, and changes nothing.
import type { AssignmentRef, EngineEvent } from './events.ts';
import { beginSpan, changePartition, closeSpans, enter, retried } from './reduce-job.ts';
import type { EngineState, PartitionState, WorkerState } from './state.ts';
import { without } from './without.ts';

type EndEvent = EngineEvent &
  AssignmentRef & { type: 'deviceReleased' | 'partitionDone' | 'partitionFailed' | 'partitionCancelled' | 'partitionRetried' };

/** Whether an event ends, or hands on, a device worker's assignment. */
export function isAssignedEnd(event: EngineEvent): event is EndEvent {
  switch (event.type) {
    case 'deviceReleased':
    case 'partitionDone':
      return true;
    case 'partitionFailed':
    case 'partitionCancelled':
    case 'partitionRetried':
      return event.assignment !== undefined && event.worker !== undefined;
    default:
      return false;
  }
}

const isDeviceWorker = (worker: WorkerState | undefined): worker is WorkerState =>
  worker !== undefined && worker.kind !== 'synthesis';

export function startDevice(
  state: EngineState,
  event: EngineEvent & { type: 'deviceStarted' },
  at: number,
): EngineState | undefined {
  const { worker: id, assignment, job, partition } = event;
  const worker = state.workers[id];
  if (!isDeviceWorker(worker)) return undefined;
  // A newer assignment replaces an older one that has not ended; its end will be stale.
  const clean = without(without(worker, 'error'), 'synthesis');
  const busy: WorkerState = { ...clean, phase: 'proving', current: { assignment, job, partition, startedAt: at }, since: at };
  const proving = { ...state, workers: state.workers.with(id, busy) };
  const taken = enter(proving, event, 'gpu', 'lockWait', at, { assignment, worker: id });
  return taken ?? { ...proving, ignored: proving.ignored + 1 };
}

/** The partition, if it is still on this assignment. */
function ofAssignment(event: AssignmentRef, change: (partition: PartitionState) => PartitionState | undefined) {
  return (partition: PartitionState) => (partition.assignment === event.assignment ? change(partition) : undefined);
}

export function startKernels(
  state: EngineState,
  event: EngineEvent & { type: 'kernelsStarted' },
  at: number,
): EngineState | undefined {
  const worker = state.workers[event.worker];
  if (worker?.current?.assignment !== event.assignment || worker.current.kernelsAt !== undefined) return undefined;
  const workers = state.workers.with(event.worker, { ...worker, current: { ...worker.current, kernelsAt: at } });
  const running = { ...state, workers };
  const changed = changePartition(
    running,
    event,
    ofAssignment(event, (partition) => beginSpan(partition, 'kernels', at)),
  );
  return changed ?? running;
}

/** A monolithic worker's kernels have ended; it is still on its assignment, and finishes the proof itself. */
export function startFinalizing(
  state: EngineState,
  event: EngineEvent & { type: 'finalizingStarted' },
  at: number,
): EngineState | undefined {
  if (state.workers[event.worker]?.current?.assignment !== event.assignment) return undefined;
  return changePartition(
    state,
    event,
    ofAssignment(event, (partition) => toFinalizing(partition, at)),
  );
}

/** Twice is once: the finalizer's time goes on. */
function toFinalizing(partition: PartitionState, at: number): PartitionState {
  if (partition.phase !== 'gpu') return partition;
  const rest = without(partition, 'progress');
  return { ...rest, phase: 'finalizing', spans: { ...closeSpans(rest.spans, at), finalizing: { startedAt: at } } };
}

export function startVerify(
  state: EngineState,
  event: EngineEvent & { type: 'verifyStarted' },
  at: number,
): EngineState | undefined {
  const finalizer = state.finalizers[event.assignment];
  const verifying = finalizer
    ? { ...state, finalizers: { ...state.finalizers, [event.assignment]: { ...finalizer, verifyAt: at } } }
    : state;
  const changed = changePartition(
    verifying,
    event,
    ofAssignment(event, (partition) => beginSpan(partition, 'verify', at)),
  );
  return changed ?? (finalizer ? verifying : undefined);
}

export function end(state: EngineState, event: EndEvent, at: number): EngineState {
  const { worker: id, assignment, job, partition } = event;
  const worker = state.workers[id];
  let next = state;
  let mine = true;
  if (worker?.current?.assignment === assignment) {
    const idle: WorkerState = { ...without(worker, 'current'), phase: 'idle', since: at };
    next = { ...next, workers: next.workers.with(id, idle) };
    if (event.type === 'deviceReleased') {
      const finalizer = { assignment, worker: id, job, partition, startedAt: at };
      next = { ...next, finalizers: { ...next.finalizers, [assignment]: finalizer } };
    }
  } else if (event.type !== 'deviceReleased' && next.finalizers[assignment]) {
    next = { ...next, finalizers: without(next.finalizers, assignment) };
  } else {
    mine = false;
  }
  const changed = changePartition(
    next,
    event,
    ofAssignment(event, (old) => outcome(old, event, at)),
  );
  if (!mine) return { ...(changed ?? next), staleEnds: next.staleEnds + 1 };
  return changed ?? next;
}

function outcome(partition: PartitionState, event: EndEvent, at: number): PartitionState | undefined {
  if (event.type === 'deviceReleased') return toFinalizing(partition, at);
  if (event.type === 'partitionRetried') return retried(partition, event, at);
  const rest = without(partition, 'progress');
  const ended = { ...rest, spans: closeSpans(rest.spans, at) };
  switch (event.type) {
    case 'partitionDone': {
      // Why an attempt before this one was given up stays in the events; the partition itself is well.
      return { ...without(ended, 'error'), phase: 'done', ...(event.timings ? { timings: event.timings } : {}) };
    }
    case 'partitionFailed':
      return { ...ended, phase: 'failed', error: event.error };
    case 'partitionCancelled':
      return { ...ended, phase: 'cancelled' };
  }
}
