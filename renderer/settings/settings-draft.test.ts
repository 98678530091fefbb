import { describe, expect, it, test } from 'vitest';
import { defaultSettings } from '../../main/contract/app.ts';
import { draftOf, readDraft } from './settings-draft.ts';

const with_ = (more: Record<string, string>) => readDraft({ ...draftOf(defaultSettings), ...more });

describe('settings as they are written down', () => {
  it('are what was read, there and back', () => {
    const settings = { ...defaultSettings, memoryBytes: 12.5 * 2 ** 30, threads: 8, keepDays: 90, notify: false };
    const draft = draftOf(settings);
    expect(draft).toMatchObject({ memoryBytes: '12.5', threads: '8', keepDays: '90', synthesisWorkers: '', notify: false });
    expect(readDraft(draft)).toEqual({ settings });
  });

  it('take a comma too, and spaces', () => {
    expect(with_({ memoryBytes: ' 1,5 ' })).toMatchObject({ settings: { memoryBytes: 1.5 * 2 ** 30 } });
  });

  test.each([
    [{ memoryBytes: 'much' }, { memoryBytes: 'a number, or nothing for as usual' }],
    [{ memoryBytes: '0.01' }, { memoryBytes: 'at least 0.063 GiB' }],
    [{ threads: '0' }, { threads: 'at least 1' }],
    [{ threads: '1.5' }, { threads: 'a whole number' }],
    [{ deviceWorkers: '99' }, { deviceWorkers: 'at most 16' }],
    [
      { keepDays: '-3', threads: 'x' },
      { keepDays: 'a number, or nothing for as usual', threads: 'a number, or nothing for as usual' },
    ],
  ])('%j', (more, problems) => {
    expect(with_(more)).toEqual({ problems });
  });
});
