import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { asCuzkError, CuzkError } from './errors.ts';

test('a native error keeps its code, file, offset and remedy', () => {
  const native = Object.assign(new Error('cut off'), {
    code: 'ZkeyTruncated',
    file: 'a.zkey',
    offset: 12,
    remedy: 'copy it again',
  });
  expect(asCuzkError(native, 'other.zkey')).toMatchObject({
    code: 'ZkeyTruncated',
    message: 'cut off',
    file: 'a.zkey',
    offset: 12,
    remedy: 'copy it again',
  });
});

test("a code that begins with a format's name and a digit is a refusal too", () => {
  const native = Object.assign(new Error('no .r1cs'), { code: 'R1csNotThisFormat', file: 'a.zkey', offset: 0 });
  expect(asCuzkError(native)).toMatchObject({ code: 'R1csNotThisFormat', file: 'a.zkey', offset: 0 });
  expect(asCuzkError(Object.assign(new Error('x'), { code: 'E2BIG' })).code).toBe('Internal');
});

test('a link to itself and a path that is too long are told in words', async () => {
  expect(asCuzkError(Object.assign(new Error('x'), { code: 'ELOOP', path: 'loop' }))).toMatchObject({
    code: 'FileUnreadable',
    file: 'loop',
  });
  expect(await readFile('x'.repeat(5000)).catch(asCuzkError)).toMatchObject({ code: 'FileUnreadable', remedy: 'check the path' });
});

test("a native error without a file is given the call's", () => {
  expect(asCuzkError(Object.assign(new Error('x'), { code: 'ProofInvalid' }), 'w.wtns').file).toBe('w.wtns');
});

test('an absent file and a folder are told in words, with the path', async () => {
  const absent = await readFile('/nowhere/at/all').catch(asCuzkError);
  expect(absent).toMatchObject({ code: 'FileNotFound', file: '/nowhere/at/all', remedy: 'check the path' });
  const folder = await readFile('/').catch((problem) => asCuzkError(problem, '/'));
  expect(folder).toMatchObject({ code: 'FileIsDirectory', file: '/' });
});

test('anything that is no refusal is a bug, and keeps its cause', () => {
  const bug = new TypeError('x is not a function');
  expect(asCuzkError(bug)).toMatchObject({ code: 'Internal', cause: bug });
  expect(asCuzkError(Object.assign(new Error('odd'), { code: 'ERR_SOMETHING' })).code).toBe('Internal');
  expect(asCuzkError('text')).toMatchObject({ code: 'Internal', message: 'text' });
});

test('an error that is translated already stays the same object', () => {
  const error = new CuzkError('Aborted', 'interrupted');
  expect(asCuzkError(error)).toBe(error);
});
