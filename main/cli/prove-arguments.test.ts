import { expect, test } from 'vitest';
import { UsageError } from './context.ts';
import { partitionsOf, withKey } from './prove-arguments.ts';

test('the key that stands first is the key', () => {
  expect(withKey('c.zkey', { input: ['a.json'] })).toEqual({ zkey: 'c.zkey', input: ['a.json'] });
  expect(withKey('c.zkey', {})).toEqual({ zkey: 'c.zkey', input: undefined });
});

test('a key after the inputs is taken out of them, wherever it stands', () => {
  for (const input of [
    ['a.json', 'b.json', 'C.ZKEY'],
    ['C.ZKEY', 'a.json', 'b.json'],
  ])
    expect(withKey(undefined, { input })).toEqual({ zkey: 'C.ZKEY', input: ['a.json', 'b.json'] });
});

test.each([
  [['a.json', 'key'], 'all that follow --input are inputs (a.json, key)'],
  [['a.zkey', 'b.zkey'], 'all that follow --input are inputs (a.zkey, b.zkey)'],
])('%j without a clear key is wrong usage, and says how to write it', (input, message) => {
  const go = () => withKey(undefined, { input });
  expect(go).toThrow(UsageError);
  expect(go).toThrow(message);
  expect(go).toThrow('cuzk prove <circuit.zkey> --wasm');
});

test('no key at all is told as commander tells it', () => {
  expect(() => withKey(undefined, {})).toThrow("missing required argument 'circuit.zkey'");
});

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
