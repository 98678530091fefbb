import { expect, it } from 'vitest';
import { memoryUse, shortOwner } from './memory-groups.ts';

it('shows keys one by one, the partitions of a job together, and what is free', () => {
  const memory = { 'key /d/m.zkey on cpu': 500, 'job-1/0': 40, 'job-1/1 finalizer': 10, 'job-2/7': 90, scratch: 5 };
  expect(memoryUse({ memory, budgetBytes: 1000 })).toEqual({
    groups: [
      { name: 'key /d/m.zkey on cpu', kind: 'key', bytes: 500, owners: 1 },
      { name: 'job-2', kind: 'partitions', bytes: 90, owners: 1 },
      { name: 'job-1', kind: 'partitions', bytes: 50, owners: 2 },
      { name: 'scratch', kind: 'other', bytes: 5, owners: 1 },
    ],
    ...{ keyBytes: 500, workBytes: 145, usedBytes: 645, freeBytes: 355 },
  });
});

it('calls a key by its file, and others as they are', () => {
  expect(shortOwner('key /data/on disk/m.zkey on cuda:0')).toBe('key m.zkey on cuda:0');
  expect(shortOwner('key m.zkey on cpu')).toBe('key m.zkey on cpu');
  expect(shortOwner('work on cpu')).toBe('work on cpu');
});

it('says that nothing is free, not less, when more is held than there is', () => {
  expect(memoryUse({ memory: { a: 12 }, budgetBytes: 10 }).freeBytes).toBe(0);
});
