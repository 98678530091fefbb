// Keeps a worker's loop running: a loop that breaks, which only a fault of the program can do, is begun again.
import { CuzkError } from '../contract/errors.ts';
import { isTerminalPartition, jobOf, partitionOf } from '../contract/state.ts';
import type { DeviceLine } from './device-line.ts';
import type { Floor } from './floor.ts';
import { type Entry, failureOf } from './job.ts';
import { type Hand, refOf } from './loops.ts';

/** A loop that broke so often without finishing anything in between is not begun again. */
const mostBreaks = 5;

/** Resolves when the loop has ended in order, or is given up. `line`: of a device worker. */
export async function supervise(
  floor: Floor,
  worker: number,
  line: DeviceLine | undefined,
  loop: (hand: Hand) => Promise<void>,
): Promise<void> {
  const { tracker, clock } = floor;
  for (let breaks = 1; ; breaks++) {
    const hand: Hand = {};
    try {
      await loop(hand);
      if (line?.isFaulted) tracker.emit({ type: 'workerFaulted', worker, error: failureOf(line.fault.reason) });
      return;
    } catch (problem) {
      const { entry } = hand;
      if (hand.finished) breaks = 1;
      const error = failureOf(problem);
      if (breaks >= mostBreaks) tracker.emit({ type: 'workerFaulted', worker, error });
      else tracker.emit({ type: 'workerRestarted', worker, error });
      if (entry && !entry.job.isTerminal) failed(floor, entry, problem);
      if (breaks >= mostBreaks) {
        const lines = line ? [line] : floor.lines;
        const gone = new CuzkError('DeviceFault', `no worker runs any more that is needed to prove: ${error.message}`, {
          remedy: 'this is a bug: please report it with the log',
        });
        if (allGone(floor, worker)) for (const one of lines) floor.deviceFailed(one, gone);
        return;
      }
      // Not at once: whatever broke it may need a moment, and a tight loop of breaks would stop everything else.
      await clock.sleep(10 * 2 ** breaks).catch(() => {});
    }
  }
}

/** The partition that the loop was on: its lease may have said already that it failed. */
function failed({ tracker, ...floor }: Floor, entry: Entry, problem: unknown): void {
  const job = jobOf(tracker.snapshot(), entry.job.id);
  const partition = job && partitionOf(job, entry.partition);
  if (partition && !isTerminalPartition(partition.phase)) tracker.partitionFailed(refOf(entry), failureOf(problem));
  floor.failed(entry, problem);
}

/** Whether every worker of its kind, on its device or for synthesis, is out of order: nobody takes from their queue any more. */
function allGone({ tracker }: Floor, worker: number): boolean {
  const { workers } = tracker.snapshot();
  const { kind, device } = workers[worker]!;
  return workers.every((one) => one.kind !== kind || one.device !== device || one.phase === 'faulted');
}
