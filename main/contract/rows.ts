// A long list of which one entry changes at a time: plain arrays of arrays, so that a change copies two short ones instead of the whole
// list, and so that it crosses a process border as it is.
const bits = 6;
const most = 1 << bits;

/** Entries by index, in chunks of 64. Never changed in place. */
export type Rows<T> = readonly (readonly T[])[];

export function rowsOf<T>(entries: readonly T[]): Rows<T> {
  const chunks: T[][] = [];
  for (let at = 0; at < entries.length; at += most) chunks.push(entries.slice(at, at + most));
  return chunks;
}

export function rowCount(rows: Rows<unknown>): number {
  const last = rows.at(-1);
  return last ? (rows.length - 1) * most + last.length : 0;
}

export function rowAt<T>(rows: Rows<T>, index: number): T | undefined {
  return rows[index >> bits]?.[index & (most - 1)];
}

/** The list with one entry changed; the index must be of an entry. */
export function withRow<T>(rows: Rows<T>, index: number, entry: T): Rows<T> {
  const chunk = index >> bits;
  return rows.with(chunk, rows[chunk]!.with(index & (most - 1), entry));
}

/** The list with one entry more at its end. */
export function withNewRow<T>(rows: Rows<T>, entry: T): Rows<T> {
  const last = rows.at(-1);
  return last && last.length < most ? rows.with(-1, [...last, entry]) : [...rows, [entry]];
}

/** All entries, as one array. */
export function allRows<T>(rows: Rows<T>): T[] {
  return rows.flat() as T[];
}

/** The list with every entry changed; chunks in which none was stay as they are. */
export function mapRows<T>(rows: Rows<T>, change: (entry: T, index: number) => T): Rows<T> {
  return rows.map((chunk, c) => {
    const changed = chunk.map((entry, i) => change(entry, (c << bits) + i));
    return changed.every((entry, i) => entry === chunk[i]) ? chunk : changed;
  });
}
