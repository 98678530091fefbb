// Opens a circuit for proving: loads its key, with the points' check when this content was never checked before.
import { CuzkError } from '../contract/errors.ts';
import type { CallOptions, LoadedCircuit, Prover } from '../prover/prover.ts';
import { type CheckedKey, CheckedKeys, contentHash, identify } from './checked-keys.ts';

export interface OpenOptions extends CallOptions {
  /** Where it is loaded to; the CPU if it is left out. */
  device?: string;
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
export async function openCircuit(
  prover: Pick<Prover, 'loadCircuit'>,
  zkey: string,
  options: OpenOptions = {},
): Promise<OpenCircuit> {
  const { device = 'cpu', allowInsecure = false, memory = new CheckedKeys(), ...callOptions } = options;
  const { identity, settled, bytes } = await identify(zkey);
  const rememberedHash = await memory.hashOf(identity);
  const load = (checkPoints: boolean) => prover.loadCircuit(zkey, device, { ...callOptions, checkPoints, allowInsecure });

  let circuit: LoadedCircuit;
  let hash: string;
  let remembered: CheckedKey | undefined;
  if (rememberedHash === undefined && !(await memory.hasSize(bytes))) {
    // Certainly a key that was never checked: it is hashed while it is checked.
    [circuit, hash] = await loadAndHash(() => load(true), zkey, callOptions.signal);
  } else {
    const { signal, onProgress } = callOptions;
    const onBytes = onProgress && ((done: number, total: number) => onProgress({ phase: 'load', done, total }));
    hash = rememberedHash ?? (await contentHash(zkey, { signal, onBytes }));
    remembered = await memory.find(hash);
    circuit = await load(!remembered);
  }
  try {
    if ((await identify(zkey)).identity !== identity) {
      throw new CuzkError('FileChanged', 'the key was changed while it was being read', {
        file: zkey,
        remedy: 'run again when nothing writes to it',
      });
    }
    const { insecure, distinctCoefficients } = circuit.info;
    const known = remembered && remembered.distinctCoefficients === distinctCoefficients;
    if (!known || (!rememberedHash && settled)) {
      await memory.remember(hash, { insecure, bytes, distinctCoefficients }, settled ? identity : undefined);
    }
    return { circuit, checkedNow: !remembered };
  } catch (problem) {
    circuit.release();
    throw problem;
  }
}

/** Both at once; when one fails the other is stopped or released. */
async function loadAndHash(
  load: () => Promise<LoadedCircuit>,
  zkey: string,
  signal: AbortSignal | undefined,
): Promise<[LoadedCircuit, string]> {
  const stop = new AbortController();
  const hashing = contentHash(zkey, { signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal });
  // Awaited below; until then a failure must not count as unhandled.
  hashing.catch(() => {});
  let circuit: LoadedCircuit;
  try {
    circuit = await load();
  } catch (problem) {
    stop.abort();
    await hashing.catch(() => {});
    throw problem;
  }
  try {
    return [circuit, await hashing];
  } catch (problem) {
    circuit.release();
    throw problem;
  }
}
