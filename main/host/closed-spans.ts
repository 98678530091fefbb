// Which parts of partitions' times an event has ended: the difference of the states before and after it. Pure; each span of each attempt is
// told exactly once, whichever event closed it.
import type { EngineEvent } from '../contract/events.ts';
import {
  type EngineState,
  isTerminalJob,
  type JobState,
  jobOf,
  jobsOf,
  type PartitionState,
  partitionOf,
  partitionsOf,
  type SpanName,
  spanMs,
} from '../contract/state.ts';

export interface ClosedSpan {
  kind: string;
  span: SpanName;
  ms: number;
  /** Where the partition was, if a device worker had it. */
  device?: string;
}

/** The spans that `event` closed, between the states before and after it. */
export function closedBy(event: EngineEvent, before: EngineState, after: EngineState): ClosedSpan[] {
  if (!('job' in event)) return [];
  const old = jobOf(before, event.job);
  const job = jobOf(after, event.job);
  if (!old || !job || old === job) return [];
  // Only the end of a job touches more than one partition.
  if ('partition' in event) return ofPartition(job, partitionOf(old, event.partition), partitionOf(job, event.partition), after);
  const partitions = partitionsOf(job);
  return partitionsOf(old).flatMap((partition, index) => ofPartition(job, partition, partitions[index], after));
}

/** All that a state holds closed: what was before anybody watched. */
export function closedIn(state: EngineState): ClosedSpan[] {
  return jobsOf(state).flatMap((job) => partitionsOf(job).flatMap((partition) => named(job, partition, isClosed, state)));
}

/** How long the job took that `event` ended. */
export function endedBy(event: EngineEvent, before: EngineState, after: EngineState): { job: JobState; ms: number } | undefined {
  if (event.type !== 'jobEnded') return undefined;
  const old = jobOf(before, event.job);
  const job = jobOf(after, event.job);
  if (!old || !job || isTerminalJob(old.phase) || !isTerminalJob(job.phase)) return undefined;
  return { job, ms: spanMs({ startedAt: job.submittedAt }, job.endedAt ?? after.at) };
}

type Spans = PartitionState['spans'];
const isClosed = (name: SpanName, spans: Spans) => spans[name]?.endedAt !== undefined;

function ofPartition(
  job: JobState,
  old: PartitionState | undefined,
  partition: PartitionState | undefined,
  state: EngineState,
): ClosedSpan[] {
  if (!old || !partition || old === partition) return [];
  // A new attempt forgets the spans of the old one; what was open in it ended with it.
  if (old.attempt !== partition.attempt) return named(job, old, (name, spans) => !isClosed(name, spans), state);
  return named(job, partition, (name, spans) => isClosed(name, spans) && !isClosed(name, old.spans), state);
}

function named(
  { kind }: JobState,
  { spans, worker }: PartitionState,
  isMeant: (name: SpanName, spans: Spans) => boolean,
  { workers, at }: EngineState,
): ClosedSpan[] {
  const device = worker === undefined ? undefined : workers[worker]?.device;
  return (Object.keys(spans) as SpanName[])
    .filter((name) => isMeant(name, spans))
    .map((span) => ({ kind, span, ms: spanMs(spans[span]!, at), ...(device === undefined ? {} : { device }) }));
}
