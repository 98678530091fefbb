// The phases that spans on the timeline have: the contract's parts of a partition's time, and three that only a lane knows.
import { spanNames } from '../../main/contract/state.ts';

/**
 * `admitted`: the partition has its key and memory, and waits for a worker; the contract has no name for that time.
 * `stopping`: the worker, or the finalizer, is still at it although its partition has ended, by a cancel or another's failure.
 * `faulted`: the worker takes nothing; on a device's lane, none of its workers does.
 */
export const phases = [...spanNames, 'admitted', 'stopping', 'faulted'] as const;
export type Phase = (typeof phases)[number];

/** The numbers that stand for phases in typed arrays. */
export const phaseCode = Object.fromEntries(phases.map((phase, code) => [phase, code])) as Record<Phase, number>;

/** Whether a lane in that phase works, waits, or is out of order: a wait is never counted as work. */
export type Activity = 'work' | 'wait' | 'out';
export const activityOf: Record<Phase, Activity> = {
  queueWait: 'wait',
  memoryWait: 'wait',
  keyWait: 'wait',
  admitted: 'wait',
  witness: 'work',
  threadWait: 'wait',
  synthesis: 'work',
  deviceQueue: 'wait',
  lockWait: 'wait',
  kernels: 'work',
  finalizing: 'work',
  verify: 'work',
  stopping: 'work',
  faulted: 'out',
};

/** By code, for loops over typed arrays. */
export const isWork: readonly boolean[] = phases.map((phase) => activityOf[phase] === 'work');
export const isWait: readonly boolean[] = phases.map((phase) => activityOf[phase] === 'wait');

export const phaseLabels: Record<Phase, string> = {
  queueWait: 'Queue',
  memoryWait: 'Memory wait',
  keyWait: 'Key load',
  admitted: 'Ready for a worker',
  witness: 'Witness',
  threadWait: 'Thread wait',
  synthesis: 'Synthesis',
  deviceQueue: 'Device queue',
  lockWait: 'Lock wait',
  kernels: 'Kernels',
  finalizing: 'Finalizing',
  verify: 'Verify',
  stopping: 'Stopping',
  faulted: 'Out of order',
};

/** How a span ended; `open` has not. */
export const outcomes = ['open', 'ok', 'failed', 'cancelled', 'retried'] as const;
export type Outcome = (typeof outcomes)[number];
export const outcomeCode = Object.fromEntries(outcomes.map((outcome, code) => [outcome, code])) as Record<Outcome, number>;

export const outcomeLabels: Record<Outcome, string> = {
  open: 'running',
  ok: 'ended',
  failed: '✕ failed',
  cancelled: '⊘ cancelled',
  retried: '↻ given up, tried again',
};
