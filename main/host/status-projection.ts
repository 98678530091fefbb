// GET /status: the engine's state, and beside it the field names that operators' scripts know from the reference engine (cuzk in Curio).
// A pure projection of one state: nothing is counted here that the state does not say. Each field is explained in docs/serve.md.
import {
  type Counters,
  countersOf,
  type EngineState,
  isTerminalJob,
  type JobState,
  jobsOf,
  type KeyState,
  type PartitionPhase,
  type PartitionState,
  partitionsOf,
  type SpanName,
  spanMs,
  type WorkerState,
} from '../contract/state.ts';

/** The states of a partition that the reference engine has. */
export type KnownPartitionState = 'pending' | 'synthesizing' | 'synth_done' | 'gpu' | 'done' | 'failed';

export interface PipelineStatus {
  job_id: string;
  proof_kind: string;
  started_secs_ago: number;
  total_partitions: number;
  partitions_done: number;
  partitions: { index: number; state: KnownPartitionState; synth_ms: number | null; gpu_ms: number | null }[];
}

export interface GpuWorkerStatus {
  worker_id: number;
  gpu_ordinal: number | null;
  device: string | null;
  state: WorkerState['phase'];
  current_job: string | null;
  current_partition: number | null;
  busy_secs: number | null;
}

export interface KeyAllocation {
  circuit_id: string;
  device: string;
  bytes: number;
  last_used_secs_ago: number;
  evictable: boolean;
}

export interface Status {
  seq: number;
  /** Monotonic milliseconds of the last event. */
  at: number;
  /** How long ago that was. */
  ageMs: number;
  state: EngineState;
  jobCounters: Counters;
  uptime_secs: number;
  memory: { total_bytes: number; used_bytes: number; available_bytes: number };
  synthesis: { max_concurrent: number; active: number };
  pipelines: PipelineStatus[];
  gpu_workers: GpuWorkerStatus[];
  allocations: { srs: KeyAllocation[]; pce: never[] };
  counters: {
    total_completed: number;
    total_failed: number;
    completed_by_kind: Record<string, number>;
    failed_by_kind: Record<string, number>;
    queue_depth: number;
  };
}

/** The whole answer. `now` is the engine's clock; lists and names keep their order from poll to poll. */
export function statusOf(state: EngineState, now: number): Status {
  const jobCounters = sortedByName(countersOf(state));
  const jobs = jobsOf(state);
  return {
    seq: state.seq,
    at: state.at,
    ageMs: ageMs(state, now),
    state,
    jobCounters,
    uptime_secs: seconds(state.startedAt, now),
    memory: memoryOf(state),
    synthesis: synthesisOf(state),
    pipelines: jobs.map((job) => pipelineOf(job, now)),
    gpu_workers: state.workers.filter(isDeviceWorker).map((worker) => gpuWorkerOf(worker, now)),
    allocations: { srs: Object.values(sortedByName(state.keys)).map((key) => allocationOf(key, jobs, now)), pce: [] },
    counters: referenceCounters(jobCounters),
  };
}

/** Milliseconds since the state's last event; never negative, whatever the two clocks say. */
export const ageMs = (state: EngineState, now: number): number => Math.max(0, now - state.at);

const seconds = (from: number, now: number) => Math.max(0, now - from) / 1000;
const isDeviceWorker = ({ kind }: WorkerState) => kind !== 'synthesis';

/** Without a prototype, since the names are any text. */
function sortedByName<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  const sorted: Record<string, T> = Object.create(null);
  for (const name of Object.keys(table).sort()) sorted[name] = table[name]!;
  return sorted;
}

function memoryOf({ memory, budgetBytes }: EngineState): Status['memory'] {
  const used = Object.values(memory).reduce((sum, bytes) => sum + bytes, 0);
  return { total_bytes: budgetBytes, used_bytes: used, available_bytes: Math.max(0, budgetBytes - used) };
}

function synthesisOf({ workers }: EngineState): Status['synthesis'] {
  const synthesizers = workers.filter(({ kind }) => kind === 'synthesis');
  return { max_concurrent: synthesizers.length, active: synthesizers.filter(({ synthesis }) => synthesis).length };
}

// The reference knows neither a finalizer's time, which it shows as the device's, nor cancelling, which it does not do.
const knownStates: Record<PartitionPhase, KnownPartitionState> = {
  pending: 'pending',
  synthesizing: 'synthesizing',
  synth_done: 'synth_done',
  gpu: 'gpu',
  finalizing: 'gpu',
  done: 'done',
  failed: 'failed',
  cancelled: 'failed',
};

function pipelineOf(job: JobState, now: number): PipelineStatus {
  const partitions = partitionsOf(job);
  return {
    job_id: job.job,
    proof_kind: job.kind,
    started_secs_ago: seconds(job.submittedAt, now),
    total_partitions: partitions.length,
    partitions_done: partitions.filter(({ phase }) => phase === 'done').length,
    partitions: partitions.map((partition, index) => ({
      index,
      state: knownStates[partition.phase],
      synth_ms: totalMs(partition, ['witness', 'synthesis'], now),
      // Without the wait for the device's lock: a wait is never shown as work.
      gpu_ms: totalMs(partition, ['kernels', 'finalizing', 'verify'], now),
    })),
  };
}

/** Whole milliseconds of the spans together; null while none of them has begun. */
function totalMs({ spans }: PartitionState, names: SpanName[], now: number): number | null {
  const begun = names.flatMap((name) => spans[name] ?? []);
  return begun.length === 0 ? null : Math.round(begun.reduce((sum, span) => sum + spanMs(span, now), 0));
}

function gpuWorkerOf({ worker, device, phase, current, synthesis }: WorkerState, now: number): GpuWorkerStatus {
  const work = current ?? synthesis;
  return {
    worker_id: worker,
    gpu_ordinal: ordinalOf(device),
    device: device ?? null,
    state: phase,
    current_job: work?.job ?? null,
    current_partition: work?.partition ?? null,
    busy_secs: work ? seconds(work.startedAt, now) : null,
  };
}

/** 1 of `cuda:1`; null of what is no GPU. */
function ordinalOf(device: string | undefined): number | null {
  const ordinal = device?.match(/:(\d+)$/)?.[1];
  return ordinal === undefined ? null : Number(ordinal);
}

function allocationOf(key: KeyState, jobs: JobState[], now: number): KeyAllocation {
  const users = jobs.filter(({ circuit }) => circuit === key.circuit);
  const inUse = users.some(({ phase }) => !isTerminalJob(phase));
  const lastUsedAt = users.reduce((last, { endedAt }) => Math.max(last, endedAt ?? 0), key.since);
  return {
    circuit_id: key.circuit,
    device: key.device,
    bytes: key.bytes,
    last_used_secs_ago: inUse ? 0 : seconds(lastUsedAt, now),
    evictable: key.residency === 'hot' && !inUse,
  };
}

function referenceCounters(counters: Counters): Status['counters'] {
  const completed: Record<string, number> = Object.create(null);
  const failed: Record<string, number> = Object.create(null);
  const total = { completed: 0, failed: 0, queued: 0 };
  for (const [kind, phases] of Object.entries(counters)) {
    if (phases.succeeded > 0) completed[kind] = phases.succeeded;
    if (phases.failed > 0) failed[kind] = phases.failed;
    total.completed += phases.succeeded;
    total.failed += phases.failed;
    total.queued += phases.queued;
  }
  return {
    total_completed: total.completed,
    total_failed: total.failed,
    completed_by_kind: completed,
    failed_by_kind: failed,
    queue_depth: total.queued,
  };
}
