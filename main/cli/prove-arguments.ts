// The key among the words of `cuzk prove`: --input takes every word that follows it, so a key written last stands among the inputs.
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
