import { expect, it } from 'vitest';
import { reduce } from '../../main/contract/reduce.ts';
import { emptyState } from '../../main/contract/state.ts';
import { matching, paletteCommands } from './palette-commands.ts';

const about = { kind: 'merkle', circuit: '/d/m.zkey', partitions: 2, priority: 'normal', mode: 'pipelined', wallMs: 0 } as const;
const state = [
  { type: 'jobSubmitted' as const, job: 'A', ...about },
  { type: 'jobSubmitted' as const, job: 'B', ...about },
  { type: 'jobEnded' as const, job: 'B', end: 'failed' as const },
  { type: 'residencyChanged' as const, circuit: '/d/m.zkey', device: 'cpu', residency: 'hot' as const, bytes: 9 },
].reduce((before, body, i) => reduce(before, { ...body, seq: i + 1, at: i }), emptyState);
const titles = (query: string) => matching(paletteCommands(state), query).map(({ title }) => title);

it('offers what can be done with what there is', () => {
  expect(titles('')).toContain('Cancel merkle A');
  expect(titles('')).toContain('Run merkle B again');
  expect(titles('')).toContain('Evict m.zkey');
  expect(titles('')).not.toContain('Cancel merkle B');
});

it('finds by the beginnings of words, in any order', () => {
  expect(titles('time')[0]).toBe('Go to Timeline');
  expect(titles('merkle canc')).toEqual(['Cancel merkle A']);
  expect(titles('dark')).toEqual(['Theme: dark']);
  expect(titles('nothing like it')).toEqual([]);
});
