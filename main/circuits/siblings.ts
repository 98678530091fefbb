// A circuit's other files, as circom and snarkjs name them: same folder, same stem.
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * The file of the same stem with another extension beside `file`, if there is one. snarkjs numbers its keys (`circuit_0001.zkey`,
 * `circuit_final.zkey`), and circom puts the .wasm into `circuit_js/`: the number is left off, and the folder above is looked at.
 */
export function beside(file: string, extension: '.r1cs' | '.sym'): string | undefined {
  const folder = dirname(file);
  const stem = basename(file, extname(file));
  const bare = stem.replace(/_(\d+|final)$/, '');
  const places = [join(folder, stem + extension), join(folder, bare + extension)];
  if (basename(folder) === `${stem}_js`) places.push(join(dirname(folder), stem + extension));
  return places.find((place) => existsSync(place));
}
