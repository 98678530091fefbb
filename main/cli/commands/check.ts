// cuzk check: whether a witness satisfies every constraint of a circuit, and if not, which one fails.
import { signalName } from '../../circuits/witness-check.ts';
import type { Progress } from '../../prover/prover.ts';
import type { Context } from '../context.ts';
import { printable } from '../format.ts';
import { refuseUnreadable } from '../named-files.ts';
import { phaseNames } from '../progress-model.ts';

export async function check(context: Context, r1cs: string, witness: string, sym: string | undefined): Promise<number> {
  const { output, signal } = context;
  await refuseUnreadable([r1cs, witness, sym]);
  const prover = await context.prover();
  const onProgress = ({ phase, done, total }: Progress) => output.progress(phase, phaseNames[phase], total > 0 ? done / total : 0);
  const result = await prover.checkWitness({ r1cs, witness, sym }, { signal, onProgress });
  if (result.ok) {
    output.result({ event: 'checked', ok: true, r1cs, witness }, 'OK: the witness satisfies every constraint');
    return 0;
  }
  const { constraint, signals, a, b, c } = result;
  const lines = [
    `INVALID: the witness does not satisfy constraint ${constraint}: A * B is not C`,
    ...Object.entries({ A: a, B: b, C: c }).map(([name, value]) => `  ${name} = ${value}`),
    'with',
    ...signals.filter(({ index }) => index !== 0).map((signal) => `  ${printable(signalName(signal))} = ${signal.value}`),
  ];
  output.result({ event: 'checked', r1cs, witness, ...result }, lines.join('\n'));
  return 1;
}
