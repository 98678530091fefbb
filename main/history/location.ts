// Where the history is.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../circuits/write-whole.ts';
import { historyError } from './errors.ts';

/** The database's file: in CUZK_HOME, or in `cuzk` in the user's data folder. */
export function historyFile(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = environment.CUZK_HOME || join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'cuzk');
  return join(folder, 'history.db');
}

/**
 * Makes the file's folder and the file itself, readable by the person alone: what SQLite puts beside it gets the same mode. A file that is
 * there keeps what it has. Throws `HistoryUnwritable` or `HistoryFull`.
 */
export async function prepareFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  try {
    await makeFolder(dirname(file), 0o700);
    closeSync(openSync(file, 'a', 0o600));
    // Whatever the umask was.
    chmodSync(file, 0o600);
  } catch (problem) {
    throw historyError(problem, file);
  }
}
