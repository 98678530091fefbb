// How the engine comes by keys: sizes from the header, then the key itself, its points checked once per content.
import { CuzkError } from '../contract/errors.ts';
import type { KeyFile, KeyLoader } from '../prover/keys.ts';
import type { CallOptions, LoadedCircuit, Prover } from '../prover/prover.ts';
import { type CheckedKeys, identify } from './checked-keys.ts';
import { type OpenCircuit, openCircuit } from './open-circuit.ts';

export interface FileKeysOptions {
  memory?: CheckedKeys;
  /** Told of each key that was loaded. */
  onOpen?: (key: KeyFile, opened: OpenCircuit) => void;
}

export class FileKeys implements KeyLoader {
  readonly #prover: Pick<Prover, 'sizesOf' | 'loadCircuit'>;
  readonly #options: FileKeysOptions;
  /** The newest look at each path: the header of an unchanged file is not read again. */
  readonly #known = new Map<string, KeyFile>();

  constructor(prover: Pick<Prover, 'sizesOf' | 'loadCircuit'>, options: FileKeysOptions = {}) {
    this.#prover = prover;
    this.#options = options;
  }

  async look(path: string, options: CallOptions = {}): Promise<KeyFile> {
    const { identity } = await identify(path);
    const known = this.#known.get(path);
    if (known?.identity === identity) return known;
    const key = { path, identity, sizes: await this.#prover.sizesOf(path, options) };
    this.#known.set(path, key);
    return key;
  }

  async load(key: KeyFile, device: string, options: CallOptions = {}): Promise<LoadedCircuit> {
    const { memory, onOpen } = this.#options;
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
      ...(memory ? { memory } : {}),
    });
    onOpen?.(key, opened);
    return opened.circuit;
  }
}
