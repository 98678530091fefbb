// A job as files: their names and contents, for whoever writes them.
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { CuzkError } from '../../contract/errors.ts';
import type { HistoryRequest } from '../../contract/history.ts';
import { eventsOfRun, replayOf } from '../replay.ts';
import { detailsOf } from '../summaries.ts';
import { numberOf } from '../upkeep.ts';
import { compressProof } from './compress.ts';
import { exportJob } from './job-json.ts';
import { proofsOf } from './proofs.ts';
import { traceOf } from './trace.ts';

export type ExportedFile = [file: string, content: string | Uint8Array];

/**
 * `to`: a file; for proofs a folder, laid out as `cuzk prove` does, or a file that ends in `.bin`, of compressed proofs. Throws `JobUnknown`, and
 * `ProofMissing` or `CurveMismatch` for proofs that cannot be had so.
 */
export function filesOf(db: Database, id: string, what: HistoryRequest<'exportJob'>['what'], to: string): ExportedFile[] {
  switch (what) {
    case 'proofs':
      return proofFiles(db, id, to);
    case 'trace':
      return [[to, JSON.stringify(traceFor(db, id))]];
    case 'json':
      return [[to, `${JSON.stringify({ ...exportJob(db, id), machine: hostname() }, null, 1)}\n`]];
  }
}

function traceFor(db: Database, id: string) {
  const { kind, circuit, submittedMs, devices, app, state } = detailsOf(db, id);
  const job = numberOf(db, id);
  const run = db.prepare('SELECT run FROM jobs WHERE job = ?').pluck().get(job) as number | null;
  const replay = replayOf(db, job);
  const resources = run === null ? [] : eventsOfRun(db, run, 'resources', 0, replay.at(-1)?.seq ?? 0);
  const submitted = new Date(submittedMs).toISOString();
  return traceOf(id, replay, resources, { job: id, state, kind, circuit, submitted, devices: devices.join(', '), app });
}

function proofFiles(db: Database, id: string, to: string): ExportedFile[] {
  const job = numberOf(db, id);
  const partitions = db.prepare('SELECT partitions FROM jobs WHERE job = ?').pluck().get(job) as number;
  const proofs = proofsOf(db, job);
  const isOneFile = to.toLowerCase().endsWith('.bin');
  // In one file a proof is found by its place: none may be missing.
  if (proofs.length === 0 || (isOneFile && proofs.length < partitions))
    throw new CuzkError('ProofMissing', `the job ${id} has ${proofs.length} of ${partitions} proofs`, {
      remedy: proofs.length === 0 ? 'prove it again' : 'resume it, or export the proofs that there are to a folder',
    });
  if (isOneFile) return [[to, Buffer.concat(proofs.map(({ proof }) => compressProof(proof)))]];
  return proofs.flatMap(({ partition, proof, publicSignals }): ExportedFile[] => {
    const folder = partitions === 1 ? to : join(to, `${partition}`);
    return [
      [join(folder, 'proof.json'), snarkjsText(proof)],
      [join(folder, 'public.json'), snarkjsText(publicSignals)],
    ];
  });
}
