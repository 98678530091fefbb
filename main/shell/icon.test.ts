// The icon: four squares.
import { expect, test } from 'vitest';
import { iconBitmap } from './icon.ts';

test('three squares are at work, one is proved, and nothing is between them', () => {
  const pixels = iconBitmap(32);
  const at = (x: number, y: number) => [...pixels.subarray((y * 32 + x) * 4, (y * 32 + x) * 4 + 4)];
  expect(pixels.length).toBe(32 * 32 * 4);
  for (const [x, y] of [
    [0, 0],
    [31, 13],
    [0, 31],
  ] as const)
    expect(at(x, y)).toEqual([0xe8, 0x70, 0x55, 255]);
  expect(at(31, 31)).toEqual([0x78, 0xa0, 0x00, 255]);
  for (const [x, y] of [
    [15, 0],
    [16, 31],
    [0, 16],
  ] as const)
    expect(at(x, y)).toEqual([0, 0, 0, 0]);
});
