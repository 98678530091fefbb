// A proof as the arguments of a Solidity verifier's verifyProof(), character for character as `snarkjs zkey export soliditycalldata` prints them.
// An element of Fp2 is c1, then c0, as the precompile of EIP-197 reads it.
import type { KeptProof } from './proofs.ts';

const word = (number: string) => `"0x${BigInt(number).toString(16).padStart(64, '0')}"`;
const pair = ([a, b]: readonly string[]) => `[${word(a!)}, ${word(b!)}]`;
const element = ([c0, c1]: readonly string[]) => pair([c1!, c0!]);

/** Of a bn254 proof. */
export function calldataOf({ proof: { pi_a: a, pi_b: b, pi_c: c }, publicSignals }: Omit<KeptProof, 'partition'>): string {
  return `${pair(a)},[${element(b[0])},${element(b[1])}],${pair(c)},[${publicSignals.map(word).join(',')}]`;
}
