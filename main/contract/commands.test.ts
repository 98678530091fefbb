// What crosses a border is what it claims to be: nothing else in it, nothing missing.
import { describe, expect, it } from 'vitest';
import { commandSchemas } from './commands.ts';

const submit = (change: object) =>
  commandSchemas.submit.safeParse({ circuit: { zkey: 'c.zkey' }, partitions: [{ witness: 'w.wtns' }], ...change }).success;

describe('submit', () => {
  it.each([
    ['the least there can be', {}],
    ['inputs and their .wasm', { circuit: { zkey: 'c.zkey', wasm: 'c.wasm' }, partitions: [{ input: 'i.json' }] }],
    ['all there is', { kind: 'porep-c2', priority: 'critical', mode: 'monolithic', deadlineMs: 5, requestKey: 'k' }],
  ])('takes %s', (_, change) => expect(submit(change)).toBe(true));

  it.each([
    ['inputs without a .wasm', { partitions: [{ input: 'i.json' }] }],
    ['no partition', { partitions: [] }],
    ['a partition that is both', { partitions: [{ witness: 'w', input: 'i' }] }],
    ['an empty path', { circuit: { zkey: '' } }],
    ['a priority that there is not', { priority: 'urgent' }],
    ['a deadline in the past', { deadlineMs: -1 }],
    ['a deadline that is no number', { deadlineMs: Number.NaN }],
    ['a word that it does not know', { prioritiy: 'low' }],
  ])('refuses %s', (_, change) => expect(submit(change)).toBe(false));
});

it('the other commands name a job or a key, and nothing else', () => {
  expect(commandSchemas.cancel.safeParse({ job: 'job-1' }).success).toBe(true);
  expect(commandSchemas.cancel.safeParse({ job: 1 }).success).toBe(false);
  expect(commandSchemas.retry.safeParse({ job: 'job-1', extra: 1 }).success).toBe(false);
  expect(commandSchemas.evict.safeParse({ circuit: 'c.zkey', device: 'cuda:0' }).success).toBe(true);
  expect(commandSchemas.preload.safeParse({}).success).toBe(false);
});
