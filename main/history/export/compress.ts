// bls12-381 points as 48 and 96 bytes: the zcash format, that blst and Filecoin read. The x coordinate, big-endian; of the three highest bits the
// first says "compressed", the second "infinity", the third "y is the larger of the two" (https://www.ietf.org/archive/id/
// draft-irtf-cfrg-pairing-friendly-curves-11.html, appendix C). An element of Fp2 is c1, then c0.
import { curves } from '../../circuits/curves.ts';
import { CuzkError } from '../../contract/errors.ts';
import type { G1Json, G2Json, ProofJson } from '../../prover/prover.ts';

const { p } = curves['bls12-381'];
const flags = { compressed: 0x80, infinity: 0x40, larger: 0x20 };

const isLarger = (y: bigint) => y > (p - 1n) / 2n;

function flagged(numbers: bigint[], infinity: boolean, larger: boolean): Uint8Array {
  const bytes = Buffer.from(numbers.map((number) => number.toString(16).padStart(96, '0')).join(''), 'hex');
  bytes[0]! |= flags.compressed | (infinity ? flags.infinity : 0) | (larger ? flags.larger : 0);
  return bytes;
}

export function compressG1([x, y, z]: G1Json): Uint8Array {
  if (z === '0') return flagged([0n], true, false);
  return flagged([BigInt(x)], false, isLarger(BigInt(y)));
}

export function compressG2([[x0, x1], [y0, y1], [z0]]: G2Json): Uint8Array {
  if (z0 === '0') return flagged([0n, 0n], true, false);
  const [c0, c1] = [BigInt(y0), BigInt(y1)];
  return flagged([BigInt(x1), BigInt(x0)], false, c1 === 0n ? isLarger(c0) : isLarger(c1));
}

/** A, B, C: 192 bytes. Throws `CurveMismatch` for a proof of another curve. */
export function compressProof(proof: ProofJson): Uint8Array {
  if (proof.curve !== 'bls12381')
    throw new CuzkError('CurveMismatch', `compressed proofs are of bls12-381, and this one is of ${proof.curve}`, {
      remedy: 'export to a folder, as snarkjs files',
    });
  return Buffer.concat([compressG1(proof.pi_a), compressG2(proof.pi_b), compressG1(proof.pi_c)]);
}
