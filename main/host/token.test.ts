import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownToken, readToken } from './token.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const mode = (file: string) => statSync(file).mode & 0o777;

test('a token of 32 random bytes is made, in a file and a folder that only the owner reads', async () => {
  const home = join(folder, 'new', 'home');
  const { token, file } = await ownToken(home);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect([mode(file), mode(home), mode(join(folder, 'new'))]).toEqual([0o600, 0o700, 0o700]);
  expect(readdirSync(home)).toEqual(['serve-token']);
  expect((await ownToken(join(folder, 'other'))).token).not.toBe(token);
});

test('it stays from start to start', async () => {
  expect(await ownToken(folder)).toEqual(await ownToken(folder));
});

test('a file that others could read, a link, and what is no token are replaced', async () => {
  const first = await ownToken(folder);
  chmodSync(first.file, 0o640);
  const second = await ownToken(folder);
  expect(second.token).not.toBe(first.token);
  expect(mode(second.file)).toBe(0o600);

  const other = join(folder, 'other');
  writeFileSync(other, second.token, { mode: 0o600 });
  rmSync(second.file);
  symlinkSync(other, second.file);
  const third = await ownToken(folder);
  expect(third.token).not.toBe(second.token);
  expect(readFileSync(other, 'utf8')).toBe(second.token);

  writeFileSync(third.file, 'short\n', { mode: 0o600 });
  expect((await ownToken(folder)).token).toHaveLength(43);
});

test('a folder that cannot be written to is an error that says what to do', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(ownToken(join(folder, 'file', 'home'))).rejects.toMatchObject({ code: 'FileUnwritable', remedy: /CUZK_HOME/ });
  expect(existsSync(join(folder, 'file', 'home'))).toBe(false);
});

test('a given file is read without its line end, and never written', async () => {
  const file = join(folder, 'mine');
  writeFileSync(file, 'correct/horse+battery=\n', { mode: 0o644 });
  expect(await readToken(file)).toEqual({ token: 'correct/horse+battery=', file });
  expect(mode(file)).toBe(0o644);
});

test.each([
  '',
  '\n',
  'fifteen-chars..',
  'two words that are long',
  'ümläut-and-long-enough',
  'two-lines-long-enough\ntwo-lines-long-enough',
])('a file with %j holds no token', async (content) => {
  const file = join(folder, 'mine');
  writeFileSync(file, content);
  await expect(readToken(file)).rejects.toMatchObject({ code: 'TokenUnusable', file });
});

test('a given file that is not there is an error', async () => {
  await expect(readToken(join(folder, 'none'))).rejects.toMatchObject({ code: 'FileNotFound' });
});
