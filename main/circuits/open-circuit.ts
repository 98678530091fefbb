// Opens a circuit for proving: loads its key, with the points' check when this content was never checked before.
import { CuzkError } from '../contract/errors.ts';
import type { CallOptions, LoadedCircuit, Prover } from '../prover/prover.ts';
import { CheckedKeys, contentHash, identify } from './checked-keys.ts';

export interface OpenOptions extends CallOptions {
  allowInsecure?: boolean;
  memory?: CheckedKeys;
}

export interface OpenCircuit {
  circuit: LoadedCircuit;
  /** Whether the points were checked just now; false when the check was remembered. */
  checkedNow: boolean;
}

/**
 * Loads `zkey`. Rejects as Prover.loadCircuit does, and with `FileChanged` when the file was changed while it was being read: then
 * nothing is remembered about it.
 */
export async function openCircuit(prover: Prover, zkey: string, options: OpenOptions = {}): Promise<OpenCircuit> {
  const { allowInsecure = false, memory = new CheckedKeys(), ...callOptions } = options;
  const { identity, settled } = await identify(zkey);
  const rememberedHash = await memory.hashOf(identity);
  const { signal, onProgress } = callOptions;
  const onBytes = onProgress && ((done: number, total: number) => onProgress({ phase: 'load', done, total }));
  const hash = rememberedHash ?? (await contentHash(zkey, { signal, onBytes }));
  const remembered = await memory.find(hash);

  const circuit = await prover.loadCircuit(zkey, { ...callOptions, checkPoints: !remembered, allowInsecure });
  try {
    if ((await identify(zkey)).identity !== identity) {
      throw new CuzkError('FileChanged', 'the key was changed while it was being read', {
        file: zkey,
        remedy: 'run again when nothing writes to it',
      });
    }
    if (!remembered || (!rememberedHash && settled)) {
      await memory.remember(hash, { insecure: circuit.info.insecure }, settled ? identity : undefined);
    }
    return { circuit, checkedNow: !remembered };
  } catch (problem) {
    circuit.release();
    throw problem;
  }
}
