// Writing results: whole or not at all.
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
  EDQUOT: 'your share of the disk is used up',
};

/** Makes a folder and those above it. Node's own `recursive` does not return where a file system refuses with ENOENT, as /proc does. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode }).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code !== 'EEXIST') throw problem;
  });
}

const refused = (file: string, reason: string, cause?: unknown) => {
  const isFull = ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
  const remedy = isFull ? 'make room there, or choose a place on another disk' : 'choose another place';
  return new CuzkError('FileUnwritable', `this file cannot be written: ${reason}`, { file, remedy, cause });
};

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

/** A file's content under another name beside it, not yet in its place. */
interface Prepared {
  file: string;
  temporary: string;
  target: string;
  isNew: boolean;
}

/** Runs a step of writing `file`; whatever the system says against it becomes a refusal that names the file. */
async function stepOf<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (problem) {
    if (problem instanceof CuzkError) throw problem;
    const { code, message } = problem as NodeJS.ErrnoException;
    throw refused(file, reasons[code ?? ''] ?? message, problem);
  }
}

const remove = (file: string) => rm(file, { force: true }).catch(() => {});

async function prepare(file: string, content: string | Uint8Array): Promise<Prepared> {
  await makeFolder(dirname(file));
  const known = await stat(file).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code !== 'ENOENT') throw problem;
  });
  if (known?.isDirectory()) throw refused(file, 'a folder has this name');
  if (known && !known.isFile()) throw refused(file, 'a device or a pipe has this name');
  const target = await targetOf(file);
  const temporary = join(dirname(target), `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await writeFile(temporary, content);
  } catch (problem) {
    await remove(temporary);
    throw problem;
  }
  return { file, temporary, target, isNew: known === undefined };
}

/**
 * Writes files that belong together, each under another name first, and renames them when all are written, so that no reader and no
 * interruption sees half of one, and a disk that fills up leaves none of them. Makes their folders. A device or a pipe is refused:
 * the rename would put a plain file in its place, in /dev/null's for one.
 */
export async function writeWholeAll(files: [file: string, content: string | Uint8Array][]): Promise<void> {
  const prepared: Prepared[] = [];
  const placed: Prepared[] = [];
  try {
    for (const [file, content] of files) prepared.push(await stepOf(file, () => prepare(file, content)));
    for (const one of prepared) {
      await stepOf(one.file, () => rename(one.temporary, one.target));
      placed.push(one);
    }
  } catch (problem) {
    // A new file does not stay without the others; what an old one held is gone already.
    for (const { target, isNew } of placed) if (isNew) await remove(target);
    for (const { temporary } of prepared) await remove(temporary);
    throw problem;
  }
}

/** The same for one file. */
export const writeWhole = (file: string, content: string | Uint8Array): Promise<void> => writeWholeAll([[file, content]]);
