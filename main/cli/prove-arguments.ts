// The key among the words of `cuzk prove`: --input takes every word that follows it, so a key written last stands among the inputs.
import { join } from 'node:path';
import type { Mode } from '../contract/events.ts';
import { UsageError } from './context.ts';

const isKey = (file: string) => file.toLowerCase().endsWith('.zkey');

/** The key and the inputs that are meant. A key that was given stays; a missing one is the only `.zkey` among the inputs. */
export function withKey(zkey: string | undefined, { input }: { input?: string[] }): { zkey: string; input: string[] | undefined } {
  if (zkey !== undefined) return { zkey, input };
  const [key, second] = input?.filter(isKey) ?? [];
  if (key !== undefined && second === undefined) return { zkey: key, input: input?.filter((file) => file !== key) };
  if (input === undefined) throw new UsageError("missing required argument 'circuit.zkey'");
  throw new UsageError(
    `the key is missing, and all that follow --input are inputs (${input.join(', ')}): ` +
      'name the key first, as in cuzk prove <circuit.zkey> --wasm <circuit.wasm> --input <input.json>...',
  );
}

export interface ProveOptions {
  output?: string;
  wasm?: string;
  input?: string[];
  r1cs?: string;
  sym?: string | undefined;
  timeout?: number;
  allowInsecureKey?: boolean;
  mode?: Mode;
  device?: string;
  /** Whether the job is recorded; it is unless this is false. */
  history?: boolean;
  /** Bytes. */
  memory?: number;
}

export interface ProvePartition {
  /** The file that its witness is, or is computed from. */
  source: string;
  proofFile: string;
  publicFile: string;
}

/** What the positional arguments and options ask for, as a list of partitions. Throws UsageError. */
export function partitionsOf(files: string[], { wasm, input, output }: ProveOptions): ProvePartition[] {
  if (wasm === undefined && input !== undefined)
    throw new UsageError('--input needs --wasm, the circuit that computes the witness');
  if (wasm !== undefined && !input?.length) throw new UsageError('--wasm needs --input, one or more files of input signals');
  if (wasm !== undefined && files.length > 0)
    throw new UsageError(`with --wasm the witness is computed: ${files[0]} is one too many`);
  if (wasm === undefined && files.length === 0) throw new UsageError('name a witness (.wtns), or give --wasm and --input');

  const isJson = (file: string | undefined) => file?.toLowerCase().endsWith('.json') ?? false;
  const [witness, proofFile, publicFile] = files;
  if (files.length === 3 && witness && !isJson(witness) && proofFile && publicFile && isJson(proofFile) && isJson(publicFile)) {
    if (output !== undefined) throw new UsageError(`-o and ${proofFile} both say where the proof goes: give one of them`);
    return [{ source: witness, proofFile, publicFile }];
  }
  const json = files.find(isJson);
  if (json) throw new UsageError(`${json} is no witness: inputs are given with --wasm circuit.wasm --input ${json}`);

  const sources = wasm === undefined ? files : (input ?? []);
  const folder = output ?? '.';
  return sources.map((source, i) => {
    const to = sources.length === 1 ? folder : join(folder, String(i));
    return { source, proofFile: join(to, 'proof.json'), publicFile: join(to, 'public.json') };
  });
}
