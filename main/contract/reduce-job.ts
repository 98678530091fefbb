// What events do to jobs and partitions. Part of reduce(); nothing else imports it.
import type { EngineEvent, PartitionRef } from './events.ts';
import type { EngineState, JobState, PartitionPhase, PartitionState, Span, SpanName } from './state.ts';
import { isTerminalJob, isTerminalPartition } from './state.ts';

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

/** A partition only ever goes to a phase of a higher number, but by a retry. */
export const phaseOrder = (phase: PartitionPhase): number => order[phase];

/** Freezes what is still open. */
export function closeSpans(spans: PartitionState['spans'], at: number): PartitionState['spans'] {
  const open = (Object.entries(spans) as [SpanName, Span][]).filter(([, span]) => span.endedAt === undefined);
  if (open.length === 0) return spans;
  const closed = { ...spans };
  for (const [name, { startedAt }] of open) closed[name] = { startedAt, endedAt: Math.max(at, startedAt) };
  return closed;
}

/** The partition with `span` begun and what was open closed; as it was when the span has begun before: a frozen time stays so. */
export function beginSpan(partition: PartitionState, span: SpanName, at: number): PartitionState {
  if (partition.spans[span]) return partition;
  return { ...partition, spans: { ...closeSpans(partition.spans, at), [span]: { startedAt: at } } };
}

/** The state with one live job changed; undefined when there is none of that name, or it is terminal, or `change` declines. */
export function changeJob(
  state: EngineState,
  name: string,
  change: (job: JobState) => JobState | undefined,
): EngineState | undefined {
  const old = state.jobs[name];
  if (!old || isTerminalJob(old.phase)) return undefined;
  const changed = change(old);
  return changed && { ...state, jobs: { ...state.jobs, [name]: changed } };
}

/** The state with one partition changed that is not terminal, in a job that is not. */
export function changePartition(
  state: EngineState,
  { job: name, partition: index }: PartitionRef,
  change: (partition: PartitionState) => PartitionState | undefined,
): EngineState | undefined {
  return changeJob(state, name, (job) => {
    const old = job.partitions[index];
    if (!old || isTerminalPartition(old.phase)) return undefined;
    const changed = change(old);
    if (!changed) return undefined;
    const phase = job.phase === 'queued' && changed.phase !== 'pending' ? 'running' : job.phase;
    return { ...job, phase, partitions: job.partitions.with(index, changed) };
  });
}

/** Moves a partition forward into `phase`, closes what was open and opens `span`. */
export function enter(
  state: EngineState,
  ref: PartitionRef,
  phase: PartitionPhase,
  span: SpanName | undefined,
  at: number,
  more: Partial<PartitionState>,
): EngineState | undefined {
  return changePartition(state, ref, (partition) => {
    if (order[phase] <= order[partition.phase]) return undefined;
    const spans = closeSpans(partition.spans, at);
    return { ...partition, ...more, phase, spans: span ? { ...spans, [span]: { startedAt: at } } : spans };
  });
}

/** Opens a wait of a pending partition. */
export function openSpan(state: EngineState, ref: PartitionRef, span: SpanName, at: number): EngineState | undefined {
  return changePartition(state, ref, (partition) =>
    partition.phase === 'pending' && !partition.spans[span] ? beginSpan(partition, span, at) : undefined,
  );
}

/** A job is terminal exactly once; what its partitions were doing ends with it. */
export function endJob(state: EngineState, event: EngineEvent & { type: 'jobEnded' }, at: number): EngineState | undefined {
  return changeJob(state, event.job, (job) => {
    if (event.end === 'succeeded' && job.partitions.some(({ phase }) => phase !== 'done')) return undefined;
    const partitions = job.partitions.map((partition) =>
      isTerminalPartition(partition.phase)
        ? partition
        : { ...partition, phase: 'cancelled' as const, spans: closeSpans(partition.spans, at) },
    );
    return { ...job, phase: event.end, endedAt: at, partitions, ...(event.error ? { error: event.error } : {}) };
  });
}
