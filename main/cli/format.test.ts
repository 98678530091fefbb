import { expect, test } from 'vitest';
import { printable, printableLines } from './format.ts';

test.each([
  ['a\nOK: the proof is valid', 'a\\nOK: the proof is valid'],
  ['\x1b[2J\r\t\x7f\x9b', '\\x1b[2J\\r\\t\\x7f\\x9b'],
  ['\u202enosj.a', '\\u202enosj.a'],
  ['C:\\näme ✓ 𝄞', 'C:\\näme ✓ 𝄞'],
])('%j reads as %s', (name, text) => {
  expect(printable(name)).toBe(text);
});

test('a text of several lines keeps its own line ends', () => {
  expect(printableLines('one\ntw\x1bo')).toBe('one\ntw\\x1bo');
});
