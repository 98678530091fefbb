// cuzk export, import: jobs as files.
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { readJson } from '../../circuits/json-files.ts';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { writeWhole } from '../../circuits/write-whole.ts';
import { CuzkError } from '../../contract/errors.ts';
import { compressProof } from '../../history/export/compress.ts';
import { exportJob, importJob } from '../../history/export/job-json.ts';
import { proofsOf } from '../../history/export/proofs.ts';
import { traceOf } from '../../history/export/trace.ts';
import { eventsOfRun, replayOf } from '../../history/replay.ts';
import { detailsOf } from '../../history/summaries.ts';
import { numberOf } from '../../history/upkeep.ts';
import { type Context, UsageError } from '../context.ts';
import { plural } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';

export interface ExportOptions {
  proofs?: string;
  trace?: string;
  json?: string;
}

export async function exportFiles(context: Context, text: string, { proofs, trace, json }: ExportOptions): Promise<number> {
  if (proofs === undefined && trace === undefined && json === undefined)
    throw new UsageError('say what is to be written: --proofs PATH, --trace FILE or --json FILE');
  return await withHistory(context, async ({ db }) => {
    const id = jobNamed(db, text);
    const { output } = context;
    if (proofs !== undefined) output.result({ event: 'exported', job: id, proofs }, await writeProofs(db, id, proofs));
    if (trace !== undefined) {
      await writeWhole(trace, JSON.stringify(traceFor(db, id)));
      output.result({ event: 'exported', job: id, trace }, `${trace}: the timeline of ${id}; open it on https://ui.perfetto.dev`);
    }
    if (json !== undefined) {
      await writeWhole(json, `${JSON.stringify({ ...exportJob(db, id), machine: hostname() }, null, 1)}\n`);
      output.result({ event: 'exported', job: id, json }, `${json}: the job ${id}; cuzk import reads it on another machine`);
    }
    return 0;
  });
}

function traceFor(db: Database, id: string) {
  const { kind, circuit, submittedMs, devices, app, attempts: _, ...rest } = detailsOf(db, id);
  const job = numberOf(db, id);
  const run = db.prepare('SELECT run FROM jobs WHERE job = ?').pluck().get(job) as number | null;
  const replay = replayOf(db, job);
  const resources = run === null ? [] : eventsOfRun(db, run, 'resources', 0, replay.at(-1)?.seq ?? 0);
  const submitted = new Date(submittedMs).toISOString();
  return traceOf(id, replay, resources, { job: id, state: rest.state, kind, circuit, submitted, devices: devices.join(', '), app });
}

/** As snarkjs files in a folder, laid out as `cuzk prove` does; or as one file of compressed proofs. Returns what was written, in words. */
async function writeProofs(db: Database, id: string, path: string): Promise<string> {
  const { partitions } = detailsOf(db, id);
  const proofs = proofsOf(db, numberOf(db, id));
  const isFile = path.toLowerCase().endsWith('.bin');
  // In one file a proof is found by its place: none may be missing.
  if (proofs.length === 0 || (isFile && proofs.length < partitions))
    throw new CuzkError('ProofMissing', `the job ${id} has ${proofs.length} of ${plural(partitions, 'proof')}`, {
      remedy: proofs.length === 0 ? 'prove it again' : 'resume it, or export the proofs that there are to a folder',
    });
  if (isFile) {
    await writeWhole(path, Buffer.concat(proofs.map(({ proof }) => compressProof(proof))));
    return `${path}: ${plural(proofs.length, 'compressed proof')}, 192 bytes each`;
  }
  for (const { partition, proof, publicSignals } of proofs) {
    const folder = partitions === 1 ? path : join(path, `${partition}`);
    await writeWhole(join(folder, 'proof.json'), snarkjsText(proof));
    await writeWhole(join(folder, 'public.json'), snarkjsText(publicSignals));
  }
  return `${path}: ${plural(proofs.length, 'proof')} with public signals`;
}

export async function importFile(context: Context, file: string): Promise<number> {
  const exported = await readJson(file, 'job that cuzk exported');
  const { machine } = (exported ?? {}) as { machine?: unknown };
  return await withHistory(
    context,
    ({ db, write }) => {
      const id = write(() => importJob(db, exported, typeof machine === 'string' ? machine : basename(file)));
      context.output.result({ event: 'imported', job: id }, `imported the job ${id}: cuzk show ${id}`);
      return 0;
    },
    { create: true },
  );
}
