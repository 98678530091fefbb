import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../main/contract/app.ts';
import { CuzkError } from '../../main/contract/errors.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { FileChecks, mostChecked } from './file-checks.ts';

const fact = (path: string, format: string, more: Partial<FileFacts> = {}): FileFacts => ({
  ...{ path, format, curve: null, nVars: null, insecure: null, facts: [] },
  ...more,
});
const files: Record<string, FileFacts> = {
  '/a.zkey': fact('/a.zkey', 'zkey', { curve: 'bn254', nVars: 10 }),
  '/b.zkey': fact('/b.zkey', 'wtns', { curve: 'bn254', nVars: 10 }),
  '/a.wtns': fact('/a.wtns', 'wtns', { curve: 'bn254', nVars: 10 }),
  '/short.wtns': fact('/short.wtns', 'wtns', { curve: 'bn254', nVars: 9 }),
  '/bls.wtns': fact('/bls.wtns', 'wtns', { curve: 'bls12-381', nVars: 10 }),
  '/in.json': fact('/in.json', 'input.json'),
  '/a.r1cs': fact('/a.r1cs', 'r1cs', { curve: 'bn254', nVars: 11 }),
};

function setUp() {
  const read: string[] = [];
  const checks = new FileChecks(async (path) => {
    read.push(path);
    const facts = files[path];
    if (!facts) throw new CuzkError('FileNotFound', 'there is no such file', { file: path, remedy: 'check the path' });
    return facts;
  });
  return { read, checks };
}
const draft = (more: Partial<Draft>): Draft => ({ ...emptyDraft, zkey: '/a.zkey', ...more });
const problems = async (more: Partial<Draft>) => {
  const { checks } = setUp();
  await checks.look(draft(more));
  return checks.problemsOf(draft(more));
};

describe('the files of a draft', () => {
  it('that fit have no problem, and each is read once', async () => {
    const { checks, read } = setUp();
    const one = draft({ partitions: '/a.wtns\n/in.json' });
    await checks.look(one);
    await checks.look(one);
    expect(checks.problemsOf(one)).toEqual({});
    expect(read.toSorted()).toEqual(['/a.wtns', '/a.zkey', '/in.json']);
  });

  it.each([
    [{ zkey: '/none.zkey' }, { zkey: 'there is no such file; try: check the path' }],
    [{ zkey: '/b.zkey' }, { zkey: 'this is a wtns, and a zkey is needed' }],
    [{ partitions: '/short.wtns' }, { partitions: expect.stringContaining('9 values, and the key') }],
    [{ partitions: '/a.wtns\n/bls.wtns' }, { partitions: 'bls.wtns: this is over bls12-381, and the key over bn254' }],
    [{ r1cs: '/a.r1cs' }, { r1cs: expect.stringContaining('11 values') }],
  ])('%j', async (more, expected) => {
    expect(await problems(more)).toEqual(expected);
  });

  it('a file that is named anew is read anew', async () => {
    const { checks, read } = setUp();
    await checks.look(draft({ partitions: '/a.wtns' }));
    await checks.look(draft({}));
    await checks.look(draft({ partitions: '/a.wtns' }));
    expect(read.filter((path) => path === '/a.wtns')).toHaveLength(2);
  });

  it('of very many only the first are read', async () => {
    const { checks, read } = setUp();
    await checks.look(draft({ partitions: '/w{0..9999}.wtns' }));
    expect(read).toHaveLength(1 + mostChecked);
  });
});
