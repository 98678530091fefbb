import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../main/contract/rows.ts';
import type { JobState, PartitionPhase, PartitionState } from '../../main/contract/state.ts';
import { phaseOrder } from '../components/phases.ts';
import { jobProgress, lateness, timeLeft } from './job-progress.ts';

const partition = (phase: PartitionPhase, endedAt?: number): PartitionState => ({
  phase,
  attempt: 1,
  spans: endedAt === undefined ? {} : { finalizing: { startedAt: 0, endedAt } },
});
const proved = (...at: number[]) => at.map((one) => partition('done', one));
const pending = (count: number) => new Array<PartitionState>(count).fill(partition('pending'));
const progress = (...partitions: PartitionState[]) => jobProgress(rowsOf(partitions));

it('counts every partition once, whichever changed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...phaseOrder), { maxLength: 300 }), (phases) => {
      const { counts, total } = progress(...phases.map((phase) => partition(phase)));
      expect(total).toBe(phases.length);
      for (const phase of phaseOrder) expect(counts[phase]).toBe(phases.filter((one) => one === phase).length);
    }),
  );
});

describe('the time left', () => {
  it('is what the rest takes at the pace of the last proofs', () => {
    expect(timeLeft(progress(...proved(100, 200, 300), ...pending(10)), 300)).toBe(1000);
  });

  it('passes with the time between two proofs', () => {
    const state = progress(...proved(100, 200, 300), ...pending(10));
    expect(timeLeft(state, 350)).toBe(950);
  });

  it('grows when no proof comes any more', () => {
    const state = progress(...proved(100, 200, 300), ...pending(10));
    expect(timeLeft(state, 2300)!).toBeGreaterThan(timeLeft(state, 300)!);
  });

  it('is not told from fewer than three proofs, nor when nothing is left', () => {
    expect(timeLeft(progress(...proved(100, 200), ...pending(4)), 300)).toBeUndefined();
    expect(timeLeft(progress(...proved(100, 200, 300)), 300)).toBeUndefined();
  });

  it('does not count proofs that were taken over as made', () => {
    const restored = new Array<PartitionState>(5).fill({
      phase: 'done',
      attempt: 1,
      spans: { queueWait: { startedAt: 0, endedAt: 0 } },
    });
    expect(timeLeft(progress(...restored, ...pending(4)), 10)).toBeUndefined();
  });

  it('is never negative', () => {
    const times = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 50 }), fc.nat(20_000), (at, left, now) => {
        expect(timeLeft(progress(...proved(...at), ...pending(left)), now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

it('says whether a job will be in time', () => {
  const job = { deadlineAt: 1000 } as JobState;
  expect([lateness(job, 500, 400), lateness(job, 500, 600), lateness(job, 1001, 1), lateness({} as JobState, 5, 5)]).toEqual([
    ...['in time', 'will be late', 'late'],
    undefined,
  ]);
});
