// Answers what pages ask of the history: questions go to a thread that reads, changes to the one that writes, and what is to be proved again to
// the engine.
import { isAbsolute } from 'node:path';
import { curveByAnyName } from '../circuits/curves.ts';
import { ExportedVkeys } from '../circuits/exported-vkeys.ts';
import { snarkjsText } from '../circuits/snarkjs-json.ts';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { HistoryRequestName, ShownProof } from '../contract/history.ts';
import type { Handlers } from '../contract/requests.ts';
import type { Prover } from '../prover/prover.ts';
import { calldataOf } from './export/calldata.ts';
import { compressProof } from './export/compress.ts';
import type { KeptProof } from './export/proofs.ts';
import { Reader } from './reader.ts';
import type { Recorder } from './recorder.ts';
import type { Resumable } from './resume.ts';

export interface HistoryServiceOptions {
  /** The database. It need not be there yet: until it is, every question is refused with `HistoryMissing`. */
  file: string;
  /** The writer; rejects with why there is none, `HistoryReadOnly` where another process writes. Asked for with every change. */
  recorder: () => Promise<Pick<Recorder, 'change' | 'prune'>>;
  engine: {
    submit(
      request: JobRequest,
      options: { retryOf: string; restored?: Resumable['restored'] },
    ): Promise<{ job: string; attached: boolean }>;
  };
  prover: Pick<Prover, 'verify' | 'exportVkey'>;
}

export interface HistoryService extends AsyncDisposable {
  handlers: Pick<Handlers, HistoryRequestName>;
}

/** Starts no thread before the first question. Disposed of before the recorder, so that the writer's closing leaves one file. */
export function openHistoryService({ file, recorder, engine, prover }: HistoryServiceOptions): HistoryService {
  const reader = new Reader(file);
  const vkeys = new ExportedVkeys(prover);
  const handlers: Pick<Handlers, HistoryRequestName> = {
    listJobs: (request) => reader.ask('listJobs', request),
    listFacets: (request) => reader.ask('listFacets', request),
    showJob: (request) => reader.ask('showJob', request),
    replayJob: (request) => reader.ask('replayJob', request),
    compareJobs: (request) => reader.ask('compareJobs', request),
    totals: (request) => reader.ask('totals', request),
    planPrune: (request) => reader.ask('planPrune', request),

    showProof: async (request) => shown(await reader.ask('proof', request)),
    async verifyProof(request) {
      const { zkey, publicSignals, proof } = await reader.ask('proof', request);
      return { valid: await prover.verify(await vkeys.of(zkey), publicSignals, proof) };
    },
    async exportJob(request) {
      if (!isAbsolute(request.to))
        throw new CuzkError('PathRelative', 'this path does not say in which folder it is', {
          file: request.to,
          remedy: 'name it from the root: /home/...',
        });
      return await reader.ask('exportJob', request);
    },

    async resumeJob({ job }) {
      const { request, restored } = await reader.ask('resumable', { job });
      return await engine.submit(request, { retryOf: job, restored });
    },
    async runAgain({ job }) {
      return await engine.submit(await reader.ask('askedFor', { job }), { retryOf: job });
    },

    async setNote({ job, note }) {
      await (await recorder()).change('note', { job, note });
      return { note };
    },
    changeTags: async ({ job, add = [], remove = [] }) => ({ tags: await (await recorder()).change('tag', { job, add, remove }) }),
    async setPinned({ job, pinned }) {
      await (await recorder()).change('pin', { job, pinned });
      return { pinned };
    },
    async removeJob({ job }) {
      await (await recorder()).change('remove', { job });
      return { removed: job };
    },
    prune: async (request) => await (await recorder()).prune(request),
  };
  return { handlers, [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() };
}

function shown(kept: KeptProof): ShownProof {
  const { proof, publicSignals } = kept;
  const curve = curveByAnyName(proof.curve);
  return {
    proof: snarkjsText(proof),
    publicSignals: snarkjsText(publicSignals),
    calldata: curve === 'bn254' ? calldataOf(kept) : null,
    compressed: curve === 'bls12-381' ? Buffer.from(compressProof(proof)).toString('hex') : null,
  };
}
