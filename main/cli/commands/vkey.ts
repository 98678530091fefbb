// cuzk vkey: the verification key that a proving key carries.
import { curveByAnyName } from '../../circuits/curves.ts';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { writeWhole } from '../../circuits/write-whole.ts';
import type { Context } from '../context.ts';
import { plural, printable } from '../format.ts';
import { refuseOverwriting } from '../overwriting.ts';

export async function vkey(
  { output, signal, prover }: Context,
  zkey: string,
  { output: file }: { output?: string },
): Promise<number> {
  if (file !== undefined) refuseOverwriting([zkey], [file]);
  const key = await (await prover()).exportVkey(zkey, { signal });
  if (file === undefined) {
    output.raw({ event: 'vkey', zkey, vkey: key }, snarkjsText(key));
    return 0;
  }
  await writeWhole(file, snarkjsText(key));
  output.result(
    { event: 'vkey', zkey, file },
    `${printable(file)}: ${curveByAnyName(key.curve)}, ${plural(key.nPublic, 'public signal')}`,
  );
  return 0;
}
