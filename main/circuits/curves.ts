// The two curves' numbers, and what other tools call them.
import type { CurveName } from '../prover/prover.ts';

export interface CurveNumbers {
  /** Modulus of the base field. */
  p: bigint;
  /** Modulus of the scalar field. */
  r: bigint;
  snarkjsName: 'bn128' | 'bls12381';
}

export const curves: Record<CurveName, CurveNumbers> = {
  bn254: {
    p: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
    r: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
    snarkjsName: 'bn128',
  },
  'bls12-381': {
    p: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
    r: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
    snarkjsName: 'bls12381',
  },
};

/** Our name of a curve by any name that is in use for it (snarkjs's getCurveFromName knows the same), or undefined. */
export function curveByAnyName(name: unknown): CurveName | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (['bn128', 'bn254', 'altbn128'].includes(plain)) return 'bn254';
  return plain === 'bls12381' ? 'bls12-381' : undefined;
}
