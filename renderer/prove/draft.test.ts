import { describe, expect, it } from 'vitest';
import { emptyState } from '../../main/contract/state.ts';
import { checkDraft, type Draft, emptyDraft, fieldOfFile, mostPartitions, placeFiles, proofCount } from './draft.ts';
import { expandNumbers } from './expand-numbers.ts';
import { parseDuration } from './parse-duration.ts';

const good: Draft = { ...emptyDraft, zkey: '/d/m.zkey', partitions: '/d/0.wtns\n/d/1.wtns\n' };
const check = (more: Partial<Draft>, state = emptyState) => checkDraft({ ...good, ...more }, state);
const circuit = {
  circuit: '/d/m.zkey',
  curve: 'bn254',
  nVars: 8,
  nPublic: 1,
  domainSize: 8,
  keyBytes: 100,
  proofBytes: 10,
  insecure: null,
};

describe('a draft of a job', () => {
  it('becomes a request, with what was left empty left out', () => {
    expect(check({})).toEqual({
      request: {
        circuit: { zkey: '/d/m.zkey' },
        partitions: [{ witness: '/d/0.wtns' }, { witness: '/d/1.wtns' }],
        priority: 'normal',
      },
    });
    const more = {
      wasm: '/d/m.wasm',
      partitions: 'in.json',
      kind: 'leaf',
      priority: 'high',
      mode: 'monolithic',
      deadline: '10 m',
    } as const;
    expect(check(more)).toMatchObject({
      request: {
        circuit: { wasm: '/d/m.wasm' },
        partitions: [{ input: 'in.json' }],
        kind: 'leaf',
        mode: 'monolithic',
        deadlineMs: 600_000,
      },
    });
  });

  it('says of each field what is wrong with it, all at once', () => {
    const { problems } = checkDraft({ ...emptyDraft, wasm: 'm.r1cs', deadline: 'soon' }, emptyState) as { problems: object };
    expect(Object.keys(problems).sort()).toEqual(['deadline', 'partitions', 'wasm', 'zkey']);
  });

  it('names the line that is wrong', () => {
    expect(check({ partitions: '0.wtns\n\n1.txt' })).toEqual({
      problems: { partitions: 'line 3: 1.txt is neither a .wtns nor a .json' },
    });
  });

  it('asks for the .wasm as soon as there is an input', () => {
    expect(check({ partitions: '0.wtns\n1.json' })).toMatchObject({ problems: { wasm: expect.stringContaining('.wasm') } });
  });

  it('refuses what could never fit, with the numbers, when the key is known', () => {
    const state = { ...emptyState, budgetBytes: 1024, circuits: { '/d/m.zkey': { ...circuit, keyBytes: 2048 } } };
    expect(check({}, state)).toMatchObject({
      problems: { zkey: 'this key and one proof need 2.0 KiB, and the budget is 1.0 KiB' },
    });
    expect(check({}, { ...state, budgetBytes: 4096 })).toHaveProperty('request');
  });

  it('wants a word for a key that proofs can be forged against', () => {
    const state = { ...emptyState, budgetBytes: 1024, circuits: { '/d/m.zkey': { ...circuit, insecure: 'gamma is delta' } } };
    expect(check({}, state)).toHaveProperty('problems.allowInsecureKey');
    expect(check({ allowInsecureKey: true }, state)).toMatchObject({ request: { allowInsecureKey: true } });
  });

  it('hands on what only the contract refuses', () => {
    expect(check({ kind: 'k'.repeat(65) })).toHaveProperty('problems.kind');
    expect(check({ zkey: `${'d/'.repeat(3000)}m.zkey` })).toHaveProperty('problems.zkey');
  });

  it('finds the field of the file that the engine blames', () => {
    expect(fieldOfFile(good, '/d/m.zkey')).toBe('zkey');
    expect(fieldOfFile(good, '/d/1.wtns')).toBe('partitions');
    expect(fieldOfFile(good, '/elsewhere')).toBeUndefined();
    expect(fieldOfFile(good, undefined)).toBeUndefined();
  });

  it('counts its proofs', () => {
    expect([proofCount(good), proofCount(emptyDraft), proofCount({ ...good, partitions: '{0..1199}.wtns' })]).toEqual([
      ...['2 proofs', 'no proofs yet', '1,200 proofs'],
    ]);
  });
});

it('files find their places by their names, inputs in the order of their numbers', () => {
  const { draft, unknown } = placeFiles(good, ['/d/10.wtns', '/d/9.wtns', '/d/m.wasm', '/d/readme.md']);
  expect(draft).toMatchObject({ wasm: '/d/m.wasm', partitions: '/d/0.wtns\n/d/1.wtns\n/d/9.wtns\n/d/10.wtns' });
  expect(unknown).toEqual(['/d/readme.md']);
});

it.each([
  ['a.wtns', ['a.wtns']],
  ['l{8..10}.wtns', ['l8.wtns', 'l9.wtns', 'l10.wtns']],
  ['l{08..10}.wtns', ['l08.wtns', 'l09.wtns', 'l10.wtns']],
  ['{0..1}/{0..1}', ['0/0', '0/1', '1/0', '1/1']],
  ['l{3..1}', null],
  [`l{0..${mostPartitions}}`, null],
  ['{0..999}{0..999}', null],
  ['l{}', ['l{}']],
])('%s stands for %j', (path, paths) => expect(expandNumbers(path, mostPartitions)).toEqual(paths));

it.each([
  ['90 s', 90_000],
  ['10m', 600_000],
  ['1.5 h', 5_400_000],
  ['2 h 30 m', 9_000_000],
  ['10', null],
  ['0 s', null],
  ['-5 m', null],
  ['soon', null],
])('%s from now is %j milliseconds', (text, ms) => expect(parseDuration(text)).toBe(ms));
