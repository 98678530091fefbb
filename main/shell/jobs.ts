// What the system around the app shows of the jobs: how many run, how far they are, and what to tell when one ends. Pure.
import { basename } from 'node:path';
import type { EngineEvent } from '../contract/events.ts';
import {
  type EngineState,
  isTerminalJob,
  isTerminalPartition,
  type JobState,
  jobOf,
  jobsOf,
  partitionsOf,
} from '../contract/state.ts';

/** The jobs that have not ended. */
export const unendedJobs = (state: EngineState): JobState[] => jobsOf(state).filter(({ phase }) => !isTerminalJob(phase));

/** Whether an event changes how far the jobs are. */
export const movesProgress = ({ type }: EngineEvent): boolean =>
  type === 'jobSubmitted' ||
  type === 'jobEnded' ||
  type === 'partitionDone' ||
  type === 'partitionRestored' ||
  type === 'partitionFailed' ||
  type === 'partitionCancelled';

/** The share of the partitions of all jobs that have not ended which have; undefined with no such job. */
export function progressOf(jobs: readonly JobState[]): number | undefined {
  let [ended, all] = [0, 0];
  for (const job of jobs) {
    for (const { phase } of partitionsOf(job)) {
      all++;
      if (isTerminalPartition(phase)) ended++;
    }
  }
  return all === 0 ? undefined : ended / all;
}

export interface Notice {
  title: string;
  body: string;
}

/** What to tell of an event: how a job ended, unless a person ended it themselves. */
export function noticeOf(event: EngineEvent, state: EngineState): Notice | undefined {
  if (event.type !== 'jobEnded' || event.end === 'cancelled' || event.end === 'interrupted') return undefined;
  const job = jobOf(state, event.job);
  if (!job) return undefined;
  const partitions = partitionsOf(job);
  const done = partitions.filter(({ phase }) => phase === 'done').length;
  const proofs = partitions.length === 1 ? '1 proof' : `${partitions.length} proofs`;
  if (event.end === 'succeeded') return { title: `${job.kind} succeeded`, body: `${proofs} of ${basename(job.circuit)}` };
  return {
    title: `${job.kind} failed`,
    body: `${done} of ${proofs}${event.error ? `: ${event.error.message}` : ''}`,
  };
}
