import { expect, test } from 'vitest';
import { partitionsOf } from './prove.ts';

const files = (list: string[], options = {}) =>
  partitionsOf(list, options).map(({ source, proofFile, publicFile }) => [source, proofFile, publicFile]);

test('one witness writes into the folder itself', () => {
  expect(files(['w.wtns'])).toEqual([['w.wtns', 'proof.json', 'public.json']]);
  expect(files(['w.wtns'], { output: 'out' })).toEqual([['w.wtns', 'out/proof.json', 'out/public.json']]);
});

test('several witnesses write into numbered folders, in order', () => {
  expect(files(['a.wtns', 'b.wtns'], { output: 'out' })).toEqual([
    ['a.wtns', 'out/0/proof.json', 'out/0/public.json'],
    ['b.wtns', 'out/1/proof.json', 'out/1/public.json'],
  ]);
});

test("the other provers' order names the two files", () => {
  expect(files(['w.wtns', 'x/p.json', 'q.json'])).toEqual([['w.wtns', 'x/p.json', 'q.json']]);
});

test('inputs are computed with the circuit', () => {
  expect(files([], { wasm: 'c.wasm', input: ['1.json'], output: 'o' })).toEqual([['1.json', 'o/proof.json', 'o/public.json']]);
});

test.each([
  [[], {}, 'name a witness'],
  [['w.wtns', 'p.json', 'q.json'], { output: 'o' }, 'both say where'],
  [['i.json'], {}, 'is no witness'],
  [['w.wtns'], { wasm: 'c.wasm', input: ['i.json'] }, 'one too many'],
  [[], { wasm: 'c.wasm' }, 'needs --input'],
  [['w.wtns'], { input: ['i.json'] }, 'needs --wasm'],
])('%j with %j is wrong usage', (list, options, message) => {
  expect(() => partitionsOf(list, options)).toThrow(message);
});
