// The facet of a job: the one row for its state, kind, circuit, devices and priority.
import type { Database, Statement } from 'better-sqlite3';
import type { Priority } from '../contract/events.ts';
import type { FacetValues } from '../contract/history.ts';
import type { JobPhase } from '../contract/state.ts';

export interface Facet {
  state: JobPhase;
  kind: string;
  circuit: string;
  /** Sorted, with commas: `cpu,cuda:0`. */
  devices: string;
  priority: Priority;
}

export class Facets {
  readonly #find: Statement;
  readonly #add: Statement;
  readonly #ofJob: Statement;
  readonly #change: Statement;

  constructor(db: Database) {
    const named = 'state = @state AND kind = @kind AND circuit = @circuit AND devices = @devices AND priority = @priority';
    this.#find = db.prepare(`SELECT facet FROM facets WHERE ${named}`).pluck();
    this.#add = db.prepare(
      'INSERT INTO facets (state, kind, circuit, devices, priority) VALUES (@state, @kind, @circuit, @devices, @priority)',
    );
    this.#ofJob = db.prepare('SELECT state, kind, circuit, devices, priority FROM jobs JOIN facets USING (facet) WHERE job = ?');
    this.#change = db.prepare('UPDATE jobs SET facet = ? WHERE job = ?');
  }

  /** The facet's number; it is made when it is new. */
  numberOf(facet: Facet): number {
    return (this.#find.get(facet) as number | undefined) ?? Number(this.#add.run(facet).lastInsertRowid);
  }

  of(job: number): Facet {
    return this.#ofJob.get(job) as Facet;
  }

  change(job: number, to: Partial<Facet>): void {
    const now = this.of(job);
    const next = { ...now, ...to };
    if (Object.keys(to).some((key) => now[key as keyof Facet] !== next[key as keyof Facet]))
      this.#change.run(this.numberOf(next), job);
  }
}

/** What jobs can be filtered by: the values that there are, in order. */
export function facetValuesOf(db: Database): FacetValues {
  const facets = db.prepare('SELECT kind, circuit, devices FROM facets WHERE jobs > 0').all() as Facet[];
  const distinct = (values: string[]) => [...new Set(values)].sort();
  // From tag to tag, instead of from job to job.
  const tags = db
    .prepare(
      `WITH RECURSIVE found (tag) AS (
         SELECT min(tag) FROM tags UNION ALL SELECT (SELECT min(tag) FROM tags WHERE tag > found.tag) FROM found WHERE tag IS NOT NULL
       ) SELECT tag FROM found WHERE tag IS NOT NULL`,
    )
    .pluck()
    .all() as string[];
  return {
    kinds: distinct(facets.map(({ kind }) => kind)),
    circuits: distinct(facets.map(({ circuit }) => circuit)),
    devices: distinct(facets.flatMap(({ devices }) => devices.split(',').filter(Boolean))),
    tags,
  };
}
