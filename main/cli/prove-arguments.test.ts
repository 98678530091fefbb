import { expect, test } from 'vitest';
import { UsageError } from './context.ts';
import { withKey } from './prove-arguments.ts';

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
