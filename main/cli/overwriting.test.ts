import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from './context.ts';
import { refuseOverwriting } from './overwriting.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
const at = (name: string) => join(folder, name);
beforeAll(() => {
  writeFileSync(at('in'), '');
  writeFileSync(at('old'), '');
  symlinkSync('in', at('link'));
  linkSync(at('in'), at('hard'));
  mkdirSync(at('sub'));
  symlinkSync('loop', at('loop'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['in', 'sub/../in', 'link', 'hard'])('%s over the input is wrong usage', (output) => {
  expect(() => refuseOverwriting([undefined, at('in')], [`${folder}/${output}`])).toThrow(UsageError);
});

test('two outputs are two files, also when neither is there yet', () => {
  expect(() => refuseOverwriting([], [at('new'), `${folder}/sub/../new`])).toThrow('for two outputs');
  expect(() => refuseOverwriting([], [at('old'), at('old')])).toThrow('for two outputs');
});

test('new files, old results, absent inputs and paths that lead nowhere are left to whoever opens them', () => {
  refuseOverwriting([at('in'), at('absent')], [at('new'), at('old')]);
  refuseOverwriting([at('loop'), at('in')], [at('loop'), at('in/x')]);
});
