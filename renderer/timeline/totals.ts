// Sums over a range that a person has dragged: how busy each lane was, and how long its phases took.
import type { Lane } from './lanes.ts';
import { type Phase, phases } from './phases.ts';
import type { Range } from './scale.ts';
import { eachIn } from './span-search.ts';
import { type Shares, sharesOf } from './utilisation.ts';

export interface PhaseTotal {
  phase: Phase;
  /** Spans that have time in the range. */
  count: number;
  /** Milliseconds of them that lie in the range. */
  sumMs: number;
  /** Of the whole durations of those that have ended; undefined when none has. */
  p50Ms: number | undefined;
  p95Ms: number | undefined;
}

export interface LaneTotals extends Shares {
  lane: Lane;
  idleMs: number;
  phases: PhaseTotal[];
}

export function totalsOf(lanes: readonly Lane[], range: Range, now: number): LaneTotals[] {
  return lanes.map((lane) => {
    const shares = sharesOf(lane, range, now);
    const idleMs = Math.max(0, shares.totalMs - shares.workMs - shares.waitMs - shares.outMs);
    return { lane, ...shares, idleMs, phases: phaseTotals([lane], range, now) };
  });
}

/** By phase, over several lanes, in the order of the phases. */
export function phaseTotals(lanes: readonly Lane[], range: Range, now: number): PhaseTotal[] {
  const sums = new Map<number, { count: number; sumMs: number; ended: number[] }>();
  for (const { sublanes } of lanes)
    for (const ring of sublanes)
      eachIn(ring, range, now, (row, from, to) => {
        const { phase, startedAt, endedAt } = ring.at;
        let sum = sums.get(phase[row]!);
        if (!sum) {
          sum = { count: 0, sumMs: 0, ended: [] };
          sums.set(phase[row]!, sum);
        }
        sum.count++;
        sum.sumMs += to - from;
        if (endedAt[row]! <= now) sum.ended.push(endedAt[row]! - startedAt[row]!);
      });
  return [...sums]
    .sort(([a], [b]) => a - b)
    .map(([phase, { count, sumMs, ended }]) => {
      const sorted = Float64Array.from(ended).sort();
      return { phase: phases[phase]!, count, sumMs, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
    });
}

/** The nearest rank's value: one that was measured, never one between two. */
function quantile(sorted: Float64Array, q: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)];
}
