import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInputs } from './circuit-inputs.ts';

const parse = (json: unknown) => parseInputs(JSON.stringify(json), 'input.json');

test('numbers, decimal and hexadecimal text, signs and truth values are integers', () => {
  expect(parse({ a: [1, '2', '0x1F', '-3', ' 4 ', true, false, -5, '+6', '-0x10'] })).toEqual([
    { name: 'a', values: [1n, 2n, 31n, -3n, 4n, 1n, 0n, -5n, 6n, -16n] },
  ]);
});

test('an integer above 2^53 keeps all of its digits', () => {
  const text = '{"a": 123456789012345678901234567890, "b": -98765432109876543210}';
  expect(parseInputs(text, 'input.json')).toEqual([
    { name: 'a', values: [123456789012345678901234567890n] },
    { name: 'b', values: [-98765432109876543210n] },
  ]);
});

test('nested lists are flattened in order', () => {
  expect(
    parse({
      a: [
        [1, 2],
        [[3], 4],
      ],
      b: [],
    }),
  ).toEqual([
    { name: 'a', values: [1n, 2n, 3n, 4n] },
    { name: 'b', values: [] },
  ]);
});

test('buses and lists of buses become qualified names', () => {
  expect(parse({ p: { x: 1, y: [2, 3] }, q: [{ x: 4 }, { x: 5 }] })).toEqual([
    { name: 'p.x', values: [1n] },
    { name: 'p.y', values: [2n, 3n] },
    { name: 'q[0].x', values: [4n] },
    { name: 'q[1].x', values: [5n] },
  ]);
});

test.each([
  [{ a: 1.5 }, 'InputValue', 'a: '],
  [{ a: [1, null] }, 'InputValue', 'a[1]: '],
  [{ a: [[1], ['zz']] }, 'InputValue', 'a[1][0]: '],
  [{ a: '' }, 'InputValue', 'a: '],
  [{ a: '0x' }, 'InputValue', 'a: '],
  [{ p: { x: '1e3' } }, 'InputValue', 'p.x: '],
  [[1, 2], 'InputShape', 'an object'],
  ['a', 'InputShape', 'an object'],
  [null, 'InputShape', 'an object'],
])('%j is refused, with its place', (json, code, message) => {
  expect(() => parse(json)).toThrow(
    expect.objectContaining({ code, file: 'input.json', message: expect.stringContaining(message) }),
  );
});

test('text that is not JSON is refused with its offset in bytes', () => {
  expect(() => parseInputs('{"ä": 1,}', 'input.json')).toThrow(expect.objectContaining({ code: 'JsonSyntax', offset: 9 }));
  expect(() => parseInputs(' \n', 'input.json')).toThrow(expect.objectContaining({ code: 'JsonSyntax' }));
});

test("an editor's byte-order mark before the text is no part of it", () => {
  expect(parseInputs('\uFEFF{"a": 1}', 'input.json')).toEqual([{ name: 'a', values: [1n] }]);
  expect(() => parseInputs('\uFEFF{"a": 1,}', 'input.json')).toThrow(expect.objectContaining({ code: 'JsonSyntax', offset: 11 }));
  expect(() => parseInputs('\uFEFF', 'input.json')).toThrow('this file is empty');
});

test('any integer survives in each of its spellings', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), (value) => {
      const hex = value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
      expect(parseInputs(`{"a": [${value}, "${value}", "${hex}"]}`, 'f')).toEqual([{ name: 'a', values: [value, value, value] }]);
    }),
  );
});
