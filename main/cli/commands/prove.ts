// cuzk prove: one key, one or more witnesses (or inputs), as many proofs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openCircuit } from '../../circuits/open-circuit.ts';
import { beside } from '../../circuits/siblings.ts';
import { snarkjsText } from '../../circuits/snarkjs-json.ts';
import type { WitnessCalculator } from '../../circuits/witness-calculator.ts';
import { unsatisfied } from '../../circuits/witness-check.ts';
import { writeWholeAll } from '../../circuits/write-whole.ts';
import { CuzkError } from '../../contract/errors.ts';
import type { LoadedCircuit, Progress, Prover, Witness } from '../../prover/prover.ts';
import { type Context, UsageError } from '../context.ts';
import { formatBytes, formatCount, formatDuration, plural, printable } from '../format.ts';
import { refuseUnreadable } from '../named-files.ts';
import { refuseOverwriting } from '../overwriting.ts';
import { JobProgress, phaseNames } from '../progress-model.ts';

export interface ProveOptions {
  output?: string;
  wasm?: string;
  input?: string[];
  r1cs?: string;
  sym?: string | undefined;
  timeout?: number;
  allowInsecureKey?: boolean;
}

interface Partition {
  /** The file that its witness is, or is computed from. */
  source: string;
  proofFile: string;
  publicFile: string;
}

/** What the positional arguments and options ask for, as a list of partitions. Throws UsageError. */
export function partitionsOf(files: string[], { wasm, input, output }: ProveOptions): Partition[] {
  if (wasm === undefined && input !== undefined)
    throw new UsageError('--input needs --wasm, the circuit that computes the witness');
  if (wasm !== undefined && !input?.length) throw new UsageError('--wasm needs --input, one or more files of input signals');
  if (wasm !== undefined && files.length > 0)
    throw new UsageError(`with --wasm the witness is computed: ${files[0]} is one too many`);
  if (wasm === undefined && files.length === 0) throw new UsageError('name a witness (.wtns), or give --wasm and --input');

  const isJson = (file: string | undefined) => file?.toLowerCase().endsWith('.json') ?? false;
  const [witness, proofFile, publicFile] = files;
  if (files.length === 3 && witness && !isJson(witness) && proofFile && publicFile && isJson(proofFile) && isJson(publicFile)) {
    if (output !== undefined) throw new UsageError(`-o and ${proofFile} both say where the proof goes: give one of them`);
    return [{ source: witness, proofFile, publicFile }];
  }
  const json = files.find(isJson);
  if (json) throw new UsageError(`${json} is no witness: inputs are given with --wasm circuit.wasm --input ${json}`);

  const sources = wasm === undefined ? files : (input ?? []);
  const folder = output ?? '.';
  return sources.map((source, i) => {
    const to = sources.length === 1 ? folder : join(folder, String(i));
    return { source, proofFile: join(to, 'proof.json'), publicFile: join(to, 'public.json') };
  });
}

function describeCircuit(zkey: string, { info }: LoadedCircuit): string {
  const { curve, nVars, nPublic, domainSize, residentBytes, proofBytes } = info;
  const sizes = `${formatCount(nVars)} variables, ${plural(nPublic, 'public signal')}, domain 2^${Math.log2(domainSize)}`;
  return `${printable(zkey)}: ${curve}, ${sizes}; ${formatBytes(residentBytes)} for the key, ${formatBytes(proofBytes)} for a proof`;
}

export async function prove(context: Context, zkey: string, files: string[], options: ProveOptions): Promise<number> {
  const partitions = partitionsOf(files, options);
  const startedAt = performance.now();
  const { output, signal } = context;
  const sym = options.sym ?? beside(zkey, '.sym') ?? (options.wasm && beside(options.wasm, '.sym'));
  refuseOverwriting(
    [zkey, options.wasm, options.r1cs ?? beside(zkey, '.r1cs'), sym, ...partitions.map(({ source }) => source)],
    partitions.flatMap(({ proofFile, publicFile }) => [proofFile, publicFile]),
  );
  // A wrong path is told before a large key is loaded.
  await refuseUnreadable([zkey, options.wasm, ...partitions.map(({ source }) => source), options.r1cs, options.sym]);
  const prover = await context.prover();
  const progress = new JobProgress(partitions.length);
  let at = -1;
  const onProgress = (report: Progress) => {
    const which = partitions.length > 1 && at >= 0 ? `${at + 1}/${partitions.length}  ` : '';
    output.progress(report.phase, which + phaseNames[report.phase], progress.update(report), at < 0 ? {} : { partition: at });
  };

  const allowInsecure = options.allowInsecureKey ?? false;
  const { circuit, checkedNow } = await openCircuit(prover, zkey, { allowInsecure, signal, onProgress });
  using _circuit = circuit;
  const { info } = circuit;
  output.result(
    { event: 'circuit', zkey, ...info, checkedNow },
    describeCircuit(zkey, circuit) + (checkedNow ? '\nits points were checked, which is not done again for this key' : ''),
  );
  if (info.insecure) output.note({ event: 'insecure', reason: info.insecure }, `warning: INSECURE KEY: ${info.insecure}`);

  await using witnesses = new Witnesses(partitions, { ...options, sym }, context);
  const onCheck = ({ phase }: Progress) => output.progress(phase, 'checking the witness', progress.fraction, { partition: at });
  const check = witnessChecker(prover, zkey, { ...options, sym }, context, onCheck);
  for (at = 0; at < partitions.length; at++) {
    const partition = partitions[at]!;
    const partitionAt = performance.now();
    const witness = await witnesses.take(at);
    progress.nextPartition();
    const checked = await check(witness);
    const { proof, publicSignals, timings } = await prover
      .prove(circuit, witness, { signal, onProgress })
      .catch((problem) => Promise.reject(explained(problem, partition.source, checked, options)));
    const { source, proofFile, publicFile } = partition;
    await writeWholeAll([
      [proofFile, snarkjsText(proof)],
      [publicFile, snarkjsText(publicSignals)],
    ]);
    const ms = Math.round(performance.now() - partitionAt);
    const which = partitions.length > 1 ? `${at + 1}/${partitions.length} ` : '';
    output.result(
      { event: 'proof', partition: at, source, proof: proofFile, public: publicFile, ms, timings },
      printable(`proved ${which}${source} in ${formatDuration(ms)}: ${proofFile}, ${publicFile}`),
    );
  }
  const ms = Math.round(performance.now() - startedAt);
  const done = { event: 'done', proofs: partitions.length, ms };
  if (partitions.length > 1) output.result(done, `${partitions.length} proofs, all verified, in ${formatDuration(ms)}`);
  else output.result(done, `verified; ${formatDuration(ms)} in all`);
  return 0;
}

