import { expect, it } from 'vitest';
import { niceStep, ticks } from './ticks.ts';
import { formatDuration, formatShare, formatTime } from './times.ts';

it.each([
  [0, '0 ms'],
  [0.42, '0.42 ms'],
  [42.25, '42.3 ms'],
  [587, '587 ms'],
  [999.6, '1.00 s'],
  [5_240, '5.24 s'],
  [15_240, '15.2 s'],
  [59_960, '1 m 00 s'],
  [124_000, '2 m 04 s'],
  [3_599_600, '1 h 00 m'],
  [11_220_000, '3 h 07 m'],
  [190_800_000, '2 d 05 h'],
])('%d milliseconds are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it.each([
  [0, 100, '0 ms'],
  [250, 50, '250 ms'],
  [0.5, 0.1, '0.5 ms'],
  [5_200, 200, '5.2 s'],
  [65_250, 50, '1 m 05.25 s'],
  [65_000, 5_000, '1 m 05 s'],
  [120_000, 60_000, '2 m'],
  [3_720_000, 60_000, '1 h 02 m'],
  [7_200_000, 3_600_000, '2 h'],
  [-500, 100, '−500 ms'],
])('a tick at %d with a step of %d reads %s', (ms, step, text) => expect(formatTime(ms, step)).toBe(text));

it('a share is said to be nothing, or all, only when it is', () => {
  expect([0, 0.0004, 0.0123, 0.37, 0.9996, 1].map(formatShare)).toEqual(['0 %', '< 0.1 %', '1.2 %', '37 %', '> 99.9 %', '100 %']);
});

it('steps are nice at every scale', () => {
  expect([0.003, 0.12, 3, 240, 600, 1400, 7000, 61_000, 4_000_000, 100_000_000].map(niceStep)).toEqual([
    ...[0.005, 0.2, 5, 500, 1000, 2000, 10_000, 120_000, 7_200_000, 172_800_000],
  ]);
});

it('there are never more ticks than asked for, and they do not drift', () => {
  for (const ms of [0.5, 7, 333, 8_100, 90_000, 5_000_000]) {
    const { at, stepMs } = ticks(1234.5, 1234.5 + ms, 1000, 8);
    expect(at.length).toBeLessThanOrEqual(9);
    expect(at.length).toBeGreaterThan(1);
    for (const tick of at) expect(tick / stepMs).toBe(Math.round(tick / stepMs));
  }
});
