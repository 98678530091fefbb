// cuzk resume: what a job that did not end well still lacks, proved as a new job that keeps the proofs that there are.
import { join } from 'node:path';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { writeWholeAll } from '../../circuits/write-whole.ts';
import { resumable } from '../../history/resume.ts';
import type { Context } from '../context.ts';
import { formatDuration, plural } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';
import { runJob } from '../run-job.ts';

export interface ResumeOptions {
  output?: string;
  memory?: number;
}

export async function resume(context: Context, job: string, { output: folder, memory }: ResumeOptions): Promise<number> {
  const startedAt = performance.now();
  const { id, request, restored } = await withHistory(context, ({ db }) => {
    const named = jobNamed(db, job);
    return { id: named, ...resumable(db, named) };
  });
  const sources = request.partitions.map((one) => ('witness' in one ? one.witness : one.input));
  const { output } = context;
  const missing = sources.length - restored.size;
  output.result(
    { event: 'resuming', job: id, partitions: sources.length, missing },
    `${id}: ${plural(restored.size, 'proof')} there, ${missing} to prove`,
  );
  const ended = await runJob(context, request, { sources, memory, retryOf: id, restored, historyRequired: true });
  if (folder !== undefined) {
    for (const [i, { proof, publicSignals }] of ended.proofs.entries())
      await writeWholeAll([
        [join(folder, String(i), 'proof.json'), snarkjsText(proof)],
        [join(folder, String(i), 'public.json'), snarkjsText(publicSignals)],
      ]);
  }
  const ms = Math.round(performance.now() - startedAt);
  const where = folder === undefined ? `cuzk export ${ended.job} --proofs DIR writes them` : `written to ${folder}`;
  output.result(
    { event: 'done', job: ended.job, proofs: sources.length, ms },
    `${plural(sources.length, 'proof')}, all verified, as job ${ended.job}, in ${formatDuration(ms)}; ${where}`,
  );
  return 0;
}
