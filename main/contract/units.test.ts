import { expect, test } from 'vitest';
import { formatBytes, formatDuration, plural } from './units.ts';

test.each([
  [0, '0 ms'],
  [587, '587 ms'],
  [999.6, '1.0 s'],
  [5200, '5.2 s'],
  [59_960, '1 m 00 s'],
  [124_000, '2 m 04 s'],
  [3_599_600, '1 h 00 m'],
  [4_020_000, '1 h 07 m'],
])('%d milliseconds read as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [812, '812 bytes'],
  [1024, '1.0 KiB'],
  [1_300_000, '1.2 MiB'],
  [10_239_999, '9.8 MiB'],
  [1_048_000_000, '999 MiB'],
  [25_769_803_776, '24 GiB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('counts carry their word in the right number', () => {
  expect([plural(1, 'proof'), plural(0, 'proof'), plural(1200, 'proof')]).toEqual(['1 proof', '0 proofs', '1,200 proofs']);
});
