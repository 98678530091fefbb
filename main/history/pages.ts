// Pages of the job table: filtered, sorted by any column, continued by key. A page costs the same at any place of a table of any length: it
// is a merge of the facets' jobs, each read in order from an index.
import type { Database, Statement } from 'better-sqlite3';
import type { Cursor, JobFilter, Page, PageRequest, SortColumn } from '../contract/history.ts';
import { facetHasText, facetsOf, jobsMarked, jobsWithText, type NumberedFacet } from './filter.ts';
import { summariesOf } from './summaries.ts';

const measures = { submitted: 'submitted_ms', duration: 'duration_us', partitions: 'partitions' } as const;
type Measure = keyof typeof measures;
const names = ['state', 'kind', 'circuit', 'devices', 'priority'] as const;
type Name = (typeof names)[number];
interface Row {
  job: number;
  facet: number;
  submitted_ms: number;
  duration_us: number;
  partitions: number;
}

/** Rows that are read from a facet at a time, at first; then four times as many each time. */
const ahead = 4;
/** A range that so few jobs are in is read whole and sorted here: faster than looking for them in another order. */
const few = 20_000;

export function pageOf(db: Database, request: PageRequest = {}): Page {
  const { sort = 'submitted', limit = 50, text, after } = request;
  const facets = facetsOf(db, request);
  const marked = jobsMarked(db, request);
  const order = new Order(sort, request.ascending ?? false);
  const byText = text ? facets.filter((facet) => facetHasText(facet, text)) : facets;

  const sources: Source[] = [];
  const listed = marked ?? (text ? jobsWithText(db, text) : []);
  if (listed.length > 0) {
    const wanted = marked && text ? new Set([...jobsWithText(db, text)]) : undefined;
    const own = new Set(byText.map(({ facet }) => facet));
    // What the facets bring already is not brought twice.
    const counts = (row: Row) => {
      if (marked) return !text || own.has(row.facet) || wanted!.has(row.job);
      return !own.has(row.facet);
    };
    const allowed = new Map(facets.map((facet) => [facet.facet, facet]));
    const rows = rowsOf(db, listed).filter((row) => allowed.has(row.facet) && inRange(row, request) && counts(row));
    sources.push(sorted(rows, order, allowed, after));
  }
  if (!marked) {
    const range = smallRange(db, byText, request, order);
    if (range) sources.push(sorted(range, order, new Map(byText.map((facet) => [facet.facet, facet])), after));
    else {
      const reader = new FacetReader(db, request, order);
      sources.push(...byText.map((facet) => new FacetSource(reader, facet)));
    }
  }

  const merged = merge(sources, order, limit + 1);
  const page = merged.slice(0, limit);
  const last = page.at(-1);
  const plain = !text && !marked && !hasRange(request);
  return {
    jobs: summariesOf(
      db,
      page.map(({ job }) => job),
    ),
    ...(merged.length > limit && last ? { next: last.key } : {}),
    ...(plain ? { total: facets.reduce((sum, { jobs }) => sum + jobs, 0) } : {}),
  };
}

const hasRange = ({ sinceMs, untilMs, minUs, maxUs }: JobFilter) =>
  [sinceMs, untilMs, minUs, maxUs].some((bound) => bound !== undefined);

const inRange = (row: Row, { sinceMs = 0, untilMs = Infinity, minUs, maxUs }: JobFilter) =>
  row.submitted_ms >= sinceMs &&
  row.submitted_ms < untilMs &&
  ((minUs === undefined && maxUs === undefined) || (row.duration_us >= (minUs ?? 0) && row.duration_us <= (maxUs ?? Infinity)));

/** How two jobs stand to each other. */
class Order {
  readonly group: Name | undefined;
  readonly measure: Measure;
  readonly sign: 1 | -1;

  constructor(sort: SortColumn, ascending: boolean) {
    this.group = names.find((name) => name === sort);
    this.measure = this.group ? 'submitted' : (sort as Measure);
    this.sign = ascending ? 1 : -1;
  }

  keyOf(value: number, job: number, facet: NumberedFacet): Cursor {
    return this.group ? { group: facet[this.group], value, job } : { value, job };
  }

