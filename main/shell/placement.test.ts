// Where the window opens.
import { expect, test } from 'vitest';
import { openingOf, type Place, readPlace } from './placement.ts';

const main = { x: 0, y: 30, width: 1920, height: 1050 };
const left = { x: -1280, y: 0, width: 1280, height: 1024 };
const place: Place = { x: 100, y: 80, width: 1000, height: 700, isMaximized: false };

test('at the first start the system chooses the place, and the size fits the screen', () => {
  expect(openingOf(undefined, [main])).toEqual({ width: 1440, height: 900, isMaximized: false });
  expect(openingOf(undefined, [{ x: 0, y: 0, width: 1024, height: 768 }])).toEqual({
    width: 1024,
    height: 768,
    isMaximized: false,
  });
});

test.each([
  ['on the main screen', place],
  ['on another one', { ...place, x: -1200 }],
  ['partly beside a screen, with enough to take hold of', { ...place, x: 1800 }],
  ['maximized', { ...place, isMaximized: true }],
])('a remembered place %s is taken', (_, remembered) => {
  expect(openingOf(remembered, [main, left])).toEqual(remembered);
});

test.each([
  ['on a screen that is gone', { ...place, x: -1200 }],
  ['right of all', { ...place, x: 1850 }],
  ['left of all', { ...place, x: -950 }],
  ['below all', { ...place, y: 1070 }],
  ['above, where its title cannot be reached', { ...place, y: -20 }],
])('a remembered place %s is not', (_, remembered) => {
  expect(openingOf(remembered, [main])).toEqual({ width: 1440, height: 900, isMaximized: false });
});

test('a window larger than its screen, or too small to read, is made to fit', () => {
  expect(openingOf({ ...place, width: 4000, height: 4000 }, [main])).toMatchObject({ width: 1920, height: 1050 });
  expect(openingOf({ ...place, width: 130, height: 1 }, [main])).toMatchObject({ width: 720, height: 480 });
});

test('what is no place is not remembered', () => {
  expect(readPlace(JSON.stringify(place))).toEqual(place);
  for (const text of [
    '',
    '{',
    'null',
    '{"x":1}',
    JSON.stringify({ ...place, x: 1e300 }),
    JSON.stringify({ ...place, isMaximized: 1 }),
  ])
    expect(readPlace(text)).toBeUndefined();
});
