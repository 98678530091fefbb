// The spans that a snapshot tells of: those of each partition's current attempt, in the order in which they began.
import {
  type EngineState,
  type JobState,
  jobsOf,
  type PartitionState,
  partitionsOf,
  type Span,
  type SpanName,
} from '../../main/contract/state.ts';

export interface SnapshotSpan {
  job: JobState;
  index: number;
  partition: PartitionState;
  name: SpanName;
  span: Span;
}

export function snapshotSpans(state: EngineState): SnapshotSpan[] {
  const all: SnapshotSpan[] = [];
  for (const job of jobsOf(state)) {
    for (const [index, partition] of partitionsOf(job).entries())
      for (const [name, span] of Object.entries(partition.spans)) all.push({ job, index, partition, name: name as SpanName, span });
  }
  return all.sort((a, b) => a.span.startedAt - b.span.startedAt || (a.span.endedAt ?? Infinity) - (b.span.endedAt ?? Infinity));
}