  compare(a: Cursor, b: Cursor): number {
    const [x, y] = [a.group ?? '', b.group ?? ''];
    const groups = x < y ? -1 : x > y ? 1 : 0;
    return this.sign * (groups || a.value - b.value || a.job - b.job);
  }
}

interface Keyed {
  job: number;
  key: Cursor;
}

/** Jobs in order, one after the other. */
interface Source {
  /** The next one; or, without a job, a key that is not behind it, of a source that was not read yet. */
  head(): Keyed | { job: undefined; key: Cursor } | undefined;
  /** Goes on to the one behind it, or reads it. */
  advance(): void;
}

function sorted(rows: Row[], order: Order, facets: ReadonlyMap<number, NumberedFacet>, after: Cursor | undefined): Source {
  const keyed = rows
    .map((row) => ({ job: row.job, key: order.keyOf(row[measures[order.measure]], row.job, facets.get(row.facet)!) }))
    .filter(({ key }) => !after || order.compare(key, after) > 0)
    .sort((a, b) => order.compare(a.key, b.key));
  let at = 0;
  return { head: () => keyed[at], advance: () => void at++ };
}

/** How a facet's jobs are read in order; the same for all facets. */
class FacetReader {
  readonly order: Order;
  readonly after: Cursor | undefined;
  /** Before the first job: at the range's near end, so that nothing outside it is read. */
  readonly start: Cursor;
  readonly #statement: Statement;
  readonly #bounds: readonly number[];

  constructor(db: Database, { after, sinceMs, untilMs, minUs, maxUs }: PageRequest, order: Order) {
    this.order = order;
    this.after = after;
    const value = measures[order.measure];
    const [low, high] = { submitted: [sinceMs, untilMs], duration: [minUs, maxUs], partitions: [] }[order.measure];
    // An upper bound of durations is included, hence the job's number on that side.
    const above = { value: high ?? Number.MAX_SAFE_INTEGER, job: order.measure === 'duration' ? Number.MAX_SAFE_INTEGER : -1 };
    this.start = order.sign > 0 ? { value: low ?? Number.MIN_SAFE_INTEGER, job: -1 } : above;
    const ranges: [range: string, bound: number][] = [];
    if (sinceMs !== undefined) ranges.push(['submitted_ms >=', sinceMs]);
    if (untilMs !== undefined) ranges.push(['submitted_ms <', untilMs]);
    if (minUs !== undefined || maxUs !== undefined) ranges.push(['duration_us >=', minUs ?? 0]);
    if (maxUs !== undefined) ranges.push(['duration_us <=', maxUs]);
    const [more, direction] = order.sign > 0 ? ['>', 'ASC'] : ['<', 'DESC'];
    const index = { submitted: 'jobs_by_time', duration: 'jobs_by_duration', partitions: 'jobs_by_partitions' }[order.measure];
    this.#statement = db
      .prepare(
        `SELECT ${value}, job FROM jobs INDEXED BY ${index}
         WHERE facet = ? AND (${value}, job) ${more} (?, ?) ${ranges.map(([range]) => `AND ${range} ?`).join(' ')}
         ORDER BY ${value} ${direction}, job ${direction} LIMIT ?`,
      )
      .raw();
    this.#bounds = ranges.map(([, bound]) => bound);
  }

  read(facet: number, { value, job }: Cursor, limit: number): [value: number, job: number][] {
    return this.#statement.all(facet, value, job, ...this.#bounds, limit) as [number, number][];
  }
}

/** The jobs of one facet, read from the index of the order. */
class FacetSource implements Source {
  readonly #reader: FacetReader;
  readonly #facet: NumberedFacet;
  #rows: [value: number, job: number][] | undefined;
  #at = 0;
  #from: Cursor;
  #limit = ahead;
  #isDry = false;

  constructor(reader: FacetReader, facet: NumberedFacet) {
    const { after, order, start } = reader;
    this.#reader = reader;
    this.#facet = facet;
    this.#from = start;
    if (!after) return;
    // Within its own group, after the job; a group that comes later is read from its beginning, an earlier one not at all.
    const mine = order.group && facet[order.group];
    if (mine === after.group) this.#from = order.compare({ ...start, group: mine }, after) > 0 ? start : after;
    else this.#isDry = order.compare({ ...after, group: mine }, after) < 0;
  }

