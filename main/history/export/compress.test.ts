import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, it } from 'vitest';
import type { G1Json, G2Json, ProofJson } from '../../prover/prover.ts';
import { compressG1, compressG2, compressProof } from './compress.ts';

const { G1, G2 } = bls12_381;
const scalars = [
  1n,
  2n,
  3n,
  12345678901234567890n,
  bls12_381.fields.Fr.ORDER - 1n,
  bls12_381.fields.Fr.ORDER - 2n,
  ...Array.from({ length: 20 }, (_, i) => BigInt(i) ** 9n + 7n),
];
const g1 = (k: bigint): G1Json => {
  const { x, y } = G1.Point.BASE.multiply(k).toAffine();
  return [`${x}`, `${y}`, '1'];
};
const g2 = (k: bigint): G2Json => {
  const { x, y } = G2.Point.BASE.multiply(k).toAffine();
  return [
    [`${x.c0}`, `${x.c1}`],
    [`${y.c0}`, `${y.c1}`],
    ['1', '0'],
  ];
};

it('points are compressed as noble-curves does it, with either sign', () => {
  for (const k of scalars) {
    expect(Buffer.from(compressG1(g1(k))).toString('hex')).toBe(G1.Point.BASE.multiply(k).toHex(true));
    expect(Buffer.from(compressG2(g2(k))).toString('hex')).toBe(G2.Point.BASE.multiply(k).toHex(true));
  }
});

it('the points at infinity are compressed as noble-curves does it', () => {
  expect(Buffer.from(compressG1(['0', '1', '0'])).toString('hex')).toBe(G1.Point.ZERO.toHex(true));
  expect(
    Buffer.from(
      compressG2([
        ['0', '0'],
        ['1', '0'],
        ['0', '0'],
      ]),
    ).toString('hex'),
  ).toBe(G2.Point.ZERO.toHex(true));
});

it('a proof is 192 bytes, from which its points are read back; one of another curve is refused', () => {
  const proof: ProofJson = { pi_a: g1(5n), pi_b: g2(6n), pi_c: g1(7n), protocol: 'groth16', curve: 'bls12381' };
  const hex = Buffer.from(compressProof(proof)).toString('hex');
  expect(hex).toHaveLength(384);
  expect(G1.Point.fromHex(hex.slice(0, 96)).equals(G1.Point.BASE.multiply(5n))).toBe(true);
  expect(G2.Point.fromHex(hex.slice(96, 288)).equals(G2.Point.BASE.multiply(6n))).toBe(true);
  expect(G1.Point.fromHex(hex.slice(288)).equals(G1.Point.BASE.multiply(7n))).toBe(true);
  expect(() => compressProof({ ...proof, curve: 'bn128' })).toThrow(expect.objectContaining({ code: 'CurveMismatch' }));
});
