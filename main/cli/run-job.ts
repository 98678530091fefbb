// One job of the engine on the command line: progress and proofs are told as they come, Ctrl-C cancels it, the history has it.
import type { JobRequest } from '../contract/commands.ts';
import { abortedCode, CuzkError } from '../contract/errors.ts';
import type { EngineEvent } from '../contract/events.ts';
import { type EngineState, jobOf, type PartitionState, partitionOf } from '../contract/state.ts';
import type { JobOutcome } from '../engine/job.ts';
import type { Journal } from '../engine/journal.ts';
import { openEngine } from '../host/open-engine.ts';
import type { CircuitInfo, Phase, ProofResult } from '../prover/prover.ts';
import type { Context } from './context.ts';
import { formatBytes, formatCount, formatDuration, plural, printable } from './format.ts';
import type { Output } from './output.ts';
import { JobProgress, phaseNames } from './progress-model.ts';
import { Recording } from './recording.ts';

/** The files that a partition's proof and public signals were written to; undefined when they were not. */
type WrittenName = (partition: number) => [proof: string, publicSignals: string] | undefined;

export interface RunJobOptions {
  /** By partition, what it is called. */
  sources: string[];
  memory?: number | undefined;
  /** Writes a proof's files; it is not done before. */
  files?: (Pick<Journal, 'keep'> & { written: WrittenName }) | undefined;
  /** Whether it is recorded; and if so, whether it must be. */
  history?: boolean | undefined;
  historyRequired?: boolean;
  retryOf?: string;
  restored?: ReadonlyMap<number, ProofResult>;
}

/** Resolves with the outcome of a job that succeeded; rejects with why it failed, or with `Aborted`. */
export async function runJob(context: Context, request: JobRequest, options: RunJobOptions): Promise<JobOutcome> {
  const { output, signal } = context;
  const { sources, memory, files, history = true, historyRequired = false, retryOf, restored } = options;
  const allowInsecure = request.allowInsecureKey ?? false;
  const { zkey } = request.circuit;
  // Disposed of last: what the engine says as it ends is written too.
  await using recording = history ? await Recording.open(context, { isRequired: historyRequired, files }) : undefined;
  await using opened = openEngine(await context.prover(), {
    memoryBytes: memory,
    journal: recording ?? (files && { newJobId: () => 'job-1', accept: async () => {}, keep: files.keep }),
    onOpen: (_, { circuit: { info }, checkedNow }) => tellCircuit(output, zkey, info, checkedNow, allowInsecure),
    onLog: (input, line) => output.note({ event: 'log', input, line }, `log: ${printable(line)}`),
    onNote: ({ code, message }, file) =>
      output.note({ event: 'note', code, file }, `note: ${printable(file)} is not used: ${message}`),
  });
  const engine = opened.engine.start();
  recording?.attach(engine);
  const teller = new JobTeller(output, sources, files?.written ?? (() => undefined));
  engine.subscribe((event, state) => teller.tell(event, state));
  if (signal.aborted) throw interrupted();
  // The key is loaded while the history is opened; what is wrong with it is told by the job.
  if (recording) engine.preload(zkey).catch(() => {});
  const { job } = await engine.submit(request, { retryOf, restored });
  const cancel = () => engine.cancel(job);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const outcome = await engine.await(job);
  if (outcome.end === 'cancelled') throw interrupted();
  if (outcome.end !== 'succeeded') throw outcome.problem;
  return outcome;
}

const interrupted = () => new CuzkError(abortedCode, 'interrupted');

function describeCircuit(zkey: string, info: CircuitInfo): string {
  const { curve, nVars, nPublic, domainSize, residentBytes, proofBytes } = info;
  const sizes = `${formatCount(nVars)} variables, ${plural(nPublic, 'public signal')}, domain 2^${Math.log2(domainSize)}`;
  return `${printable(zkey)}: ${curve}, ${sizes}; ${formatBytes(residentBytes)} for the key, ${formatBytes(proofBytes)} for a proof`;
}

function tellCircuit(output: Output, zkey: string, info: CircuitInfo, checkedNow: boolean, allowInsecure: boolean): void {
  // It is going to be refused.
  if (info.uncontributedAt !== null && !allowInsecure) return;
  output.result(
    { event: 'circuit', zkey, ...info, checkedNow },
    describeCircuit(zkey, info) + (checkedNow ? '\nits points were checked, which is not done again for this key' : ''),
  );
  if (info.insecure) output.note({ event: 'insecure', reason: info.insecure }, `warning: INSECURE KEY: ${info.insecure}`);
}

/** Turns the engine's events into progress and results. */
class JobTeller {
  readonly #output: Output;
  readonly #sources: string[];
  readonly #written: WrittenName;
  readonly #progress: JobProgress;

  constructor(output: Output, sources: string[], written: WrittenName) {
    this.#output = output;
    this.#sources = sources;
    this.#written = written;
    this.#progress = new JobProgress(sources.length);
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
    const source = this.#sources[index]!;
    const files = this.#written(index);
    // From the moment on in which something was done for it.
    const begun = Object.entries(spans).flatMap(([name, { startedAt }]) => (/Wait$/.test(name) ? [] : [startedAt]));
    const ms = Math.round(now - Math.min(...begun));
    this.#output.result(
      { event: 'proof', partition: index, source, proof: files?.[0], public: files?.[1], ms, timings },
      printable(`proved ${this.#which(index, ' ')}${source} in ${formatDuration(ms)}${files ? `: ${files.join(', ')}` : ''}`),
    );
  }

  #which(partition: number, gap: string): string {
    return this.#sources.length > 1 ? `${partition + 1}/${this.#sources.length}${gap}` : '';
  }
}
