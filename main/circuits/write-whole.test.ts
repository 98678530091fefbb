import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeFolder, writeWhole, writeWholeAll } from './write-whole.ts';

/** What the next calls fail with, one after the other; undefined lets a call through. */
const failing = vi.hoisted(() => ({ writeFile: [] as (string | undefined)[], rename: [] as (string | undefined)[] }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const wrapped = (name: 'writeFile' | 'rename') => {
    const call = real[name] as (...args: unknown[]) => Promise<void>;
    return async (...args: unknown[]) => {
      const code = failing[name].shift();
      if (code) throw Object.assign(new Error(code), { code });
      await call(...args);
    };
  };
  return { ...real, writeFile: wrapped('writeFile'), rename: wrapped('rename') };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('writes a file and the folders above it, and leaves nothing else', async () => {
  await writeWhole(join(folder, 'a/b/proof.json'), 'text');
  expect(readFileSync(join(folder, 'a/b/proof.json'), 'utf8')).toBe('text');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['proof.json']);
});

test('a pipe or a device stays what it is, and a folder too', async () => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  symlinkSync('pipe', join(folder, 'to-pipe'));
  mkdirSync(join(folder, 'folder'));
  for (const name of ['pipe', 'to-pipe', 'folder']) {
    await expect(writeWhole(join(folder, name), 'text')).rejects.toMatchObject({
      code: 'FileUnwritable',
      file: join(folder, name),
    });
  }
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['folder', 'pipe', 'to-pipe']);
});

test('a link stays a link, and what it leads to is written', async () => {
  mkdirSync(join(folder, 'there'));
  writeFileSync(join(folder, 'there/old'), 'old');
  symlinkSync('there/old', join(folder, 'to-old'));
  symlinkSync('to-new', join(folder, 'to-to-new'));
  symlinkSync('there/new', join(folder, 'to-new'));
  for (const name of ['to-old', 'to-to-new']) {
    await writeWhole(join(folder, name), 'text');
    expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true);
  }
  expect(readFileSync(join(folder, 'there/old'), 'utf8')).toBe('text');
  expect(readFileSync(join(folder, 'there/new'), 'utf8')).toBe('text');
});

test('a link to itself is refused in words', async () => {
  symlinkSync('loop', join(folder, 'loop'));
  await expect(writeWhole(join(folder, 'loop'), 'text')).rejects.toThrow('this link leads back to itself');
});

test.runIf(existsSync('/proc/self'))('a file system that makes no folders is an error, not an endless wait', async () => {
  await expect(makeFolder('/proc/none/cuzk')).rejects.toMatchObject({ code: 'ENOENT' });
});

const pairIn = (place: string): [string, string][] => [
  [join(place, 'proof.json'), 'proof'],
  [join(place, 'public.json'), 'public'],
];

test('files that belong together are all written', async () => {
  await writeWholeAll(pairIn(join(folder, 'a')));
  expect(readdirSync(join(folder, 'a')).sort()).toEqual(['proof.json', 'public.json']);
  expect(readFileSync(join(folder, 'a/public.json'), 'utf8')).toBe('public');
});

test('a disk that fills up between two of them leaves neither, and old ones as they were', async () => {
  const refusal = {
    code: 'FileUnwritable',
    message: 'this file cannot be written: the disk is full',
    file: join(folder, 'public.json'),
    remedy: 'make room there, or choose a place on another disk',
  };
  failing.writeFile = [undefined, 'ENOSPC'];
  await expect(writeWholeAll(pairIn(folder))).rejects.toMatchObject(refusal);
  expect(readdirSync(folder)).toEqual([]);

  writeFileSync(join(folder, 'proof.json'), 'old');
  failing.writeFile = [undefined, 'ENOSPC'];
  await expect(writeWholeAll(pairIn(folder))).rejects.toMatchObject(refusal);
  expect(readdirSync(folder)).toEqual(['proof.json']);
  expect(readFileSync(join(folder, 'proof.json'), 'utf8')).toBe('old');
});

test('a new file that another cannot stand beside is taken away', async () => {
  failing.rename = [undefined, 'EACCES'];
  await expect(writeWholeAll(pairIn(folder))).rejects.toMatchObject({ code: 'FileUnwritable', file: join(folder, 'public.json') });
  expect(readdirSync(folder)).toEqual([]);
});
