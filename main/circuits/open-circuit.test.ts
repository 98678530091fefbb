// What is remembered about keys: when points are checked, when a file is hashed, and when neither.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LoadOptions, Prover } from '../prover/prover.ts';
import { CheckedKeys, contentHash, identify } from './checked-keys.ts';
import { openCircuit } from './open-circuit.ts';

let folder: string;
let zkey: string;
const loads: boolean[] = [];
let whileLoading = () => {};

const prover = {
  async loadCircuit(_: string, __: string, { checkPoints }: LoadOptions) {
    loads.push(checkPoints);
    whileLoading();
    return { info: { insecure: null, distinctCoefficients: 7 }, release: () => {}, [Symbol.dispose]: () => {} };
  },
} as unknown as Prover;

/** Time passes: a file that was just written is old enough to be trusted. */
function later(): void {
  vi.setSystemTime(Date.now() + 10_000);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  zkey = join(folder, 'circuit.zkey');
  writeFileSync(zkey, 'a key');
  loads.length = 0;
  whileLoading = () => {};
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const memory = () => new CheckedKeys(join(folder, 'home'));
const open = () => openCircuit(prover, zkey, { memory: memory() });

test('a key is checked the first time, and not again', async () => {
  later();
  expect((await open()).checkedNow).toBe(true);
  expect((await open()).checkedNow).toBe(false);
  expect(loads).toEqual([true, false]);
});

test('a copy of a checked key is not checked, since its content is the same', async () => {
  await open();
  writeFileSync(join(folder, 'copy'), 'a key');
  renameSync(join(folder, 'copy'), zkey);
  await open();
  expect(loads).toEqual([true, false]);
});

test('a refusal while the key is hashed and checked at once stops the hashing and remembers nothing', async () => {
  later();
  const refusal = new Error('refused');
  const refusing = { loadCircuit: () => Promise.reject(refusal) } as unknown as Prover;
  await expect(openCircuit(refusing, zkey, { memory: memory() })).rejects.toBe(refusal);
  expect(await memory().hasSize(5)).toBe(false);
  expect((await open()).checkedNow).toBe(true);
});

test('a changed key is checked, even with its size and time of change put back', async () => {
  later();
  await open();
  writeFileSync(zkey, 'a kex');
  utimesSync(zkey, new Date(0), new Date(0));
  later();
  await open();
  expect(loads).toEqual([true, true]);
});

test('an unchanged key is known by its identity, without being read', async () => {
  later();
  await open();
  const { identity } = await identify(zkey);
  expect(await memory().hashOf(identity)).toBe(await contentHash(zkey));
});

test('a key that was written a moment ago is known by its content only', async () => {
  await open();
  const { identity } = await identify(zkey);
  expect(await memory().hashOf(identity)).toBeUndefined();
  expect(await memory().find(await contentHash(zkey))).toEqual({ insecure: null, bytes: 5, distinctCoefficients: 7 });
});

test('a key that changes while it is read is refused and not remembered', async () => {
  whileLoading = () => appendFileSync(zkey, 'more');
  await expect(open()).rejects.toMatchObject({ code: 'FileChanged', file: zkey });
  whileLoading = () => {};
  await open();
  expect(loads).toEqual([true, true]);
});

test('a key that an earlier cuzk remembered is not checked again, and its coefficients are remembered too', async () => {
  later();
  await open();
  const file = join(folder, 'home', 'checked-keys.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(',"distinctCoefficients":7', ''));
  const { identity } = await identify(zkey);
  expect(await memory().distinctCoefficientsOf(identity)).toBeUndefined();
  await open();
  expect(loads).toEqual([true, false]);
  expect(await memory().distinctCoefficientsOf(identity)).toBe(7);
});

test('a broken memory is an empty one, and is written anew', async () => {
  await open();
  writeFileSync(join(folder, 'home', 'checked-keys.json'), '{"checkVersion":1,"files":[]');
  await open();
  await open();
  expect(loads).toEqual([true, true, false]);
});

test('a memory that cannot be written costs a check, not the proof', async () => {
  writeFileSync(join(folder, 'home'), 'a file, not a folder');
  await open();
  await open();
  expect(loads).toEqual([true, true]);
});

test('a key that is not there is refused as such', async () => {
  await expect(openCircuit(prover, '/nowhere.zkey', { memory: memory() })).rejects.toMatchObject({ code: 'FileNotFound' });
});

test('a pipe is refused before it is opened, which would wait for a writer', async () => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  await expect(openCircuit(prover, pipe, { memory: memory() })).rejects.toMatchObject({ code: 'FileUnreadable', file: pipe });
});

test.runIf(existsSync('/proc/self'))('a memory that cannot be made is no obstacle', async () => {
  const { checkedNow } = await openCircuit(prover, zkey, { memory: new CheckedKeys('/proc/none/cuzk') });
  expect(checkedNow).toBe(true);
});
