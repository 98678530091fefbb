// Which jobs are asked for: the parts of a filter, and what of them the facets answer.
import type { Database } from 'better-sqlite3';
import type { JobFilter } from '../contract/history.ts';
import type { Facet } from './facets.ts';

export interface NumberedFacet extends Facet {
  facet: number;
  jobs: number;
}

/** The facets that have jobs and that the filter lets through, without its text. */
export function facetsOf(db: Database, { states, kinds, circuits, device, priorities }: JobFilter): NumberedFacet[] {
  const all = db.prepare('SELECT * FROM facets WHERE jobs > 0').all() as NumberedFacet[];
  return all.filter(
    (facet) =>
      (!states || states.includes(facet.state)) &&
      (!kinds || kinds.includes(facet.kind)) &&
      (!circuits || circuits.includes(facet.circuit)) &&
      (!priorities || priorities.includes(facet.priority)) &&
      (device === undefined || facet.devices.split(',').includes(device)),
  );
}

export const facetHasText = ({ kind, circuit }: Facet, text: string): boolean =>
  [kind, circuit].some((part) => part.toLowerCase().includes(text.toLowerCase()));

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');
/** The index of notes knows three letters and more. */
const shortest = 3;

/** The numbers of the jobs whose id begins with the text, or whose note has it. */
export function jobsWithText(db: Database, text: string): number[] {
  const isLong = [...text].length >= shortest;
  // A range, since LIKE does not use the index of ids. Fewer letters begin too many of them to mean one.
  const [from, before] = [text.toLowerCase(), `${text.toLowerCase()}\u{10ffff}`];
  const byId = isLong ? db.prepare('SELECT job FROM jobs WHERE id >= ? AND id < ?').pluck().all(from, before) : [];
  const byNote = isLong
    ? db
        .prepare('SELECT rowid FROM notes_text WHERE note MATCH ?')
        .pluck()
        .all(`"${text.replaceAll('"', '""')}"`)
    : db
        .prepare("SELECT job FROM notes WHERE note LIKE ? ESCAPE '\\'")
        .pluck()
        .all(`%${escaped(text)}%`);
  return [...new Set([...byId, ...byNote] as number[])];
}
