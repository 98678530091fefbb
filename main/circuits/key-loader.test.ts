// What is read of a key's file when the engine asks for its sizes: the coefficients once per content, then the header, then nothing.
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Prover, SizesOptions } from '../prover/prover.ts';
import { CheckedKeys } from './checked-keys.ts';
import { FileKeys } from './key-loader.ts';

let folder: string;
let zkey: string;
/** What the prover was told of the coefficients, each time that it was asked for sizes. */
let asked: (number | undefined)[];

const prover = {
  async sizesOf(_: string, { distinctCoefficients }: SizesOptions) {
    asked.push(distinctCoefficients);
    return { keyBytes: 1 };
  },
  async loadCircuit() {
    return { info: { insecure: null, distinctCoefficients: 7 }, release: () => {} };
  },
} as unknown as Prover;

/** As another process would begin: with nothing but the memory on disk. */
const keys = () => new FileKeys(prover, { memory: new CheckedKeys(join(folder, 'home')) });
/** Time passes: a file that was just written is old enough to be trusted. */
const later = () => vi.setSystemTime(Date.now() + 10_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  zkey = join(folder, 'circuit.zkey');
  writeFileSync(zkey, 'a key');
  asked = [];
  later();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('the coefficients of a key are counted the first time, and remembered when it was loaded', async () => {
  const first = keys();
  await first.load(await first.look(zkey), 'cpu');
  await first.look(zkey);
  await keys().look(zkey);
  expect(asked).toEqual([undefined, 7]);
});

test('a key that was looked at, and not loaded, is counted again by the next process', async () => {
  await keys().look(zkey);
  await keys().look(zkey);
  expect(asked).toEqual([undefined, undefined]);
});

test('a changed key is counted again, and is not loaded for who looked at the earlier one', async () => {
  const loader = keys();
  const key = await loader.look(zkey);
  await loader.load(key, 'cpu');
  appendFileSync(zkey, 'more');
  later();
  await expect(loader.load(key, 'cpu')).rejects.toMatchObject({ code: 'FileChanged', file: zkey });
  expect(await loader.look(zkey)).not.toEqual(key);
  expect(asked).toEqual([undefined, undefined]);
});

test('a copy is known again once it was loaded', async () => {
  const loader = keys();
  await loader.load(await loader.look(zkey), 'cpu');
  writeFileSync(join(folder, 'copy'), 'a key');
  renameSync(join(folder, 'copy'), zkey);
  later();
  await loader.load(await loader.look(zkey), 'cpu');
  await keys().look(zkey);
  expect(asked).toEqual([undefined, undefined, 7]);
});
