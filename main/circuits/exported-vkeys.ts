// The verification keys of proving keys, read once for each state of a file.
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import type { Prover, VerificationKeyJson } from '../prover/prover.ts';
import { identify } from './checked-keys.ts';

/** As many are remembered; the one that was remembered first goes first. */
const mostKeys = 64;

export class ExportedVkeys {
  readonly #prover: Pick<Prover, 'exportVkey'>;
  readonly #known = new Map<string, Promise<VerificationKeyJson>>();

  constructor(prover: Pick<Prover, 'exportVkey'>) {
    this.#prover = prover;
  }

  /** Rejects with `FileNotFound` when the proving key is gone, and with what the prover has against it. */
  async of(zkey: string): Promise<VerificationKeyJson> {
    const { identity, settled } = await identify(zkey).catch((problem) => {
      const refusal = asCuzkError(problem, zkey);
      if (refusal.code !== 'FileNotFound') throw refusal;
      throw new CuzkError('FileNotFound', 'the key that it was proved with is not there any more', {
        file: zkey,
        remedy: 'put it back, or export the proof and use `cuzk verify` with its verification_key.json',
        cause: problem,
      });
    });
    // A file that changed just now might change again without a visible change of its identity.
    if (!settled) return await this.#prover.exportVkey(zkey);
    const known = this.#known.get(identity);
    if (known) return await known;
    const exporting = this.#prover.exportVkey(zkey);
    this.#known.set(identity, exporting);
    for (const oldest of [...this.#known.keys()].slice(0, -mostKeys)) this.#known.delete(oldest);
    exporting.catch(() => this.#known.delete(identity));
    return await exporting;
  }
}
