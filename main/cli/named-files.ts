// Files that the command line names: each must be there, also one that would only make an error clearer. Files that merely stand
// beside others (circuits/siblings.ts) are left out when they are not there.
import { access, constants, stat } from 'node:fs/promises';
import { asCuzkError } from '../contract/errors.ts';

/** Rejects for the first file that is not there, may not be read or is a folder; before any work, so that a wrong path is told at once. */
export async function refuseUnreadable(files: (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue;
    try {
      await access(file, constants.R_OK);
      if ((await stat(file)).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    } catch (problem) {
      throw asCuzkError(problem, file);
    }
  }
}
