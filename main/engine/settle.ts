// What becomes of an attempt that did not end with a proof: it was cancelled with its job, is tried on another device, or fails.
import { CuzkError } from '../contract/errors.ts';
import type { DeviceLine } from './device-line.ts';
import type { Floor } from './floor.ts';
import type { FinalizerLease } from './gpu-lease.ts';
import { type Entry, failureOf } from './job.ts';

/** A partition is tried on so many devices at most. */
export const mostAttempts = 3;

const deviceFaults = new Set(['DeviceLost', 'DeviceHung', 'DeviceFault']);
const hasCode = (problem: unknown, code: string) => problem instanceof CuzkError && problem.code === code;
/** Whether an error says that the device itself is gone or unusable, whatever was asked of it. */
export const isDeviceFault = (problem: unknown): boolean => problem instanceof CuzkError && deviceFaults.has(problem.code);
/** An attempt's own signal, or the prover that was stopped by it. */
const isStopped = (problem: unknown) =>
  hasCode(problem, 'Aborted') || (problem instanceof DOMException && problem.name === 'AbortError');

/** `lease`: of the device worker that had it; undefined when none did. */
export function settle(floor: Floor, entry: Entry, line: DeviceLine, lease: FinalizerLease | undefined, problem: unknown): void {
  // A job that ended stopped its work: then the partition was cancelled, whatever the stopped call says.
  if (entry.job.isTerminal) {
    lease?.cancelled();
    return;
  }
  const isFault = isDeviceFault(problem);
  const because = isStopped(problem) && line.isFaulted ? line.fault.reason : problem;
  const isDoubtful = hasCode(because, 'ProofInvalid') && entry.suspect === undefined;
  if (isFault || because !== problem || isDoubtful) {
    if (isDoubtful) entry.suspect = line.device;
    // First, so that nothing that waits is sent there any more.
    if (isFault) floor.deviceFailed(line, problem);
    if (tryElsewhere(floor, entry, line, lease, because)) {
      floor.scheduler.push(entry);
      return;
    }
  }
  if (lease) lease.failed(failureOf(because));
  else floor.tracker.partitionFailed({ job: entry.job.id, partition: entry.partition }, failureOf(because));
  floor.failed(entry, because);
}

/** Whether there is another device to try; if so the partition is pending again. */
function tryElsewhere(
  { scheduler, tracker }: Floor,
  entry: Entry,
  line: DeviceLine,
  lease: FinalizerLease | undefined,
  problem: unknown,
): boolean {
  entry.avoid.add(line.device);
  if (entry.attempt >= mostAttempts || scheduler.linesFor(entry).length === 0) return false;
  entry.attempt++;
  const reason = failureOf(problem);
  if (lease) lease.retried(entry.attempt, reason);
  else tracker.partitionRetried({ job: entry.job.id, partition: entry.partition }, entry.attempt, reason);
  return true;
}
