import { expect, it } from 'vitest';
import { curves } from '../circuits/curves.ts';
import type { CurveName, ProofJson } from '../prover/prover.ts';
import { decodeProof, encodeProof } from './proof-codec.ts';

function proofOf(curve: CurveName): ProofJson {
  const { p, snarkjsName } = curves[curve];
  const n = (k: number) => (p - BigInt(k)).toString();
  return {
    pi_a: [n(1), '0', '1'],
    pi_b: [
      [n(2), '7'],
      [n(3), n(4)],
      ['1', '0'],
    ],
    pi_c: ['5', n(6), '1'],
    protocol: 'groth16',
    curve: snarkjsName,
  };
}

it.each(['bn254', 'bls12-381'] as const)('a %s proof comes back to the last digit, from two thirds fewer bytes', (curve) => {
  const result = { proof: proofOf(curve), publicSignals: ['0', '1', (curves[curve].r - 1n).toString()] };
  const stored = encodeProof(result);
  expect(stored.proof).toHaveLength(curve === 'bn254' ? 256 : 384);
  expect(stored.public).toHaveLength(96);
  expect(decodeProof(stored)).toEqual(result);
});

it('what is no affine proof of a known curve is kept as it is', () => {
  const infinite = { proof: { ...proofOf('bn254'), pi_a: ['0', '1', '0'] as [string, string, string] }, publicSignals: ['1'] };
  const odd = { proof: { ...proofOf('bn254'), curve: 'other' as never }, publicSignals: ['w0'] };
  const long = { proof: proofOf('bn254'), publicSignals: [(2n ** 256n).toString()] };
  for (const result of [infinite, odd, long, { proof: {} as never, publicSignals: ['w0'] }]) {
    const stored = encodeProof(result);
    expect(stored.format).toBe(0);
    expect(decodeProof(stored)).toEqual(result);
  }
});
