// How far a job is: its partitions by state, and how long the rest will take.
import type { Rows } from '../../main/contract/rows.ts';
import type { JobState, PartitionPhase, PartitionState } from '../../main/contract/state.ts';

export type PhaseCounts = Record<PartitionPhase, number>;

export interface JobProgress {
  counts: PhaseCounts;
  total: number;
  /** Partitions that are done, failed or cancelled. */
  ended: number;
  /** When the last of them were proved, in order; those taken over from an earlier job took no time and are not among them. */
  provedAt: readonly number[];
}

interface ChunkProgress {
  counts: PhaseCounts;
  provedAt: number[];
}

const none = (): PhaseCounts => ({
  ...{ pending: 0, synthesizing: 0, synth_done: 0, gpu: 0 },
  ...{ finalizing: 0, done: 0, failed: 0, cancelled: 0 },
});

/** Rows keep the chunks in which nothing changed, so only the few that did are counted again. */
const known = new WeakMap<readonly PartitionState[], ChunkProgress>();

function progressOf(chunk: readonly PartitionState[]): ChunkProgress {
  const seen = known.get(chunk);
  if (seen) return seen;
  const counts = none();
  const provedAt: number[] = [];
  for (const { phase, spans } of chunk) {
    counts[phase]++;
    const endedAt = spans.verify?.endedAt ?? spans.finalizing?.endedAt ?? spans.kernels?.endedAt;
    if (phase === 'done' && endedAt !== undefined) provedAt.push(endedAt);
  }
  const progress = { counts, provedAt };
  known.set(chunk, progress);
  return progress;
}

/** How many of the last proofs tell the pace: enough to even out, few enough to follow a change of devices. */
const paceProofs = 64;

export function jobProgress(partitions: Rows<PartitionState>): JobProgress {
  const counts = none();
  const all: number[] = [];
  let total = 0;
  for (const chunk of partitions) {
    const part = progressOf(chunk);
    for (const phase in part.counts) counts[phase as PartitionPhase] += part.counts[phase as PartitionPhase];
    for (const at of part.provedAt) all.push(at);
    total += chunk.length;
  }
  all.sort((a, b) => a - b);
  return { counts, total, ended: counts.done + counts.failed + counts.cancelled, provedAt: all.slice(-paceProofs) };
}

/**
 * Milliseconds until the last partition is proved, at the pace of the last ones; undefined while there are too few to tell (`estimating`),
 * and when nothing is left.
 */
export function timeLeft({ provedAt, total, ended }: JobProgress, now: number): number | undefined {
  const left = total - ended;
  const first = provedAt[0];
  const last = provedAt.at(-1);
  if (left === 0 || provedAt.length < 3 || first === undefined || last === undefined || last <= first) return undefined;
  const each = (last - first) / (provedAt.length - 1);
  const sinceLast = Math.max(0, now - last);
  // A pace that nothing keeps up with any more is slower than it was.
  const pace = Math.max(each, sinceLast / 2);
  return Math.max(each / 2, left * pace - Math.min(sinceLast, each));
}

/** Whether a job is past the time by which it was wanted, or will be. */
export function lateness(
  { deadlineAt }: JobState,
  now: number,
  leftMs: number | undefined,
): 'in time' | 'will be late' | 'late' | undefined {
  if (deadlineAt === undefined) return undefined;
  if (now > deadlineAt) return 'late';
  return leftMs !== undefined && now + leftMs > deadlineAt ? 'will be late' : 'in time';
}