/** Loaded when it is needed: a prover that is given witnesses starts without threads and what belongs to them. */
async function calculatorOf(wasm: string, symFile: string | undefined, timeoutMs: number | undefined): Promise<WitnessCalculator> {
  const { WitnessCalculator } = await import('../../circuits/witness-calculator.ts');
  return new WitnessCalculator(wasm, { symFile, timeoutMs });
}

/** The partitions' witnesses in order; a computed one is begun while the one before it is being proved. */
class Witnesses implements AsyncDisposable {
  readonly #partitions: Partition[];
  readonly #calculator: Promise<WitnessCalculator> | undefined;
  readonly #context: Context;
  #next: Promise<Witness> | undefined;

  constructor(partitions: Partition[], { wasm, sym, timeout }: ProveOptions, context: Context) {
    this.#partitions = partitions;
    this.#context = context;
    const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
    this.#calculator = wasm === undefined ? undefined : calculatorOf(wasm, sym, timeoutMs);
  }

  async take(index: number): Promise<Witness> {
    if (!this.#calculator) return this.#partitions[index]!.source;
    const witness = await (this.#next ?? this.#compute(index));
    this.#next = index + 1 < this.#partitions.length ? this.#compute(index + 1) : undefined;
    // Its failure is told when it is taken.
    this.#next?.catch(() => {});
    return witness;
  }

  async #compute(index: number): Promise<Witness> {
    const { source } = this.#partitions[index]!;
    const { output, signal } = this.#context;
    const onLog = (line: string) => output.note({ event: 'log', input: source, line }, `log: ${line}`);
    const calculator = await this.#calculator!;
    const bytes = await calculator.compute(source, { signal, onLog });
    return { bytes, name: source };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const calculator = await this.#calculator;
    await calculator?.close();
  }
}

/**
 * Checks a witness against the circuit's constraints when the .r1cs is at hand; resolves with whether it was. A .r1cs that only
 * happens to stand beside the key and cannot be used is named in a note and left out.
 */
function witnessChecker(
  prover: Prover,
  zkey: string,
  { r1cs: named, sym }: ProveOptions,
  { output, signal }: Context,
  onProgress: (report: Progress) => void,
): (witness: Witness) => Promise<boolean> {
  let r1cs = named ?? beside(zkey, '.r1cs');
  return async (witness) => {
    if (!r1cs) return false;
    try {
      const check = await prover.checkWitness(
        { r1cs, witness, sym: sym && existsSync(sym) ? sym : undefined },
        { signal, onProgress },
      );
      if (!check.ok) throw unsatisfied(check, typeof witness === 'string' ? witness : witness.name);
      return true;
    } catch (problem) {
      const aboutR1cs = problem instanceof CuzkError && problem.file === r1cs;
      if (named || !aboutR1cs) throw problem;
      output.note({ event: 'note', code: problem.code, file: r1cs }, `note: ${r1cs} is not used: ${problem.message}`);
      r1cs = undefined;
      return false;
    }
  };
}

/** An invalid proof says how to find out why, with the names that the person knows. */
function explained(problem: unknown, source: string, checked: boolean, { wasm }: ProveOptions): unknown {
  if (!(problem instanceof CuzkError) || problem.code !== 'ProofInvalid') return problem;
  if (checked) {
    return new CuzkError('ProofInvalid', 'the proof does not verify, although the witness satisfies the .r1cs', {
      file: source,
      remedy: 'the key belongs to another circuit than the .r1cs: use the key that was made from it',
      cause: problem,
    });
  }
  const witness = wasm === undefined ? source : 'witness.wtns';
  const first = wasm === undefined ? '' : `cuzk witness ${wasm} ${source} -o witness.wtns, then `;
  return new CuzkError('ProofInvalid', 'the proof does not verify: the witness does not satisfy the circuit of this key', {
    file: source,
    remedy: `${first}cuzk check <circuit.r1cs> ${witness} [circuit.sym] names the first constraint that fails`,
    cause: problem,
  });
}
