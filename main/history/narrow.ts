// The other way to a page: few jobs are named (by a tag, a pin, a text, a range over a column that is not the order's), and SQLite finds the
// first of them. What the merge of the facets would have to pass over, for jobs that are rare or far from the order's beginning.
import type { Database } from 'better-sqlite3';
import type { Cursor, JobFilter, PageRequest } from '../contract/history.ts';
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
  from: 'json_each(?) AS listed CROSS JOIN jobs ON jobs.job = listed.value',
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
    const where = answers === 'pinned' ? ' WHERE pinned = 1' : '';
    const count = db.prepare(`SELECT count(*) FROM (SELECT 1 FROM ${from}${where} LIMIT ?)`).pluck();
    return (count.get(...bounds, limit + 1) as number) <= limit;
  };
  const marked: Few[] = [];
  if (tag !== undefined)
    marked.push({
      from: '(SELECT job AS tagged FROM tags WHERE tag = ?) CROSS JOIN jobs ON jobs.job = tagged',
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
  const { value, more, direction } = order;
  const { sql, bounds: ofConditions } = conditionsOf(answers ? { ...request, [answers]: undefined } : request);
  const ranks = ranksOf(facets, order, request.after);
  const group = order.byPartitions ? 'partitions' : 'rank';
  const after = request.after ? ` AND (${group}, ${value}, job) ${more} (?, ?, ?)` : '';
  const rows = db
    .prepare(
      `WITH allowed AS MATERIALIZED (SELECT value ->> 0 AS facet, value ->> 1 AS rank FROM json_each(?))
       SELECT job, jobs.facet, partitions, ${value} FROM ${from} CROSS JOIN allowed USING (facet)
       WHERE ${answers === 'pinned' ? 'pinned = 1' : 'true'}${sql}${after} ORDER BY ${group} ${direction}, ${value} ${direction}, job ${direction} LIMIT ?`,
    )
    .raw()
    .all(JSON.stringify(ranks.facets), ...bounds, ...ofConditions, ...ranks.after, limit) as [number, number, number, number][];
  const byNumber = new Map(facets.map((facet) => [facet.facet, facet]));
  return listed(rows.map(([job, facet, partitions, at]) => ({ job, key: order.keyOf(byNumber.get(facet)!, partitions, at, job) })));
}

/** Each facet with its group's place, so that SQLite and this program agree on the order of names. */
function ranksOf(facets: readonly NumberedFacet[], order: Order, after: Cursor | undefined) {
  const { byName, byPartitions } = order;
  const groups = byName ? [...new Set(facets.map((facet) => facet[byName]))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) : [];
  const places = new Map<string, number>(groups.map((group, place) => [group, place]));
  /** Of a group that has no facet any more: between those that have. */
  const placeOf = (group: string) => places.get(group) ?? groups.filter((one) => one < group).length - 0.5;
  const rank = after && (byPartitions ? Number(after.group) : byName ? placeOf(String(after.group)) : 0);
  return {
    facets: facets.map((facet) => [facet.facet, byName ? places.get(facet[byName]) : 0]),
    after: after ? [rank!, after.value, after.job] : [],
  };
}
