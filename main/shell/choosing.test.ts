// What a page may ask of the system's dialog.
import { expect, test } from 'vitest';
import { dialogOf } from './choosing.ts';

test('one file of named endings, or any', () => {
  expect(dialogOf({ title: 'A key', extensions: ['zkey'] })).toEqual({
    title: 'A key',
    properties: ['openFile'],
    filters: [
      { name: '.zkey', extensions: ['zkey'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
});

test('several files', () => {
  expect(dialogOf({ title: 'Inputs', several: true })).toEqual({ title: 'Inputs', properties: ['openFile', 'multiSelections'] });
});

test.each([
  undefined,
  'title',
  {},
  { title: '' },
  { title: 'x'.repeat(201) },
  { title: 'x', extensions: ['*'] },
  { title: 'x', extensions: 'zkey' },
  { title: 'x', defaultPath: '/etc' },
  { title: 'x', properties: ['openDirectory'] },
])('%j is refused', (value) => {
  expect(() => dialogOf(value)).toThrow(expect.objectContaining({ code: 'RequestInvalid' }));
});
