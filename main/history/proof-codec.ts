// A proof and its public signals as they are stored: the affine coordinates as big-endian numbers of the field's size, one after the other. A
// third of snarkjs's text, and read without a square root, which compressed points would take.
import { curveByAnyName } from '../circuits/curves.ts';
import type { CurveName, G1Json, G2Json, ProofJson, ProofResult } from '../prover/prover.ts';

export interface StoredProof {
  format: number;
  proof: Uint8Array;
  public: Uint8Array;
}

/** Format 0 is JSON, for what the others cannot hold; their numbers are never used for anything else. */
const formats: Record<CurveName, { format: number; bytes: number; snarkjsName: ProofJson['curve'] }> = {
  bn254: { format: 1, bytes: 32, snarkjsName: 'bn128' },
  'bls12-381': { format: 2, bytes: 48, snarkjsName: 'bls12381' },
};
/** Scalars of both curves. */
const signalBytes = 32;

const isNumber = (text: unknown): text is string => typeof text === 'string' && /^(0|[1-9]\d*)$/.test(text);

/** Numbers of that size each, or undefined where one does not fit. */
function encodeNumbers(numbers: unknown[], bytes: number): Uint8Array | undefined {
  const parts: string[] = [];
  for (const text of numbers) {
    if (!isNumber(text)) return undefined;
    const hex = BigInt(text).toString(16);
    if (hex.length > 2 * bytes) return undefined;
    parts.push(hex.padStart(2 * bytes, '0'));
  }
  return Buffer.from(parts.join(''), 'hex');
}

function decodeNumbers(encoded: Uint8Array, bytes: number): string[] {
  const hex = Buffer.from(encoded).toString('hex');
  const numbers: string[] = [];
  for (let at = 0; at < hex.length; at += 2 * bytes) numbers.push(BigInt(`0x${hex.slice(at, at + 2 * bytes)}`).toString());
  return numbers;
}

export function encodeProof({ proof, publicSignals }: Pick<ProofResult, 'proof' | 'publicSignals'>): StoredProof {
  const curve = curveByAnyName(proof.curve);
  if (curve && isAffine(proof)) {
    const { format, bytes } = formats[curve];
    const { pi_a: a, pi_b: b, pi_c: c } = proof;
    const numbers = encodeNumbers([a[0], a[1], ...b[0], ...b[1], c[0], c[1]], bytes);
    const signals = encodeNumbers(publicSignals, signalBytes);
    if (numbers && signals) return { format, proof: numbers, public: signals };
  }
  const text = (value: unknown) => Buffer.from(JSON.stringify(value), 'utf8');
  return { format: 0, proof: text(proof), public: text(publicSignals) };
}

/** Whether the last coordinates are those of affine points, which then need not be stored. */
const isAffine = ({ protocol, pi_a: a, pi_b: b, pi_c: c }: ProofJson) =>
  protocol === 'groth16' && a[2] === '1' && c[2] === '1' && b[2][0] === '1' && b[2][1] === '0';

/** The proof as snarkjs writes it. */
export function decodeProof(stored: StoredProof): Pick<ProofResult, 'proof' | 'publicSignals'> {
  const known = Object.values(formats).find(({ format }) => format === stored.format);
  if (!known) {
    const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString('utf8'));
    return { proof: parse(stored.proof), publicSignals: parse(stored.public) };
  }
  const n = decodeNumbers(stored.proof, known.bytes);
  const proof: ProofJson = {
    pi_a: [...n.slice(0, 2), '1'] as G1Json,
    pi_b: [n.slice(2, 4), n.slice(4, 6), ['1', '0']] as G2Json,
    pi_c: [...n.slice(6, 8), '1'] as G1Json,
    protocol: 'groth16',
    curve: known.snarkjsName,
  };
  return { proof, publicSignals: decodeNumbers(stored.public, signalBytes) };
}
