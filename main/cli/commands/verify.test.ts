import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageRoot } from '../../package-root.ts';
import type { Context } from '../context.ts';
import { verify } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['ProofPointOffCurve', 'proof.json'],
  ['VkeyPointOffCurve', 'verification_key.json'],
])('%s names the file that it is about: %s', async (code, file) => {
  const vkey = join(packageRoot, 'samples/merkle/verification_key.json');
  const proof = join(folder, 'proof.json');
  const signals = join(folder, 'public.json');
  writeFileSync(signals, '["1"]');
  const [g1, g2] = [
    ['1', '1', '1'],
    [
      ['1', '1'],
      ['1', '1'],
      ['1', '0'],
    ],
  ];
  writeFileSync(proof, JSON.stringify({ protocol: 'groth16', curve: 'bn128', pi_a: g1, pi_b: g2, pi_c: g1 }));
  const refusing = { verify: () => Promise.reject(Object.assign(new Error('refused'), { code })) };
  const context = { signal: new AbortController().signal, prover: async () => refusing } as unknown as Context;
  await expect(verify(context, vkey, signals, proof)).rejects.toMatchObject({ code, file: expect.stringMatching(`${file}$`) });
});
