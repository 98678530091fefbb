// cuzk setup: a proving key for development, quickly, with secrets that are known.
import type { Progress } from '../../prover/prover.ts';
import { type Context, UsageError } from '../context.ts';
import { formatDuration, printable } from '../format.ts';
import { refuseOverwriting } from '../overwriting.ts';
import { phaseNames } from '../progress-model.ts';

export async function setup(context: Context, r1cs: string, options: { output: string; insecure?: boolean }): Promise<number> {
  if (!options.insecure) {
    throw new UsageError(
      'this makes a key for development only: whoever made it can forge proofs. Say --insecure to make it, ' +
        'or take part in a ceremony (snarkjs powersoftau, snarkjs zkey) for a key to rely on',
    );
  }
  refuseOverwriting([r1cs], [options.output]);
  const startedAt = performance.now();
  const onProgress = (report: Progress) => {
    context.output.progress(report.phase, phaseNames[report.phase], report.total > 0 ? report.done / report.total : 0);
  };
  const out = options.output;
  const facts = await (await context.prover()).setup({ r1cs, out }, { signal: context.signal, onProgress });
  const ms = Math.round(performance.now() - startedAt);
  context.output.result(
    { event: 'setup', r1cs, zkey: out, insecure: true, ms, ...facts },
    `${printable(out)}: made in ${formatDuration(ms)}\nINSECURE: the secrets of this key are known, so anyone can forge proofs with it. For development only.`,
  );
  return 0;
}
