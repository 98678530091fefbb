// The other way to a page: few jobs are named (by a tag, a pin, a text, a range over a column that is not the order's), and SQLite finds the
// first of them. What the merge of the facets would have to pass over, for jobs that are rare or far from the order's beginning.
import type { Database } from 'better-sqlite3';
import type { JobFilter, PageRequest } from '../contract/history.ts';
import { conditionsOf } from './conditions.ts';
import type { NumberedFacet } from './filter.ts';
import { listed, type Source } from './merge.ts';
import type { Order } from './order.ts';

/** Where the few jobs come from: a FROM that has `jobs` in it, and what it is bound to. */
export interface Few {
  from: string;
  bounds: (string | number)[];
  /** The part of the filter that is answered by it. */
  answers?: 'tag' | 'pinned';
}

/** As many rows as are sorted faster than the merge passes over the rest; a row is read from the table, or from an index alone. */
export const most = { rows: 20_000, entries: 60_000 } as const;
export type Most = Record<keyof typeof most, number>;

/** The jobs of these numbers. */
export const numbered = (jobs: readonly number[]): Few => ({
  from: 'json_each(?) AS listed CROSS JOIN jobs INDEXED BY jobs_by_number ON jobs.job = listed.value',
  bounds: [JSON.stringify(jobs)],
});

/** The few jobs that a part of the filter leaves, if one leaves few. */
export function fewOf(
  db: Database,
  filter: JobFilter,
  { facets, order, most }: { facets: readonly NumberedFacet[]; order: Order; most: Most },
): Few | undefined {
  const { tag, pinned, sinceMs, untilMs, minUs, maxUs } = filter;
  const isFew = ({ from, bounds, answers }: Few, limit: number) => {
    const marked = { tag: 'tags WHERE tag = ?', pinned: 'jobs INDEXED BY jobs_pinned WHERE pinned = 1' };
    const count = db.prepare(`SELECT count(*) FROM (SELECT 1 FROM ${answers ? marked[answers] : from} LIMIT ?)`).pluck();
    return (count.get(...bounds, limit + 1) as number) <= limit;
  };
  const marked: Few[] = [];
  if (tag !== undefined)
    marked.push({
      from: '(SELECT job AS tagged FROM tags WHERE tag = ?) CROSS JOIN jobs INDEXED BY jobs_by_number ON jobs.job = tagged',
      bounds: [tag],
      answers: 'tag',
    });
  if (pinned) marked.push({ from: 'jobs INDEXED BY jobs_pinned', bounds: [], answers: 'pinned' });
  const found = marked.find((one) => isFew(one, most.rows));
  if (found) return found;
  const numbers = JSON.stringify(facets.map(({ facet }) => facet));
  const range = (index: string, column: string, from: number, before: number): Few => ({
    from: `json_each(?) AS own CROSS JOIN jobs INDEXED BY ${index} ON jobs.facet = own.value AND jobs.${column} >= ? AND jobs.${column} < ?`,
    bounds: [numbers, from, before],
  });
  const ranges: Few[] = [];
  if ((sinceMs !== undefined || untilMs !== undefined) && order.value !== 'submitted_ms')
    ranges.push(range('jobs_by_time', 'submitted_ms', sinceMs ?? 0, untilMs ?? Number.MAX_SAFE_INTEGER));
  if ((minUs !== undefined || maxUs !== undefined) && order.value !== 'duration_us')
    ranges.push(range('jobs_by_duration', 'duration_us', minUs ?? 0, (maxUs ?? Number.MAX_SAFE_INTEGER - 1) + 1));
  return ranges.find((one) => isFew(one, most.entries));
}

/** Of the few jobs, those of the facets that the filter lets through, in order, up to `limit`. */
export function narrowed(
  db: Database,
  { from, bounds, answers }: Few,
  request: PageRequest,
  { facets, order, limit }: { facets: readonly NumberedFacet[]; order: Order; limit: number },
): Source {
  const { value, more, direction, byName, byPartitions } = order;
  const { sql, bounds: ofConditions } = conditionsOf(answers ? { ...request, [answers]: undefined } : request);
  const own = JSON.stringify(facets.map(({ facet }) => facet));
  const keys = [...(byName ? [`facets.${byName}`] : byPartitions ? ['partitions'] : []), value, 'job'];
  const { after } = request;
  const key = after && [...(keys.length > 2 ? [after.group ?? ''] : []), after.value, after.job];
  // The plus keeps SQLite from looking for each job once under every facet.
  const rows = db
    .prepare(
      `SELECT job, jobs.facet, partitions, ${value} FROM ${from}${byName ? ' CROSS JOIN facets USING (facet)' : ''}
       WHERE +jobs.facet IN (SELECT value FROM json_each(?))${answers === 'pinned' ? ' AND pinned = 1' : ''}${sql}
         ${key ? `AND (${keys}) ${more} (${keys.map(() => '?')})` : ''}
       ORDER BY ${keys.map((column) => `${column} ${direction}`)} LIMIT ?`,
    )
    .raw()
    .all(...bounds, own, ...ofConditions, ...(key ?? []), limit) as [number, number, number, number][];
  const byNumber = new Map(facets.map((facet) => [facet.facet, facet]));
  return listed(rows.map(([job, facet, partitions, at]) => ({ job, key: order.keyOf(byNumber.get(facet)!, partitions, at, job) })));
}
