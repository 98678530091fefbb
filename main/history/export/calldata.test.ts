import { expect, it } from 'vitest';
import type { ProofJson } from '../../prover/prover.ts';
import { calldataOf } from './calldata.ts';

/** The part of snarkjs that is needed; the package has no types. */
interface Snarkjs {
  groth16: { exportSolidityCallData(proof: ProofJson, publicSignals: string[]): Promise<string> };
}

const proofOf = (n: bigint[]): ProofJson => {
  const [a0, a1, b00, b01, b10, b11, c0, c1] = n.map(String) as [string, string, string, string, string, string, string, string];
  return {
    pi_a: [a0, a1, '1'],
    pi_b: [
      [b00, b01],
      [b10, b11],
      ['1', '0'],
    ],
    pi_c: [c0, c1, '1'],
    protocol: 'groth16',
    curve: 'bn128',
  };
};

it('calldata is what snarkjs prints, with any number of public signals and for numbers of any length', async () => {
  const { groth16 } = (await import('snarkjs' as string)) as Snarkjs;
  const p = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
  const proofs = [
    proofOf([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]),
    proofOf([0n, p - 1n, 1n << 252n, 0xfn, (1n << 128n) - 1n, p - 2n, 10n ** 40n, 16n]),
  ];
  for (const proof of proofs) {
    for (const publicSignals of [[], ['0'], ['1', '255', String(p / 3n)]]) {
      expect(calldataOf({ proof, publicSignals })).toBe(await groth16.exportSolidityCallData(proof, publicSignals));
    }
  }
});
