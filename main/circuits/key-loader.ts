// How the engine comes by keys: first what they will take in memory, then the key itself. What is costly to find out is found out once per
// content: its points are checked, and its coefficients counted.
import { CuzkError } from '../contract/errors.ts';
import type { KeyFile, KeyLoader } from '../prover/keys.ts';
import type { CallOptions, LoadedCircuit, Prover } from '../prover/prover.ts';
import { CheckedKeys, identify } from './checked-keys.ts';
import { type OpenCircuit, openCircuit } from './open-circuit.ts';

export interface FileKeysOptions {
  memory?: CheckedKeys;
  /** Told of each key that was loaded. */
  onOpen?: (key: KeyFile, opened: OpenCircuit) => void;
}

export class FileKeys implements KeyLoader {
  readonly #prover: Pick<Prover, 'sizesOf' | 'loadCircuit'>;
  readonly #memory: CheckedKeys;
  readonly #onOpen: FileKeysOptions['onOpen'];
  /** The newest look at each path: an unchanged file is not read again. */
  readonly #known = new Map<string, KeyFile>();

  constructor(prover: Pick<Prover, 'sizesOf' | 'loadCircuit'>, { memory = new CheckedKeys(), onOpen }: FileKeysOptions = {}) {
    this.#prover = prover;
    this.#memory = memory;
    this.#onOpen = onOpen;
  }

  async look(path: string, options: CallOptions = {}): Promise<KeyFile> {
    const { identity } = await identify(path);
    const known = this.#known.get(path);
    if (known?.identity === identity) return known;
    const distinctCoefficients = await this.#memory.distinctCoefficientsOf(identity);
    const key = { path, identity, sizes: await this.#prover.sizesOf(path, { ...options, distinctCoefficients }) };
    this.#known.set(path, key);
    return key;
  }

  async load(key: KeyFile, device: string, options: CallOptions = {}): Promise<LoadedCircuit> {
    if ((await identify(key.path)).identity !== key.identity)
      throw new CuzkError('FileChanged', 'the key was changed after the job was submitted', {
        file: key.path,
        remedy: 'submit the job again',
      });
    // Whether an insecure key may be used is each job's own question.
    const opened = await openCircuit(this.#prover, key.path, {
      ...options,
      device,
      allowInsecure: true,
      memory: this.#memory,
    });
    this.#onOpen?.(key, opened);
    return opened.circuit;
  }
}
