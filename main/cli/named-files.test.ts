import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check } from './commands/check.ts';
import { prove } from './commands/prove.ts';
import { witness } from './commands/witness.ts';
import type { Context } from './context.ts';
import { refuseUnreadable } from './named-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
for (const name of ['c.zkey', 'c.r1cs', 'c.wasm', 'w.wtns', 'in.json']) writeFileSync(at(name), '');

test('a named file must be there, and be a file', async () => {
  await refuseUnreadable([at('c.r1cs'), undefined, at('w.wtns')]);
  await expect(refuseUnreadable([at('c.r1cs'), at('absent')])).rejects.toMatchObject({ code: 'FileNotFound', file: at('absent') });
  await expect(refuseUnreadable([folder])).rejects.toMatchObject({ code: 'FileIsDirectory', file: folder });
});

describe('a named file of signal names that is not there is refused before the work', () => {
  const context = {
    signal: new AbortController().signal,
    prover: () => Promise.reject(new Error('the work has begun')),
  } as unknown as Context;
  const refusal = { code: 'FileNotFound', file: at('absent.sym') };

  test('by prove', async () => {
    const named = { output: folder, sym: at('absent.sym') };
    await expect(prove(context, at('c.zkey'), [at('w.wtns')], named)).rejects.toMatchObject(refusal);
  });

  test('by witness', async () => {
    const named = { output: at('out.wtns'), sym: at('absent.sym') };
    await expect(witness(context, at('c.wasm'), at('in.json'), named)).rejects.toMatchObject(refusal);
  });

  test('by check', async () => {
    await expect(check(context, at('c.r1cs'), at('w.wtns'), at('absent.sym'))).rejects.toMatchObject(refusal);
  });
});
