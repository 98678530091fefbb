// Writing a result: whole or not at all.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CuzkError } from '../contract/errors.ts';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
  EISDIR: 'a folder has this name',
  EACCES: 'the folder does not allow it',
  EPERM: 'the folder does not allow it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

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
    const { code, message } = problem as NodeJS.ErrnoException;
    const reason = reasons[code ?? ''] ?? message;
    throw new CuzkError('FileUnwritable', `this file cannot be written: ${reason}`, {
      file,
      remedy: 'choose another place',
      cause: problem,
    });
  }
}
