// The rows of the table `partitions`: an attempt at a partition, with its times.
import type { AttemptPhase } from '../contract/history.ts';
import { type PartitionState, type SpanName, spanMs, spanNames } from '../contract/state.ts';

/** The column of a span: `queueWait` is in `queue_wait_us`. */
export const columnOf = (span: SpanName): string => `${span.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_us`;
export const spanColumns: readonly string[] = spanNames.map(columnOf);

/** Whole microseconds of milliseconds. */
export const microseconds = (ms: number): number => Math.max(0, Math.round(ms * 1000));

/** The spans' durations in microseconds, by span; open ones last until `at`. */
export function timesOf({ spans }: PartitionState, at: number): Partial<Record<SpanName, number>> {
  const times: Partial<Record<SpanName, number>> = {};
  for (const name of spanNames) {
    const span = spans[name];
    if (span) times[name] = microseconds(spanMs(span, at));
  }
  return times;
}

export const insertAttempt = `INSERT OR REPLACE INTO partitions
  (job, partition, attempt, phase, device, worker, error, ${spanColumns.join(', ')})
  VALUES (@job, @partition, @attempt, @phase, @device, @worker, @error, ${spanNames.map((name) => `@${name}`).join(', ')})`;

/** What insertAttempt is bound to. */
export function attemptRow(
  ref: { job: number; partition: number },
  attempt: number,
  phase: AttemptPhase,
  more: { device: number | null; worker: number | null; error: string | null },
  times: Partial<Record<SpanName, number>>,
) {
  const columns = Object.fromEntries(spanNames.map((name) => [name, times[name] ?? null]));
  return { ...ref, attempt, phase, ...more, ...columns };
}
