// What the engine asks of whoever opens keys: sizes before anything is loaded, then the loaded key.
import { CuzkError } from '../contract/errors.ts';
import type { CallOptions, CircuitInfo, CircuitSizes, LoadedCircuit } from './prover.ts';

/** A key's file as it was when it was looked at. */
export interface KeyFile {
  /** As the person named it. */
  path: string;
  /** Tells this content from what the file held before, or will hold. */
  identity: string;
  sizes: CircuitSizes;
}

export interface KeyLoader {
  /** Reads the header. Rejects as the prover does for what is no key. */
  look(path: string, options?: CallOptions): Promise<KeyFile>;
  /** Loads the key onto a device, also an insecure one. Rejects with `FileChanged` when the content is not the one that was looked at. */
  load(key: KeyFile, device: string, options?: CallOptions): Promise<LoadedCircuit>;
}

/** Refuses a key that proofs can be forged against, in the words of native/groth16/key_check.cpp. */
export function requireSecure({ insecure }: Pick<CircuitInfo, 'insecure'>, allowed: boolean, file: string): void {
  if (!insecure || allowed) return;
  throw new CuzkError('KeyInsecure', insecure, {
    file,
    remedy: 'make a contribution (snarkjs zkey contribute), or pass --allow-insecure-key for a test',
  });
}