  head() {
    if (this.#isDry && (!this.#rows || this.#at === this.#rows.length)) return undefined;
    const row = this.#rows?.[this.#at];
    if (!row)
      return { job: undefined, key: { ...this.#from, group: this.#reader.order.group && this.#facet[this.#reader.order.group] } };
    return { job: row[1], key: this.#reader.order.keyOf(row[0], row[1], this.#facet) };
  }

  advance(): void {
    if (this.#rows && this.#at < this.#rows.length) {
      this.#at++;
      if (this.#at < this.#rows.length || this.#isDry) return;
      const [value, job] = this.#rows.at(-1)!;
      this.#from = { value, job };
    }
    this.#rows = this.#reader.read(this.#facet.facet, this.#from, this.#limit);
    this.#at = 0;
    this.#isDry = this.#rows.length < this.#limit;
    this.#limit *= 4;
  }
}

/** The first `limit` of all sources, in order. */
function merge(sources: Source[], order: Order, limit: number): Keyed[] {
  const merged: Keyed[] = [];
  type Live = { source: Source; head: NonNullable<ReturnType<Source['head']>> };
  const behind = (a: Live, b: Live) => order.compare(b.head.key, a.head.key);
  // The next one is the last of the list.
  const live = sources
    .flatMap((source): Live[] => {
      const head = source.head();
      return head ? [{ source, head }] : [];
    })
    .sort(behind);
  while (merged.length < limit) {
    const one = live.pop();
    if (!one) break;
    if (one.head.job !== undefined) merged.push(one.head);
    one.source.advance();
    const head = one.source.head();
    if (!head) continue;
    one.head = head;
    let [low, high] = [0, live.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (behind(live[middle]!, one) < 0) low = middle + 1;
      else high = middle;
    }
    live.splice(low, 0, one);
  }
  return merged;
}

/** The rows of a range over a column that is not the order's, if they are few. */
function smallRange(db: Database, facets: readonly NumberedFacet[], request: PageRequest, order: Order): Row[] | undefined {
  const { sinceMs, untilMs, minUs, maxUs } = request;
  const bySubmission = sinceMs !== undefined || untilMs !== undefined;
  const byDuration = minUs !== undefined || maxUs !== undefined;
  const ranges = [
    bySubmission &&
      order.measure !== 'submitted' && ['jobs_by_time', 'submitted_ms', sinceMs ?? 0, untilMs ?? Number.MAX_SAFE_INTEGER],
    byDuration &&
      order.measure !== 'duration' && ['jobs_by_duration', 'duration_us', minUs ?? 0, (maxUs ?? Number.MAX_SAFE_INTEGER - 1) + 1],
  ].filter((range) => range !== false) as [string, string, number, number][];
  for (const [index, column, from, before] of ranges) {
    const read = db.prepare(
      `SELECT job, facet, submitted_ms, duration_us, partitions FROM jobs INDEXED BY ${index}
       WHERE facet = ? AND ${column} >= ? AND ${column} < ?`,
    );
    const count = db.prepare(
      `SELECT count(*) FROM (SELECT 1 FROM jobs INDEXED BY ${index} WHERE facet = ? AND ${column} >= ? AND ${column} < ? LIMIT ?)`,
    );
    let found = 0;
    for (const { facet } of facets) {
      found += count.pluck().get(facet, from, before, few + 1 - found) as number;
      if (found > few) break;
    }
    if (found > few) continue;
    return facets.flatMap(({ facet }) => read.all(facet, from, before) as Row[]).filter((row) => inRange(row, request));
  }
  return undefined;
}

function rowsOf(db: Database, jobs: readonly number[]): Row[] {
  return db
    .prepare('SELECT job, facet, submitted_ms, duration_us, partitions FROM json_each(?) CROSS JOIN jobs ON job = json_each.value')
    .all(JSON.stringify(jobs)) as Row[];
}
