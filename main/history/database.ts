// Opening the history: one process writes it, any number read it.
import { existsSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { CuzkError } from '../contract/errors.ts';
import { historyError, readOnly } from './errors.ts';
import { prepareFile } from './location.ts';
import { migrate, migrations, refuseNewer, versionOf } from './migrations.ts';

/** The writer's lock: held as long as the process lives, and given back by the system however it ends. */
export interface WriterLock extends Disposable {
  release(): void;
}

/**
 * Takes the writer's lock; undefined when another process (or another connection of this one) has it. A database of its own beside the
 * history, so that readers are not locked out, and SQLite's file locks, which know no left-over files.
 */
export function lockForWriting(file: string): WriterLock | undefined {
  let lock: Database | undefined;
  try {
    lock = new BetterSqlite3(`${file}.lock`, { timeout: 0 });
    // Its journal stays in memory: the lock changes nothing on the disk.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (problem) {
    lock?.close();
    if (/^SQLITE_BUSY/.test((problem as { code?: string }).code ?? '')) return undefined;
    throw historyError(problem, file);
  }
  const release = () => void lock.close();
  return { release, [Symbol.dispose]: release };
}

/** How long a reader waits for a checkpoint, or the writer for a reader's, in milliseconds. */
const patienceMs = 5_000;

/** Pages that are kept in memory, in KiB: an index of a million jobs is read twice by a page of a tag's jobs. */
const cacheKib = 16_384;

/** Opens for writing and brings the schema up to date. The caller holds the lock. */
export function openForWriting(file: string): Database {
  let db: Database | undefined;
  try {
    db = new BetterSqlite3(file, { timeout: patienceMs });
    refuseNewer(versionOf(db), file);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma(`cache_size = -${cacheKib}`);
    // What is being written beside a long read stays bounded after it.
    db.pragma('journal_size_limit = 67108864');
    migrate(db, file);
    return db;
  } catch (problem) {
    db?.close();
    throw historyError(problem, file);
  }
}

/** Opens for reading only; the schema must be this program's. */
export function openForReading(file: string): Database {
  let db: Database | undefined;
  try {
    db = new BetterSqlite3(file, { readonly: true, timeout: patienceMs });
    const version = versionOf(db);
    refuseNewer(version, file);
    if (version < migrations.length) throw readOnly(file);
    db.pragma(`cache_size = -${cacheKib}`);
    return db;
  } catch (problem) {
    db?.close();
    throw historyError(problem, file);
  }
}

export type OpenedDatabase = { db: Database; lock: WriterLock } | { db: Database; lock?: undefined };

/** Opens for writing where nobody else does, otherwise for reading. */
export async function openHistory(file: string): Promise<OpenedDatabase> {
  await prepareFile(file);
  const lock = lockForWriting(file);
  if (!lock) return { db: openForReading(file) };
  try {
    return { db: openForWriting(file), lock };
  } catch (problem) {
    lock.release();
    throw problem;
  }
}

/** Opens for reading what must be there. Throws `HistoryMissing`. */
export function openExisting(file: string): Database {
  if (!existsSync(file))
    throw new CuzkError('HistoryMissing', 'there is no history yet', { file, remedy: 'prove something first' });
  return openForReading(file);
}
