// cuzk prove: one key, one or more witnesses (or inputs), as many proofs, written as they come.
import { beside } from '../../circuits/siblings.ts';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { writeWholeAll } from '../../circuits/write-whole.ts';
import type { JobRequest } from '../../contract/commands.ts';
import type { ProofResult } from '../../prover/prover.ts';
import type { Context } from '../context.ts';
import { formatDuration } from '../format.ts';
import { refuseUnreadable } from '../named-files.ts';
import { refuseOverwriting } from '../overwriting.ts';
import { type ProveOptions, type ProvePartition, partitionsOf } from '../prove-arguments.ts';
import { runJob } from '../run-job.ts';

export async function prove(context: Context, zkey: string, files: string[], options: ProveOptions): Promise<number> {
  const partitions = partitionsOf(files, options);
  const startedAt = performance.now();
  const { output } = context;
  const { wasm, r1cs, sym, memory, history } = options;
  const sources = partitions.map(({ source }) => source);
  const shownSym = sym ?? beside(zkey, '.sym') ?? (wasm && beside(wasm, '.sym'));
  refuseOverwriting(
    [zkey, wasm, r1cs ?? beside(zkey, '.r1cs'), shownSym, ...sources],
    partitions.flatMap(({ proofFile, publicFile }) => [proofFile, publicFile]),
  );
  // A wrong path is told before a large key is loaded.
  await refuseUnreadable([zkey, wasm, ...sources, r1cs, sym]);

  const { job } = await runJob(context, requestOf(zkey, partitions, options), {
    sources,
    memory,
    history,
    files: {
      keep: (_, partition, proof) => writeFiles(partitions[partition]!, proof),
      written: (partition) => [partitions[partition]!.proofFile, partitions[partition]!.publicFile],
    },
  });
  const ms = Math.round(performance.now() - startedAt);
  const done = { event: 'done', job, proofs: partitions.length, ms };
  if (partitions.length > 1) output.result(done, `${partitions.length} proofs, all verified, in ${formatDuration(ms)}`);
  else output.result(done, `verified; ${formatDuration(ms)} in all`);
  return 0;
}

function requestOf(zkey: string, partitions: ProvePartition[], options: ProveOptions): JobRequest {
  const { wasm, r1cs, sym, timeout, allowInsecureKey, mode, device } = options;
  return {
    circuit: { zkey, ...(wasm ? { wasm } : {}), ...(r1cs ? { r1cs } : {}), ...(sym ? { sym } : {}) },
    partitions: partitions.map(({ source }) => (wasm === undefined ? { witness: source } : { input: source })),
    ...(timeout === undefined ? {} : { witnessTimeoutMs: timeout * 1000 }),
    ...(allowInsecureKey ? { allowInsecureKey } : {}),
    ...(mode ? { mode } : {}),
    ...(device ? { device } : {}),
  };
}

/** A partition is done when its files are written: what cannot be written fails it. */
async function writeFiles({ proofFile, publicFile }: ProvePartition, { proof, publicSignals }: ProofResult): Promise<void> {
  await writeWholeAll([
    [proofFile, snarkjsText(proof)],
    [publicFile, snarkjsText(publicSignals)],
  ]);
}
