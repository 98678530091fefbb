// Writing a result: whole or not at all.
import { existsSync } from 'node:fs';
import { mkdir, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CuzkError } from '../contract/errors.ts';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
  EISDIR: 'a folder has this name',
  EACCES: 'the folder does not allow it',
  EPERM: 'the folder does not allow it',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'this link leads back to itself',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Makes a folder and those above it. Node's own `recursive` does not return where a file system refuses with ENOENT, as /proc does. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode }).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code !== 'EEXIST') throw problem;
  });
}

const refused = (file: string, reason: string, cause?: unknown) =>
  new CuzkError('FileUnwritable', `this file cannot be written: ${reason}`, { file, remedy: 'choose another place', cause });

/** Where a file's content goes: a link stays a link, and what it leads to is replaced, also when that is not there yet. */
async function targetOf(file: string): Promise<string> {
  let target = file;
  for (;;) {
    const next = await readlink(target).catch((problem: NodeJS.ErrnoException) => {
      // EINVAL: this is no link.
      if (problem.code === 'EINVAL' || problem.code === 'ENOENT') return undefined;
      throw problem;
    });
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
}

/**
 * Writes a file under another name first and renames it, so that no reader and no interruption sees half of it. Makes its folder.
 * A device or a pipe is refused: the rename would put a plain file in its place, in /dev/null's for one.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  let temporary: string | undefined;
  try {
    await makeFolder(dirname(file));
    const known = await stat(file).catch((problem: NodeJS.ErrnoException) => {
      if (problem.code !== 'ENOENT') throw problem;
    });
    if (known?.isDirectory()) throw refused(file, 'a folder has this name');
    if (known && !known.isFile()) throw refused(file, 'a device or a pipe has this name');
    const target = await targetOf(file);
    temporary = join(dirname(target), `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
    await writeFile(temporary, content);
    await rename(temporary, target);
  } catch (problem) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => {});
    if (problem instanceof CuzkError) throw problem;
    const { code, message } = problem as NodeJS.ErrnoException;
    throw refused(file, reasons[code ?? ''] ?? message, problem);
  }
}
