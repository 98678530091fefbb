// The status tracker: the one place that knows what an event does. Pure: the same state and event give the same next state, and the
// given state stays as it is, so a snapshot is simply a state.
import type { EngineEvent, PartitionRef } from './events.ts';
import { end, isAssignedEnd, startDevice, startKernels, startVerify } from './reduce-assignment.ts';
import { changeJob, changePartition, closeSpans, endJob, enter, openSpan, phaseOrder } from './reduce-job.ts';
import type { EngineState, WorkerState } from './state.ts';
import { isTerminalJob } from './state.ts';

/** The state after `event`. Events that cannot apply are counted in `ignored`, late ends in `staleEnds`; none is an error. */
export function reduce(state: EngineState, event: EngineEvent): EngineState {
  // Time never falls, whatever clock an event was stamped with.
  const at = Math.max(state.at, event.at);
  const next = apply(state, event, at);
  const changed = next ?? { ...state, ignored: state.ignored + 1 };
  return { ...changed, seq: event.seq, at };
}

/** undefined: the event does not apply. */
function apply(state: EngineState, event: EngineEvent, at: number): EngineState | undefined {
  if (isAssignedEnd(event)) return end(state, event, at);
  switch (event.type) {
    case 'workersRegistered': {
      const workers = [...state.workers];
      for (const { worker, kind, device } of event.workers) {
        if (worker !== workers.length) return undefined;
        workers.push({ worker, kind, phase: 'idle', since: at, restarts: 0, ...(device === undefined ? {} : { device }) });
      }
      return { ...state, workers };
    }
    case 'jobSubmitted': {
      if (state.jobs[event.job] || event.partitions < 1) return undefined;
      const { type: _, seq: __, at: ___, partitions: count, wallMs, ...about } = event;
      const pending = { phase: 'pending' as const, attempt: 1, spans: { queueWait: { startedAt: at } } };
      const partitions = Array.from({ length: count }, () => pending);
      const job = { ...about, phase: 'queued' as const, submittedAt: at, submittedWallMs: wallMs, partitions };
      return { ...state, jobs: { ...state.jobs, [event.job]: job } };
    }
    case 'memoryWaitStarted':
      return openSpan(state, event, 'memoryWait', at);
    case 'keyWaitStarted':
      return openSpan(state, event, 'keyWait', at);
    case 'memoryGranted':
    case 'keyReady':
      return endWait(state, event, at);
    case 'synthesisStarted':
      return startSynthesis(state, event, at);
    case 'synthesisEnded':
      return endSynthesis(state, event, at);
    case 'deviceStarted':
      return startDevice(state, event, at);
    case 'kernelsStarted':
      return startKernels(state, event, at);
    case 'verifyStarted':
      return startVerify(state, event, at);
    case 'partitionFailed':
    case 'partitionCancelled': {
      const phase = event.type === 'partitionFailed' ? 'failed' : 'cancelled';
      return changePartition(state, event, (partition) => ({
        ...partition,
        phase,
        spans: closeSpans(partition.spans, at),
        ...(event.type === 'partitionFailed' ? { error: event.error } : {}),
      }));
    }
    case 'partitionRetried':
      return retry(state, event, at);
    case 'jobEnded':
      return endJob(state, event, at);
    case 'jobForgotten': {
      const { [event.job]: job, ...jobs } = state.jobs;
      if (!job || !isTerminalJob(job.phase)) return undefined;
      const ends = state.forgotten[job.kind] ?? {};
      const forgotten = { ...state.forgotten, [job.kind]: { ...ends, [job.phase]: (ends[job.phase] ?? 0) + 1 } };
      return { ...state, jobs, forgotten };
    }
    case 'workerFaulted':
      return changeWorker(state, event.worker, ({ current: _, synthesis: __, ...worker }) => ({
        ...worker,
        phase: 'faulted',
        since: at,
        error: event.error,
      }));
    case 'workerRestarted':
      return changeWorker(state, event.worker, ({ current: _, synthesis: __, ...worker }) => ({
        ...worker,
        phase: 'idle',
        since: at,
        restarts: worker.restarts + 1,
        error: event.error,
      }));
    case 'residencyChanged': {
      const name = `${event.circuit}@${event.device}`;
      const { [name]: _, ...others } = state.keys;
      if (event.residency === 'cold') return { ...state, keys: others };
      const { circuit, device, residency, bytes } = event;
      return { ...state, keys: { ...others, [name]: { circuit, device, residency, bytes, since: at } } };
    }
    case 'memoryHeld': {
      const { [event.owner]: _, ...others } = state.memory;
      return { ...state, memory: event.bytes > 0 ? { ...others, [event.owner]: event.bytes } : others };
    }
  }
}

/** The wait for memory or for the key is over; until a worker takes the partition, nothing is being waited for that has a name. */
function endWait(state: EngineState, event: PartitionRef, at: number): EngineState | undefined {
  return changePartition(state, event, (partition) =>
    partition.phase === 'pending' ? { ...partition, spans: closeSpans(partition.spans, at) } : undefined,
  );
}

function startSynthesis(
  state: EngineState,
  event: EngineEvent & { type: 'synthesisStarted' },
  at: number,
): EngineState | undefined {
  const { job, partition, worker } = event;
  const busy = changeWorker(state, worker, (w) =>
    w.kind === 'synthesis' ? { ...w, phase: 'synthesizing', synthesis: { job, partition, startedAt: at }, since: at } : undefined,
  );
  return busy && (enter(busy, event, 'synthesizing', 'synthesis', at, { worker }) ?? countIgnored(busy));
}

function endSynthesis(state: EngineState, event: EngineEvent & { type: 'synthesisEnded' }, at: number): EngineState | undefined {
  const { job, partition } = event;
  const free = changeWorker(state, event.worker, ({ synthesis, ...w }) =>
    synthesis?.job === job && synthesis.partition === partition ? { ...w, phase: 'idle', since: at } : undefined,
  );
  return free && (enter(free, event, 'synth_done', 'deviceQueue', at, {}) ?? countIgnored(free));
}

function retry(state: EngineState, event: EngineEvent & { type: 'partitionRetried' }, at: number): EngineState | undefined {
  return changeJob(state, event.job, (job) => {
    const old = job.partitions[event.partition];
    if (!old || event.attempt !== old.attempt + 1 || phaseOrder(old.phase) >= phaseOrder('done')) return undefined;
    // No assignment: an end of the old attempt's take finds nothing of this one.
    const partition = {
      phase: 'pending' as const,
      attempt: event.attempt,
      spans: { queueWait: { startedAt: at } },
      error: event.reason,
    };
    return { ...job, partitions: job.partitions.with(event.partition, partition) };
  });
}

/** The worker's part of an event applied, the partition's did not. */
function countIgnored(state: EngineState): EngineState {
  return { ...state, ignored: state.ignored + 1 };
}

function changeWorker(
  state: EngineState,
  worker: number,
  change: (worker: WorkerState) => WorkerState | undefined,
): EngineState | undefined {
  const old = state.workers[worker];
  const changed = old && change(old);
  return changed && { ...state, workers: state.workers.with(worker, changed) };
}
