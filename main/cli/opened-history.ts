// The history as a command opens it: for writing where no other process does, so that what a dead one left is cleared up; otherwise for reading.
import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { CuzkError } from '../contract/errors.ts';
import { openHistory } from '../history/database.ts';
import { historyError, readOnly } from '../history/errors.ts';
import { historyFile } from '../history/location.ts';
import { recover } from '../history/recovery.ts';
import { idsBeginning } from '../history/summaries.ts';
import type { Context } from './context.ts';
import { plural } from './format.ts';

export interface History {
  db: Database;
  /** Runs `change` in a transaction. Throws `HistoryReadOnly` when another process writes. */
  write<T>(change: () => T): T;
}

/** Opens, works, closes. Throws `HistoryMissing` when there is none and `create` does not ask for one. */
export async function withHistory<T>(
  { output }: Context,
  work: (history: History) => T | Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const file = historyFile();
  if (!create && !existsSync(file))
    throw new CuzkError('HistoryMissing', 'there is no history yet', { file, remedy: 'prove something first' });
  const { db, lock } = await openHistory(file);
  try {
    if (lock) {
      const left = recover(db);
      const text = `note: ${plural(left.length, 'job')} had not ended when cuzk last did: interrupted now`;
      if (left.length > 0) output.note({ event: 'interrupted', jobs: left }, text);
    } else {
      output.note({ event: 'readOnly', file }, 'note: another cuzk process writes this history, so it is open for reading only');
    }
    const write = <R>(change: () => R): R => {
      if (!lock) throw readOnly(file);
      return db.transaction(change).immediate();
    };
    return await work({ db, write });
  } catch (problem) {
    throw historyError(problem, file);
  } finally {
    db.close();
    lock?.release();
  }
}

/** The one job whose id is, or begins with, the text. Throws `JobUnknown` or `JobAmbiguous`. */
export function jobNamed(db: Database, text: string): string {
  const [id, second] = text === '' ? [] : idsBeginning(db, text);
  if (id === undefined)
    throw new CuzkError('JobUnknown', `there is no job ${text}`, { remedy: 'list the jobs that there are: cuzk history' });
  if (id !== text && second !== undefined)
    throw new CuzkError('JobAmbiguous', `several jobs’ ids begin with ${text}: ${id}, ${second}, ...`, {
      remedy: 'give more of it',
    });
  return id;
}
