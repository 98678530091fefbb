// How the jobs of a page stand to each other, in SQL and here.
import type { Cursor, SortColumn } from '../contract/history.ts';
import type { NumberedFacet } from './filter.ts';

const names = ['state', 'kind', 'circuit', 'devices', 'priority'] as const;
type Name = (typeof names)[number];

/**
 * A key is a group, a value and the job's number. By a column of few values (a name of the facet, or how many partitions) the group is
 * that column and the value the submission; otherwise there is one group, and the value is the column.
 */
export class Order {
  readonly byName: Name | undefined;
  readonly byPartitions: boolean;
  /** The column of the value. */
  readonly value: 'submitted_ms' | 'duration_us';
  readonly sign: 1 | -1;

  constructor(sort: SortColumn, ascending: boolean) {
    this.byName = names.find((name) => name === sort);
    this.byPartitions = sort === 'partitions';
    this.value = sort === 'duration' ? 'duration_us' : 'submitted_ms';
    this.sign = ascending ? 1 : -1;
  }

  /** How SQL puts what is behind something. */
  get more(): '>' | '<' {
    return this.sign > 0 ? '>' : '<';
  }

  get direction(): 'ASC' | 'DESC' {
    return this.sign > 0 ? 'ASC' : 'DESC';
  }

  /** The key of a facet's job. */
  keyOf(facet: NumberedFacet, partitions: number | undefined, value: number, job: number): Cursor {
    const group = this.byName ? facet[this.byName] : this.byPartitions ? partitions : undefined;
    return group === undefined ? { value, job } : { group, value, job };
  }

  compare(a: Cursor, b: Cursor): number {
    return this.sign * (this.#groups(a, b) || a.value - b.value || a.job - b.job);
  }

  /** Where a group stands to another one. */
  compareGroups(a: Cursor, b: Cursor): number {
    return this.sign * this.#groups(a, b);
  }

  #groups({ group: a = '' }: Cursor, { group: b = '' }: Cursor): number {
    if (typeof a === 'string' && typeof b === 'string') return compareNames(a, b);
    return a < b ? -1 : a > b ? 1 : 0;
  }
}

const surrogate = /[\ud800-\udfff]/;

/** By code points, as SQLite compares. JavaScript compares halves of pairs, which stand before some characters that have no pair. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
