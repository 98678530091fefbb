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
  /** Asks for the sizes. Rejects as the prover does for what is no key. */
  look(path: string, options?: CallOptions): Promise<KeyFile>;
  /** Loads the key onto a device, also an insecure one. Rejects with `FileChanged` when the content is not the one that was looked at. */
  load(key: KeyFile, device: string, options?: CallOptions): Promise<LoadedCircuit>;
}

/**
 * Refuses a key that no contribution was made to, in the words of native/groth16/key_check.cpp. One that a person made with `cuzk setup` is
 * what that person asked for.
 */
export function requireSecure(
  { insecure, uncontributedAt }: Pick<CircuitInfo, 'insecure' | 'uncontributedAt'>,
  allowed: boolean,
  file: string,
): void {
  if (uncontributedAt === null || allowed) return;
  throw new CuzkError('KeyInsecure', insecure ?? '', {
    file,
    offset: uncontributedAt,
    remedy: 'make a contribution (snarkjs zkey contribute), or pass --allow-insecure-key for a test',
  });
}
