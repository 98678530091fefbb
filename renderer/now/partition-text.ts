// What a partition's cell, its details and its accessible name say.
import { type PartitionState, type SpanName, spanMs, spanNames } from '../../main/contract/state.ts';
import { formatDuration } from '../../main/contract/units.ts';
import { phaseLooks } from '../components/phases.ts';

/** Milliseconds of some spans together, open ones until now; undefined while none has begun. */
export function workMs({ spans }: PartitionState, names: readonly SpanName[], now: number): number | undefined {
  let total: number | undefined;
  for (const name of names) {
    const span = spans[name];
    if (span) total = (total ?? 0) + spanMs(span, now);
  }
  return total;
}

/** CPU work before the device, and the device's own: waits are in neither. */
export const synthesisMs = (partition: PartitionState, now: number) => workMs(partition, ['witness', 'synthesis'], now);
export const deviceMs = (partition: PartitionState, now: number) => workMs(partition, ['kernels'], now);

const spanWords: Record<SpanName, string> = {
  queueWait: 'queued',
  memoryWait: 'waited for memory',
  keyWait: 'waited for the key',
  witness: 'witness',
  threadWait: 'waited for threads',
  synthesis: 'synthesis',
  deviceQueue: 'waited for a device',
  lockWait: 'waited for the lock',
  kernels: 'kernels',
  finalizing: 'finalizing',
  verify: 'verifying',
};

/** `7: on a device, attempt 2` */
export function partitionSummary(index: number, { phase, attempt }: PartitionState): string {
  return `${index}: ${phaseLooks[phase].word}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

/** The parts of its time, in order: `queued 1.2 s`, `synthesis 420 ms`. */
export function partitionParts({ spans }: PartitionState, now: number): string[] {
  return spanNames.flatMap((name) => (spans[name] ? `${spanWords[name]} ${formatDuration(spanMs(spans[name], now))}` : []));
}

/** How far its step is, from 0 to 1. */
export function progressShare({ progress }: PartitionState): number | undefined {
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined;
}
