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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, writeWhole } from './write-whole.ts';

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
