// SQLite's refusals in words. Result codes: https://www.sqlite.org/rescode.html
import { CuzkError } from '../contract/errors.ts';

const anotherFolder = 'name another folder in CUZK_HOME';

/** The error as one of ours; what is neither SQLite's nor the file system's stays as it is. */
export function historyError(problem: unknown, file: string): unknown {
  if (problem instanceof CuzkError || !(problem instanceof Error)) return problem;
  const code = (problem as { code?: unknown }).code;
  if (typeof code !== 'string') return problem;
  const about = { file, cause: problem };
  if (/^SQLITE_FULL|^ENOSPC$|^EDQUOT$/.test(code))
    return new CuzkError('HistoryFull', 'the history cannot be written: the disk is full', {
      ...about,
      remedy: `free some space, or ${anotherFolder}`,
    });
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|^E(ACCES|PERM|ROFS|NOTDIR|ISDIR|LOOP|NAMETOOLONG|NOENT)$/.test(code))
    return new CuzkError('HistoryUnwritable', 'the history cannot be written: its folder or its file does not allow it', {
      ...about,
      remedy: `check their permissions, or ${anotherFolder}`,
    });
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code))
    return new CuzkError('HistoryDamaged', 'this is no database, or it is damaged', {
      ...about,
      remedy: `put a backup in its place (history.db.before-*, beside it), or ${anotherFolder}`,
    });
  if (/^SQLITE_IOERR|^EIO$/.test(code))
    return new CuzkError('HistoryDevice', 'the history cannot be read or written: the device reports an error', {
      ...about,
      remedy: `check the disk, or ${anotherFolder}`,
    });
  return problem;
}

/** Whether the same write may succeed later: it failed because of the disk, not of what was written. */
export const isOfTheDisk = (problem: unknown): boolean =>
  problem instanceof CuzkError && ['HistoryFull', 'HistoryUnwritable', 'HistoryDamaged', 'HistoryDevice'].includes(problem.code);

/** What a process that does not hold the writer's lock says when it is to write. */
export const readOnly = (file: string) =>
  new CuzkError('HistoryReadOnly', 'another cuzk process writes this history, so it is open for reading only', {
    file,
    remedy: 'do it in that process, or close it first',
  });
