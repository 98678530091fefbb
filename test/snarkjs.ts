// snarkjs in this process, on one thread, as far as the tests use it (the package has no types).
import { afterAll } from 'vitest';
import { ffCurve } from './oracle/ffjavascript.ts';

interface Groth16 {
  prove(zkey: string, witness: string): Promise<{ proof: object; publicSignals: string[] }>;
  verify(vkey: object, publicSignals: string[], proof: object): Promise<boolean>;
}

/** snarkjs's groth16, with curves that start no worker threads. */
export async function groth16(): Promise<Groth16> {
  const shared = globalThis as Record<string, unknown>;
  shared.curve_bn128 ??= await ffCurve('bn254');
  shared.curve_bls12381 ??= await ffCurve('bls12-381');
  const module = (await import('snarkjs' as string)) as { groth16: Groth16 };
  return module.groth16;
}

afterAll(async () => {
  const shared = globalThis as { curve_bn128?: { terminate(): Promise<void> }; curve_bls12381?: { terminate(): Promise<void> } };
  await shared.curve_bn128?.terminate();
  await shared.curve_bls12381?.terminate();
});
