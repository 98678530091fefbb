// The jobs of one facet in the order of a page, from the index of that order.
import type { Database, Statement } from 'better-sqlite3';
import type { Cursor, PageRequest } from '../contract/history.ts';
import { conditionsOf } from './conditions.ts';
import type { NumberedFacet } from './filter.ts';
import type { Source } from './merge.ts';
import type { Order } from './order.ts';

/** Rows that are read from a facet at a time, at first; then four times as many each time. */
const ahead = 4;
const farthest = Number.MAX_SAFE_INTEGER;

/** How the jobs of any facet are read; made once for a page. */
export class FacetReader {
  readonly order: Order;
  readonly after: Cursor | undefined;
  /** Before the first job of a group: at the range's near end, so that nothing outside it is read. */
  readonly start: Cursor;
  readonly #read: Statement;
  readonly #next: Statement | undefined;
  readonly #bounds: readonly (number | string)[];

  constructor(db: Database, request: PageRequest, order: Order) {
    const { after, sinceMs, untilMs, minUs, maxUs } = request;
    const { value, more, direction, byPartitions } = order;
    this.order = order;
    this.after = after;
    const [low, high] = value === 'duration_us' ? [minUs, maxUs] : [sinceMs, untilMs];
    // An upper bound of durations is included, hence the job's number on that side.
    const above = { value: high ?? farthest, job: value === 'duration_us' ? farthest : -1 };
    this.start = order.sign > 0 ? { value: low ?? -farthest, job: -1 } : above;
    const { sql, bounds } = conditionsOf(request);
    this.#bounds = bounds;
    const index = byPartitions ? 'jobs_by_partitions' : value === 'duration_us' ? 'jobs_by_duration' : 'jobs_by_time';
    this.#read = db
      .prepare(
        `SELECT ${value}, job FROM jobs INDEXED BY ${index}
         WHERE facet = ?${byPartitions ? ' AND partitions = ?' : ''} AND (${value}, job) ${more} (?, ?)${sql}
         ORDER BY ${value} ${direction}, job ${direction} LIMIT ?`,
      )
      .raw();
    if (byPartitions)
      this.#next = db
        .prepare(
          `SELECT partitions FROM jobs INDEXED BY ${index} WHERE facet = ? AND partitions ${more} ? ORDER BY partitions ${direction} LIMIT 1`,
        )
        .pluck();
  }

  read(facet: number, partitions: number | undefined, { value, job }: Cursor, limit: number): [value: number, job: number][] {
    const group = partitions === undefined ? [] : [partitions];
    return this.#read.all(facet, ...group, value, job, ...this.#bounds, limit) as [number, number][];
  }

  /** Of how many partitions the facet's jobs behind those of `partitions` are; undefined when there are none. */
  nextPartitions(facet: number, partitions: number): number | undefined {
    return this.#next?.get(facet, partitions) as number | undefined;
  }
}

export class FacetSource implements Source {
  readonly #reader: FacetReader;
  readonly #facet: NumberedFacet;
  /** Of the group that is read: when the order is by partitions. */
  #partitions: number | undefined;
  #rows: [value: number, job: number][] | undefined;
  #at = 0;
  #from: Cursor;
  #limit = ahead;
  /** Whether nothing of the group is left to be read. */
  #isRead = false;
  #isOver = false;

  constructor(reader: FacetReader, facet: NumberedFacet) {
    const { after, order, start } = reader;
    this.#reader = reader;
    this.#facet = facet;
    this.#from = start;
    if (order.byPartitions) {
      this.#partitions = after ? Number(after.group) : order.sign > 0 ? -1 : farthest;
      this.#isRead = !after;
    }
    if (!after) return;
    // Within its own group, after the job; a group that comes later is read from its beginning, an earlier one not at all.
    const mine = this.#keyOf(start.value, start.job);
    const groups = order.compareGroups(mine, after);
    if (groups === 0) this.#from = order.compare(mine, after) > 0 ? start : after;
    else this.#isOver = groups < 0;
  }

  head() {
    const row = this.#rows?.[this.#at];
    if (row) return { job: row[1], key: this.#keyOf(row[0], row[1]) };
    return this.#isOver ? undefined : { job: undefined, key: this.#keyOf(this.#from.value, this.#from.job) };
  }

  advance(): void {
    if (this.#rows && this.#at < this.#rows.length) {
      this.#at++;
      if (this.#at < this.#rows.length) return;
      const [value, job] = this.#rows.at(-1)!;
      this.#from = { value, job };
    }
    do if (this.#isRead && !this.#goToNextGroup()) return;
    while (!this.#readOn());
  }

  /** False when the group had nothing more. */
  #readOn(): boolean {
    this.#rows = this.#reader.read(this.#facet.facet, this.#partitions, this.#from, this.#limit);
    this.#at = 0;
    this.#isRead = this.#rows.length < this.#limit;
    this.#limit *= 4;
    return this.#rows.length > 0;
  }

  /** False when there is none, and the source has ended. */
  #goToNextGroup(): boolean {
    const next = this.#partitions === undefined ? undefined : this.#reader.nextPartitions(this.#facet.facet, this.#partitions);
    if (next === undefined) {
      this.#isOver = true;
      return false;
    }
    this.#partitions = next;
    this.#from = this.#reader.start;
    this.#limit = ahead;
    return true;
  }

  #keyOf(value: number, job: number): Cursor {
    return this.#reader.order.keyOf(this.#facet, this.#partitions, value, job);
  }
}
