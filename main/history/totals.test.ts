// The totals, which are kept as jobs come and go, against what all rows say.
import { beforeAll, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { makeUp } from './made-up.ts';
import { memoryDatabase } from './own-history.ts';
import { plan } from './prune.ts';
import { attemptsOf } from './summaries.ts';
import { totalsOf } from './totals.ts';
import { changes } from './upkeep.ts';

const begin = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const db = memoryDatabase();
beforeAll(() => makeUp(db, { jobs: 600, partitions: 4, days: 10 }));

/** The nearest rank of the sorted list. */
const percentile = (list: number[], share: number) => list.toSorted((a, b) => a - b)[Math.ceil(share * list.length) - 1]!;

function expectTrue(): void {
  for (const one of totalsOf(db, { by: ['kind', 'device'], sinceMs: begin + 2 * dayMs, untilMs: begin + 6 * dayMs })) {
    const { kind, device } = one.key;
    const range = [begin + 2 * dayMs, begin + 7 * dayMs];
    if (device === '') {
      const rows = db
        .prepare(
          'SELECT state, duration_us FROM jobs JOIN facets USING (facet) WHERE kind = ? AND submitted_ms >= ? AND submitted_ms < ?',
        )
        .raw()
        .all(kind, ...range) as [string, number][];
      for (const state of ['succeeded', 'failed', 'cancelled', 'interrupted'] as const)
        expect(one.jobs[state]).toBe(rows.filter(([is]) => is === state).length);
      const exact = percentile(
        rows.filter(([is]) => is === 'succeeded').map(([, us]) => us),
        0.95,
      );
      expect(Math.abs(one.times.job!.p95Us - exact)).toBeLessThanOrEqual(exact / 32);
    } else {
      const rows = db
        .prepare(
          `SELECT phase, kernels_us FROM partitions JOIN jobs USING (job) JOIN facets USING (facet) JOIN devices USING (device)
           WHERE kind = ? AND devices.name = ? AND submitted_ms >= ? AND submitted_ms < ?`,
        )
        .raw()
        .all(kind, device, ...range) as [string, number][];
      const done = rows.filter(([is]) => is === 'done').map(([, us]) => us);
      expect([one.attempts.succeeded, one.attempts.cancelled]).toEqual([done.length, rows.length - done.length]);
      expect(one.times.kernels!.count).toBe(done.length);
      expect(one.times.kernels!.meanUs).toBeCloseTo(done.reduce((a, b) => a + b, 0) / done.length, 3);
      for (const [share, name] of [
        [0.5, 'p50Us'],
        [0.95, 'p95Us'],
        [0.99, 'p99Us'],
      ] as const) {
        const exact = percentile(done, share);
        expect(Math.abs(one.times.kernels![name] - exact)).toBeLessThanOrEqual(exact / 32);
      }
    }
  }
}

it('totals by kind and device are those of the rows, also after some were deleted', () => {
  expect(totalsOf(db, { by: ['kind', 'device'] }).length).toBe(20);
  expectTrue();
  const request = { beforeMs: begin + 4 * dayMs };
  const { jobs, bytes, pinned } = plan(db, request);
  const old = db.prepare('SELECT count(*) FROM jobs WHERE submitted_ms < ?').pluck().get(request.beforeMs);
  expect(jobs.length + pinned).toBe(old);
  expect(jobs.length).toBeGreaterThan(100);
  expect(changes.prune(db, request)).toEqual({ jobs: jobs.length, bytes, pinned });
  expect(plan(db, request)).toEqual({ jobs: [], bytes: 0, pinned });
  expectTrue();
});

it('retention by size takes the oldest until the rest fits, and never what is pinned', () => {
  const all = db.prepare('SELECT job, bytes FROM jobs ORDER BY submitted_ms').all() as { job: number; bytes: number }[];
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  db.prepare('UPDATE jobs SET pinned = (job = ?)').run(all[1]!.job);
  const { jobs, bytes, pinned } = plan(db, { mostBytes: total - all[0]!.bytes - 1 });
  expect(jobs).toEqual([all[0]!.job, all[2]!.job]);
  expect([bytes, pinned]).toEqual([all[0]!.bytes + all[2]!.bytes, 1]);
});

it('two jobs are compared by the mean of each phase of their done partitions', () => {
  const done = (times: object) => ({ ...attemptsOf(db, 400)[0]!, phase: 'done' as const, times });
  const a = [done({ kernels: 100, verify: 4 }), done({ kernels: 300 }), { ...done({ kernels: 9000 }), phase: 'failed' as const }];
  expect(compare(a, [done({ kernels: 150, synthesis: 7 })])).toEqual([
    { phase: 'synthesis', aUs: null, bUs: 7, deltaUs: null, ratio: null },
    { phase: 'kernels', aUs: 200, bUs: 150, deltaUs: -50, ratio: -0.25 },
    { phase: 'verify', aUs: 4, bUs: null, deltaUs: null, ratio: null },
  ]);
});
