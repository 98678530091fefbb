// Every page against the plainest way: all jobs, filtered, sorted, cut.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type JobSummary, type PageRequest, sortColumns } from '../contract/history.ts';
import { makeUp } from './made-up.ts';
import { memoryDatabase } from './own-history.ts';
import { pageOf } from './pages.ts';
import { summariesOf } from './summaries.ts';
import { changes } from './upkeep.ts';

const db = memoryDatabase();
let all: JobSummary[] = [];
beforeAll(() => {
  makeUp(db, { jobs: 400, partitions: 3, days: 10 });
  for (const pinned of [3, 50, 51, 200]) db.prepare('UPDATE jobs SET pinned = 1 WHERE job = ?').run(pinned);
  all = summariesOf(db, db.prepare('SELECT job FROM jobs ORDER BY job').pluck().all() as number[]);
});

const since = Date.UTC(2026, 0, 1);
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const moment = fc.nat(10 * 24).map((hours) => since + hours * 3_600_000);
const request: fc.Arbitrary<PageRequest> = fc.record({
  text: optional(fc.constantFrom('merkle', 'PoRep', 'new key', 'ke', 'ünï', '0', 'a10', '%', 'a"b', 'nothing like that')),
  states: optional(fc.subarray(['succeeded', 'failed', 'cancelled', 'interrupted'])),
  kinds: optional(fc.subarray(['porep-c2', 'snap-deals', 'merkle'])),
  circuits: optional(fc.subarray(['/keys/porep-32g.zkey', '/keys/snap.zkey'], { minLength: 1 })),
  device: optional(fc.constantFrom('cpu', 'cuda:0', 'none')),
  priorities: optional(fc.subarray(['normal', 'high'], { minLength: 1 })),
  tag: optional(fc.constantFrom('release', 'none')),
  pinned: optional(fc.boolean()),
  sinceMs: optional(moment),
  untilMs: optional(moment),
  minUs: optional(fc.nat(6e8)),
  maxUs: optional(fc.nat(6e8)),
  sort: optional(fc.constantFrom(...sortColumns)),
  ascending: optional(fc.boolean()),
  limit: fc.integer({ min: 1, max: 120 }),
});

/** The value of a column that jobs are sorted by. */
function sortedBy(job: JobSummary, sort: PageRequest['sort'] = 'submitted'): string | number {
  if (sort === 'submitted') return job.submittedMs;
  if (sort === 'duration') return job.durationUs ?? -1;
  if (sort === 'devices') return job.devices.join(',');
  return job[sort];
}

function plainly(asked: PageRequest): string[] {
  const { states, kinds, circuits, device, priorities, tag, pinned, sinceMs = 0, untilMs = Infinity, minUs, maxUs } = asked;
  const text = asked.text?.toLowerCase();
  const number = new Map(all.map(({ id }, i) => [id, i]));
  const sign = asked.ascending ? 1 : -1;
  return all
    .filter(
      (job) =>
        (!text ||
          (text.length > 2 && job.id.startsWith(text)) ||
          [job.kind, job.circuit, job.note].some((part) => part.toLowerCase().includes(text))) &&
        (!states || states.includes(job.state)) &&
        (!kinds || kinds.includes(job.kind)) &&
        (!circuits || circuits.includes(job.circuit)) &&
        (device === undefined || job.devices.includes(device)) &&
        (!priorities || priorities.includes(job.priority)) &&
        (tag === undefined || job.tags.includes(tag)) &&
        (!pinned || job.pinned) &&
        job.submittedMs >= sinceMs &&
        job.submittedMs < untilMs &&
        ((minUs === undefined && maxUs === undefined) ||
          (job.durationUs! >= (minUs ?? 0) && job.durationUs! <= (maxUs ?? Infinity))),
    )
    .sort((a, b) => {
      const [x, y] = [sortedBy(a, asked.sort), sortedBy(b, asked.sort)];
      return sign * (x < y ? -1 : x > y ? 1 : a.submittedMs - b.submittedMs || number.get(a.id)! - number.get(b.id)!);
    })
    .map(({ id }) => id);
}

it('pages, one after the other, are the filtered and sorted jobs: none twice, none left out', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(request, fc.constantFrom(0, 20, 1000), (asked, few) => {
      const got: string[] = [];
      let after: PageRequest['after'];
      do {
        const page = pageOf(db, { ...asked, after }, { rows: few, entries: few });
        expect(page.jobs.length).toBeLessThanOrEqual(asked.limit!);
        if (page.total !== undefined) expect(page.total).toBe(plainly(asked).length);
        got.push(...page.jobs.map(({ id }) => id));
        after = page.next;
      } while (after);
      // Ties of durations are in the order of the jobs' numbers, not of their submission.
      if (asked.sort === 'duration') {
        expect(got.toSorted()).toEqual(plainly(asked).toSorted());
        const values = got.map((id) => sortedBy(all.find((job) => job.id === id)!, asked.sort) as number);
        expect(values).toEqual(values.toSorted((a, b) => (asked.ascending ? a - b : b - a)));
      } else expect(got).toEqual(plainly(asked));
    }),
    { numRuns: Number(process.env.CUZK_RUNS ?? 2500) },
  );
});

it('jobs that come and go between two pages move none of the others', () => {
  const copy = memoryDatabase();
  makeUp(copy, { jobs: 60, partitions: 1, days: 1 });
  const ids = (asked: PageRequest) => pageOf(copy, asked).jobs.map(({ id }) => id);
  const whole = ids({ limit: 60 });
  const first = pageOf(copy, { limit: 20 });
  changes.remove(copy, { job: whole[5]! });
  makeUp(copy, { jobs: 10, partitions: 1, sinceMs: Date.UTC(2027, 0, 1), seed: 2 });
  expect(ids({ limit: 40, after: first.next })).toEqual(whole.slice(20));
});

it.each([0, 1000])('a page goes on behind a job whose kind or count is gone since, also among the first %i', (few) => {
  for (const sort of ['kind', 'partitions'] as const)
    for (const ascending of [true, false]) {
      const copy = memoryDatabase();
      makeUp(copy, { jobs: 200, partitions: 5, days: 1 });
      const asked = { sort, ascending, minUs: 0, limit: 90 };
      const page = (more: PageRequest) => pageOf(copy, { ...asked, ...more }, { rows: few, entries: few });
      const first = page({});
      const whole = page({ limit: 500 }).jobs.slice(90);
      const { [sort]: gone } = first.jobs.at(-1)!;
      for (const job of [...first.jobs, ...whole]) if (job[sort] === gone) changes.remove(copy, { job: job.id });
      const left = whole.filter((job) => job[sort] !== gone).map(({ id }) => id);
      expect(left.length).toBeGreaterThan(0);
      expect(page({ limit: 500, after: first.next }).jobs.map(({ id }) => id)).toEqual(left);
    }
});
