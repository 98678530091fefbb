// What events do to jobs and partitions. Part of reduce(); nothing else imports it.
import type { EngineEvent, PartitionRef } from './events.ts';
import { mapRows, rowAt, rowCount, rowsOf, withNewRow, withRow } from './rows.ts';
import type { EngineState, JobState, PartitionPhase, PartitionState, Span, SpanName } from './state.ts';
import { isTerminalJob, isTerminalPartition, jobOf, jobsOf } from './state.ts';
import { without } from './without.ts';

const order: Record<PartitionPhase, number> = {
  pending: 0,
  synthesizing: 1,
  synth_done: 2,
  gpu: 3,
  finalizing: 4,
  done: 5,
  failed: 5,
  cancelled: 5,
};

/** Freezes what is still open. */
export function closeSpans(spans: PartitionState['spans'], at: number): PartitionState['spans'] {
  let closed: Partial<Record<SpanName, Span>> | undefined;
  for (const name in spans) {
    const span = spans[name as SpanName]!;
    if (span.endedAt !== undefined) continue;
    closed ??= { ...spans };
    closed[name as SpanName] = { startedAt: span.startedAt, endedAt: Math.max(at, span.startedAt) };
  }
  return closed ?? spans;
}

/** The partition with `span` begun and what was open closed; as it was when the span has begun before: a frozen time stays so. */
export function beginSpan(partition: PartitionState, span: SpanName, at: number): PartitionState {
  if (partition.spans[span]) return partition;
  return { ...partition, spans: { ...closeSpans(partition.spans, at), [span]: { startedAt: at } } };
}

export function submitJob(state: EngineState, event: EngineEvent & { type: 'jobSubmitted' }, at: number): EngineState | undefined {
  if (jobOf(state, event.job) || event.partitions < 1) return undefined;
  const { type: _, seq: __, at: ___, partitions: count, wallMs, ...about } = event;
  const pending: PartitionState = { phase: 'pending', attempt: 1, spans: { queueWait: { startedAt: at } } };
  const partitions = rowsOf(new Array<PartitionState>(count).fill(pending));
  const job: JobState = { ...about, phase: 'queued', submittedAt: at, submittedWallMs: wallMs, partitions };
  const { places, rows } = state.jobs;
  return { ...state, jobs: { places: { ...places, [job.job]: rowCount(rows) }, rows: withNewRow(rows, job) } };
}

/** A terminal job leaves the live state; the counters keep its end. */
export function forgetJob(state: EngineState, id: string): EngineState | undefined {
  const job = jobOf(state, id);
  if (!job || !isTerminalJob(job.phase)) return undefined;
  const left = jobsOf(state).filter((one) => one !== job);
  const places = Object.fromEntries(left.map((one, place) => [one.job, place]));
  const ends = state.forgotten[job.kind] ?? {};
  const forgotten = { ...state.forgotten, [job.kind]: { ...ends, [job.phase]: (ends[job.phase] ?? 0) + 1 } };
  return { ...state, jobs: { places, rows: rowsOf(left) }, forgotten };
}

/** The state with one live job changed; undefined when there is none of that name, or it is terminal, or `change` declines. */
export function changeJob(
  state: EngineState,
  id: string,
  change: (job: JobState) => JobState | undefined,
): EngineState | undefined {
  const old = jobOf(state, id);
  if (!old || isTerminalJob(old.phase)) return undefined;
  const changed = change(old);
  if (!changed) return undefined;
  const { places, rows } = state.jobs;
  return { ...state, jobs: { places, rows: withRow(rows, places[id]!, changed) } };
}

/** The state with one partition changed that is not terminal, in a job that is not. */
export function changePartition(
  state: EngineState,
  { job: id, partition: index }: PartitionRef,
  change: (partition: PartitionState) => PartitionState | undefined,
): EngineState | undefined {
  return changeJob(state, id, (job) => {
    const old = rowAt(job.partitions, index);
    if (!old || isTerminalPartition(old.phase)) return undefined;
    const changed = change(old);
    if (!changed) return undefined;
    const phase = job.phase === 'queued' && changed.phase !== 'pending' ? 'running' : job.phase;
    return { ...job, phase, partitions: withRow(job.partitions, index, changed) };
  });
}

/** Moves a partition forward into `phase`, closes what was open and opens `span`. */
export function enter(
  state: EngineState,
  ref: PartitionRef,
  phase: PartitionPhase,
  span: SpanName,
  at: number,
  more: Partial<PartitionState>,
): EngineState | undefined {
  return changePartition(state, ref, (partition) => {
    if (order[phase] <= order[partition.phase]) return undefined;
    const rest = without(partition, 'progress');
    return { ...rest, ...more, phase, spans: { ...closeSpans(rest.spans, at), [span]: { startedAt: at } } };
  });
}

/** The partition's next attempt: nothing of the old one is left but why it was given up. */
export function retried(
  old: PartitionState,
  event: EngineEvent & { type: 'partitionRetried' },
  at: number,
): PartitionState | undefined {
  if (event.attempt !== old.attempt + 1) return undefined;
  // No assignment: an end of the old attempt's take finds nothing of this one.
  return { phase: 'pending', attempt: event.attempt, spans: { queueWait: { startedAt: at } }, error: event.reason };
}

/** A job is terminal exactly once; what its partitions were doing ends with it. */
export function endJob(state: EngineState, event: EngineEvent & { type: 'jobEnded' }, at: number): EngineState | undefined {
  return changeJob(state, event.job, (job) => {
    const isDone = ({ phase }: PartitionState) => phase === 'done';
    if (event.end === 'succeeded' && !job.partitions.every((chunk) => chunk.every(isDone))) return undefined;
    const partitions = mapRows(job.partitions, (partition) => {
      if (isTerminalPartition(partition.phase)) return partition;
      const rest = without(partition, 'progress');
      return { ...rest, phase: 'cancelled' as const, spans: closeSpans(rest.spans, at) };
    });
    return { ...job, phase: event.end, endedAt: at, partitions, ...(event.error ? { error: event.error } : {}) };
  });
}
