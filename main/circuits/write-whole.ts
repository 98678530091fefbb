// Writing a result: whole or not at all.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asCuzkError, CuzkError } from '../contract/errors.ts';

/** Makes a folder and those above it. Node's own `recursive` does not return where a file system refuses with ENOENT, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code !== 'EEXIST') throw problem;
  });
}

/** Writes a file under another name first and renames it, so that no reader and no interruption sees half of it. Makes its folder. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(file), `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await makeFolder(dirname(file));
    await writeFile(temporary, content);
    await rename(temporary, file);
  } catch (problem) {
    await rm(temporary, { force: true }).catch(() => {});
    const { code, message, remedy, cause } = asCuzkError(problem);
    throw new CuzkError(code, message, { file, remedy, cause });
  }
}
