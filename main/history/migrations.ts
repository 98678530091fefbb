// The schema's versions, forward only. `user_version` says which one a file has; each step runs in one transaction with its new number.
import { constants, copyFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { CuzkError } from '../contract/errors.ts';
import { historyError } from './errors.ts';
import { version1 } from './schema/version-1.ts';
import { version2 } from './schema/version-2.ts';

/** One step: the SQL that makes the next version of the one before. Never changed once it was released. */
export const migrations: readonly string[] = [version1, version2];

export const versionOf = (db: Database): number => db.pragma('user_version', { simple: true }) as number;

/** The name of the backup that is made before a file leaves `version`. */
export const backupOf = (file: string, version: number) => `${file}.before-${version + 1}`;

/** Throws `HistoryNewer` for a file of a later version than this program knows. */
export function refuseNewer(version: number, file: string, known = migrations.length): void {
  if (version <= known) return;
  throw new CuzkError('HistoryNewer', `a newer cuzk wrote this history (schema ${version}, and this one knows ${known})`, {
    file,
    remedy: `update cuzk, or put the backup ${backupOf(file, known)} in its place, or name another folder in CUZK_HOME`,
  });
}

/**
 * Brings the file to the newest version. The caller holds the writer's lock. What holds jobs is copied first; a copy that fails leaves the
 * file as it was and throws. A step that fails leaves the version before it.
 */
export function migrate(db: Database, file: string, steps: readonly string[] = migrations): void {
  const found = versionOf(db);
  refuseNewer(found, file, steps.length);
  if (found === steps.length) return;
  if (found > 0) {
    // All of the write-ahead log goes into the file, so that the file alone is the whole history.
    db.pragma('wal_checkpoint(TRUNCATE)');
    try {
      copyFileSync(file, backupOf(file, found), constants.COPYFILE_FICLONE);
    } catch (problem) {
      throw historyError(problem, backupOf(file, found));
    }
  }
  for (let version = found; version < steps.length; version++) {
    db.transaction(() => {
      db.exec(steps[version]!);
      db.pragma(`user_version = ${version + 1}`);
    }).exclusive();
  }
}
