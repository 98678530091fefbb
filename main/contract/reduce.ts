// The status tracker: the one place that knows what an event does. Pure: the same state and event give the same next state, and the
// given state stays as it is, so a snapshot is simply a state.
import type { EngineEvent, PartitionRef } from './events.ts';
import { end, isAssignedEnd, startDevice, startFinalizing, startKernels, startVerify } from './reduce-assignment.ts';
import { beginSpan, changePartition, closeSpans, endJob, forgetJob, retried, submitJob } from './reduce-job.ts';
import { endSynthesis, resetWorker, startSynthesis } from './reduce-worker.ts';
import type { EngineState, PartitionState, SpanName, WorkerState } from './state.ts';
import { without } from './without.ts';

/** The state after `event`. Events that cannot apply are counted in `ignored`, late ends in `staleEnds`; none is an error. */
export function reduce(state: EngineState, event: EngineEvent): EngineState {
  // Time never falls, whatever clock an event was stamped with.
  const at = Math.max(state.at, event.at);
  const next = apply(state, event, at) ?? { ...state, ignored: state.ignored + 1 };
  if (next === state) return { ...state, seq: event.seq, at };
  // Made here and seen by nobody yet, so it may still be written to.
  const fresh = next as { -readonly [K in keyof EngineState]: EngineState[K] };
  fresh.seq = event.seq;
  fresh.at = at;
  return fresh;
}

/** A new state, or the same one where nothing changes; undefined: the event does not apply. */
function apply(state: EngineState, event: EngineEvent, at: number): EngineState | undefined {
  if (isAssignedEnd(event)) return end(state, event, at);
  switch (event.type) {
    case 'engineStarted': {
      const { budgetBytes, devices, wallMs } = event;
      return { ...state, budgetBytes, devices, startedAt: at, startedWallMs: wallMs };
    }
    case 'workersRegistered': {
      const workers: WorkerState[] = [...state.workers];
      for (const { worker, kind, device } of event.workers) {
        if (worker !== workers.length) return undefined;
        workers.push({ worker, kind, phase: 'idle', since: at, restarts: 0, ...(device === undefined ? {} : { device }) });
      }
      return { ...state, workers };
    }
    case 'jobSubmitted':
      return submitJob(state, event, at);
    case 'circuitOpened': {
      const { type: _, seq: __, at: ___, ...about } = event;
      return { ...state, circuits: { ...state.circuits, [about.circuit]: about } };
    }
    case 'partitionRestored':
      return changePartition(state, event, (partition) =>
        partition.phase === 'pending' ? { ...partition, phase: 'done', spans: closeSpans(partition.spans, at) } : undefined,
      );
    case 'memoryWaitStarted':
      return openWait(state, event, 'memoryWait', at);
    case 'keyWaitStarted':
      return openWait(state, event, 'keyWait', at);
    case 'threadWaitStarted':
      return openWait(state, event, 'threadWait', at);
    case 'memoryGranted':
    case 'keyReady':
      return endWait(state, event, at);
    case 'witnessStarted':
    case 'synthesisStarted':
      return startSynthesis(state, event, at);
    case 'synthesisEnded':
      return endSynthesis(state, event, at);
    case 'deviceStarted':
      return startDevice(state, event, at);
    case 'kernelsStarted':
      return startKernels(state, event, at);
    case 'finalizingStarted':
      return startFinalizing(state, event, at);
    case 'verifyStarted':
      return startVerify(state, event, at);
    case 'partitionFailed':
    case 'partitionCancelled':
      return changePartition(state, event, (partition) => ({
        ...without(partition, 'progress'),
        phase: event.type === 'partitionFailed' ? 'failed' : 'cancelled',
        spans: closeSpans(partition.spans, at),
        ...(event.type === 'partitionFailed' ? { error: event.error } : {}),
      }));
    case 'partitionRetried':
      return changePartition(state, event, (partition) => retried(partition, event, at));
    case 'partitionProgress': {
      const { step, done, total } = event;
      return changePartition(state, event, (partition) => ({ ...partition, progress: { step, done, total } }));
    }
    case 'keyProgress': {
      const { step, done, total } = event;
      const key = state.keys[keyName(event)];
      if (key?.residency !== 'loading') return undefined;
      return { ...state, keys: { ...state.keys, [keyName(event)]: { ...key, progress: { step, done, total } } } };
    }
    case 'jobEnded':
      return endJob(state, event, at);
    case 'jobForgotten':
      return forgetJob(state, event.job);
    case 'workerFaulted':
      return resetWorker(state, event.worker, 'faulted', event.error, at);
    case 'workerRestarted':
      return resetWorker(state, event.worker, 'idle', event.error, at);
    case 'residencyChanged': {
      const others = without(state.keys, keyName(event));
      if (event.residency === 'cold') return { ...state, keys: others };
      const { circuit, device, residency, bytes } = event;
      return { ...state, keys: { ...others, [keyName(event)]: { circuit, device, residency, bytes, since: at } } };
    }
    case 'memoryHeld': {
      const { owner, bytes } = event;
      return { ...state, memory: bytes > 0 ? { ...state.memory, [owner]: bytes } : without(state.memory, owner) };
    }
    case 'memoryMeasured':
      return { ...state, rssBytes: event.rssBytes };
  }
}

const keyName = ({ circuit, device }: { circuit: string; device: string }) => `${circuit}@${device}`;

/** Whether a partition is still before its synthesis: only then does it wait for memory, key or threads. */
const isBeforeSynthesis = ({ phase, spans }: PartitionState) =>
  phase === 'pending' || (phase === 'synthesizing' && !spans.synthesis);

function openWait(state: EngineState, ref: PartitionRef, span: SpanName, at: number): EngineState | undefined {
  return changePartition(state, ref, (partition) =>
    isBeforeSynthesis(partition) && !partition.spans[span] ? beginSpan(partition, span, at) : undefined,
  );
}

/** The wait for memory or for the key is over; until a worker takes the partition, nothing is being waited for that has a name. */
function endWait(state: EngineState, ref: PartitionRef, at: number): EngineState | undefined {
  return changePartition(state, ref, (partition) =>
    partition.phase === 'pending' ? { ...partition, spans: closeSpans(partition.spans, at) } : undefined,
  );
}
