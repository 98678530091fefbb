// cuzk prove: one job of the engine; its proofs are written as they come.
import { beside } from '../../circuits/siblings.ts';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import { writeWholeAll } from '../../circuits/write-whole.ts';
import type { JobRequest } from '../../contract/commands.ts';
import { abortedCode, CuzkError } from '../../contract/errors.ts';
import type { EngineEvent } from '../../contract/events.ts';
import { type EngineState, jobOf, type PartitionState, partitionOf } from '../../contract/state.ts';
import type { Journal } from '../../engine/journal.ts';
import type { CircuitInfo, Phase } from '../../prover/prover.ts';
import type { Context } from '../context.ts';
import { openEngine } from '../engine.ts';
import { formatBytes, formatCount, formatDuration, plural, printable } from '../format.ts';
import { refuseUnreadable } from '../named-files.ts';
import type { Output } from '../output.ts';
import { refuseOverwriting } from '../overwriting.ts';
import { JobProgress, phaseNames } from '../progress-model.ts';
import { type ProveOptions, type ProvePartition, partitionsOf } from '../prove-arguments.ts';

function describeCircuit(zkey: string, info: CircuitInfo): string {
  const { curve, nVars, nPublic, domainSize, residentBytes, proofBytes } = info;
  const sizes = `${formatCount(nVars)} variables, ${plural(nPublic, 'public signal')}, domain 2^${Math.log2(domainSize)}`;
  return `${printable(zkey)}: ${curve}, ${sizes}; ${formatBytes(residentBytes)} for the key, ${formatBytes(proofBytes)} for a proof`;
}

export async function prove(context: Context, zkey: string, files: string[], options: ProveOptions): Promise<number> {
  const partitions = partitionsOf(files, options);
  const startedAt = performance.now();
  const { output, signal } = context;
  const { wasm, r1cs, sym } = options;
  const sources = partitions.map(({ source }) => source);
  const shownSym = sym ?? beside(zkey, '.sym') ?? (wasm && beside(wasm, '.sym'));
  refuseOverwriting(
    [zkey, wasm, r1cs ?? beside(zkey, '.r1cs'), shownSym, ...sources],
    partitions.flatMap(({ proofFile, publicFile }) => [proofFile, publicFile]),
  );
  // A wrong path is told before a large key is loaded.
  await refuseUnreadable([zkey, wasm, ...sources, r1cs, sym]);

  await using opened = await openEngine(context, {
    memoryBytes: options.memory,
    journal: fileJournal(partitions),
    onOpen: (_, { circuit: { info }, checkedNow }) => tellCircuit(output, zkey, info, checkedNow, options),
    onLog: (input, line) => output.note({ event: 'log', input, line }, `log: ${printable(line)}`),
    onNote: ({ code, message }, file) =>
      output.note({ event: 'note', code, file }, `note: ${printable(file)} is not used: ${message}`),
  });
  const engine = opened.engine.start();
  const teller = new ProveTeller(output, partitions);
  engine.subscribe((event, state) => teller.tell(event, state));
  signal.throwIfAborted();
  const { job } = await engine.submit(requestOf(zkey, partitions, options));
  const cancel = () => engine.cancel(job);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const { end, problem } = await engine.await(job);
  if (end === 'cancelled') throw new CuzkError(abortedCode, 'interrupted');
  if (end !== 'succeeded') throw problem;

  const ms = Math.round(performance.now() - startedAt);
  const done = { event: 'done', proofs: partitions.length, ms };
  if (partitions.length > 1) output.result(done, `${partitions.length} proofs, all verified, in ${formatDuration(ms)}`);
  else output.result(done, `verified; ${formatDuration(ms)} in all`);
  return 0;
}

function requestOf(zkey: string, partitions: ProvePartition[], options: ProveOptions): JobRequest {
  const { wasm, r1cs, sym, timeout, allowInsecureKey, mode } = options;
  return {
    circuit: { zkey, ...(wasm ? { wasm } : {}), ...(r1cs ? { r1cs } : {}), ...(sym ? { sym } : {}) },
    partitions: partitions.map(({ source }) => (wasm === undefined ? { witness: source } : { input: source })),
    ...(timeout === undefined ? {} : { witnessTimeoutMs: timeout * 1000 }),
    ...(allowInsecureKey ? { allowInsecureKey } : {}),
    ...(mode ? { mode } : {}),
  };
}

/** A partition is done when its files are written: what cannot be written fails it. */
function fileJournal(partitions: ProvePartition[]): Journal {
  return {
    newJobId: () => 'job-1',
    accept: async () => {},
    keep: async (_, partition, { proof, publicSignals }) => {
      const { proofFile, publicFile } = partitions[partition]!;
      await writeWholeAll([
        [proofFile, snarkjsText(proof)],
        [publicFile, snarkjsText(publicSignals)],
      ]);
    },
  };
}

function tellCircuit(output: Output, zkey: string, info: CircuitInfo, checkedNow: boolean, options: ProveOptions): void {
  // It is going to be refused.
  if (info.uncontributedAt !== null && !options.allowInsecureKey) return;
  output.result(
    { event: 'circuit', zkey, ...info, checkedNow },
    describeCircuit(zkey, info) + (checkedNow ? '\nits points were checked, which is not done again for this key' : ''),
  );
  if (info.insecure) output.note({ event: 'insecure', reason: info.insecure }, `warning: INSECURE KEY: ${info.insecure}`);
}

/** Turns the engine's events into progress and results. */
class ProveTeller {
  readonly #output: Output;
  readonly #partitions: ProvePartition[];
  readonly #progress: JobProgress;

  constructor(output: Output, partitions: ProvePartition[]) {
    this.#output = output;
    this.#partitions = partitions;
    this.#progress = new JobProgress(partitions.length);
  }

  tell(event: EngineEvent, state: EngineState): void {
    switch (event.type) {
      case 'keyProgress': {
        const { step, done, total } = event;
        const phase = step as Phase;
        this.#output.progress(phase, phaseNames[phase], this.#progress.key({ phase, done, total }));
        return;
      }
      case 'partitionProgress': {
        const { step, done, total, partition } = event;
        const phase = step as Phase;
        const fraction = this.#progress.partition(partition, { phase, done, total });
        const title = phase === 'check' ? 'checking the witness' : phaseNames[phase];
        this.#output.progress(phase, this.#which(partition, '  ') + title, fraction, { partition });
        return;
      }
      case 'partitionDone': {
        this.#progress.done(event.partition);
        const job = jobOf(state, event.job);
        const partition = job && partitionOf(job, event.partition);
        if (partition) this.#proved(event.partition, partition, state.at, event.timings ?? {});
      }
    }
  }

  #proved(index: number, { spans }: PartitionState, now: number, timings: Readonly<Record<string, number>>): void {
    const { source, proofFile, publicFile } = this.#partitions[index]!;
    // From the moment on in which something was done for it.
    const begun = Object.entries(spans).flatMap(([name, { startedAt }]) => (/Wait$/.test(name) ? [] : [startedAt]));
    const ms = Math.round(now - Math.min(...begun));
    this.#output.result(
      { event: 'proof', partition: index, source, proof: proofFile, public: publicFile, ms, timings },
      printable(`proved ${this.#which(index, ' ')}${source} in ${formatDuration(ms)}: ${proofFile}, ${publicFile}`),
    );
  }

  #which(partition: number, gap: string): string {
    return this.#partitions.length > 1 ? `${partition + 1}/${this.#partitions.length}${gap}` : '';
  }
}
