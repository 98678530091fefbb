// Makes the engine's witnesses: computes them from inputs, and has them checked against the circuit's constraints where the .r1cs is at hand.
import { existsSync } from 'node:fs';
import type { JobRequest, PartitionSource } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { PreparedWitness, WitnessPreparer } from '../engine/floor.ts';
import type { Job } from '../engine/job.ts';
import type { CallOptions, Prover, Witness } from '../prover/prover.ts';
import { beside } from './siblings.ts';
import type { WitnessCalculator } from './witness-calculator.ts';
import { unsatisfied } from './witness-check.ts';

export interface CircuitWitnessesOptions {
  /** A line of a circuit's log(), and the inputs that it ran with. */
  onLog?: (input: string, line: string) => void;
  /** Something that the person should know: a file that was found and is not used, and why. */
  onNote?: (problem: CuzkError, file: string) => void;
}

/** Calculators that wait for their next input: each is a thread with the circuit's memory. */
const mostIdle = 4;

interface IdleCalculator {
  name: string;
  calculator: WitnessCalculator;
}

export class CircuitWitnesses implements WitnessPreparer, AsyncDisposable {
  readonly #prover: Pick<Prover, 'checkWitness'>;
  readonly #options: CircuitWitnessesOptions;
  /** The one used last at the end. */
  readonly #idle: IdleCalculator[] = [];
  /** .r1cs files that only happened to stand beside a key, and cannot be used. */
  readonly #unusable = new Set<string>();

  constructor(prover: Pick<Prover, 'checkWitness'>, options: CircuitWitnessesOptions = {}) {
    this.#prover = prover;
    this.#options = options;
  }

  hasWork(source: PartitionSource): boolean {
    return 'input' in source;
  }

  async prepare({ request }: Job, source: PartitionSource, options: CallOptions): Promise<PreparedWitness> {
    const { circuit } = request;
    const sym = circuit.sym ?? beside(circuit.zkey, '.sym') ?? (circuit.wasm && beside(circuit.wasm, '.sym'));
    const witness = 'witness' in source ? source.witness : await this.#compute(request, source.input, sym, options);
    let checked = false;
    const check = async (callOptions: CallOptions) => {
      checked = await this.#check(request, witness, sym, callOptions);
    };
    return { witness, check, explain: (problem) => explained(problem, request, source, checked) };
  }

  async #compute(
    { circuit, witnessTimeoutMs }: JobRequest,
    input: string,
    symFile: string | undefined,
    { signal }: CallOptions,
  ): Promise<Witness> {
    const wasm = circuit.wasm!;
    const name = JSON.stringify([wasm, symFile, witnessTimeoutMs]);
    const place = this.#idle.findLastIndex((one) => one.name === name);
    const waiting = place < 0 ? undefined : this.#idle.splice(place, 1)[0]?.calculator;
    const calculator = waiting ?? (await calculatorOf(wasm, symFile, witnessTimeoutMs));
    try {
      const onLog = (line: string) => this.#options.onLog?.(input, line);
      const bytes = await calculator.compute(input, { signal, onLog });
      return { bytes, name: input };
    } finally {
      this.#idle.push({ name, calculator });
      if (this.#idle.length > mostIdle) await this.#idle.shift()!.calculator.close();
    }
  }

  /** Whether the witness was checked; rejects when it does not satisfy the constraints. */
  async #check({ circuit }: JobRequest, witness: Witness, sym: string | undefined, options: CallOptions): Promise<boolean> {
    const r1cs = circuit.r1cs ?? beside(circuit.zkey, '.r1cs');
    if (!r1cs || this.#unusable.has(r1cs)) return false;
    try {
      const check = await this.#prover.checkWitness({ r1cs, witness, sym: sym && existsSync(sym) ? sym : undefined }, options);
      if (!check.ok) throw unsatisfied(check, nameOf(witness));
      return true;
    } catch (problem) {
      const isAboutR1cs = problem instanceof CuzkError && problem.file === r1cs;
      if (circuit.r1cs || !isAboutR1cs) throw problem;
      this.#unusable.add(r1cs);
      this.#options.onNote?.(problem, r1cs);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ calculator }) => calculator.close()));
  }
}

const nameOf = (witness: Witness) => (typeof witness === 'string' ? witness : witness.name);

/** Loaded when it is needed: an engine that is given witnesses starts without threads and what belongs to them. */
async function calculatorOf(wasm: string, symFile: string | undefined, timeoutMs: number | undefined): Promise<WitnessCalculator> {
  const { WitnessCalculator } = await import('./witness-calculator.ts');
  return new WitnessCalculator(wasm, { symFile, timeoutMs });
}

/** An invalid proof says how to find out why, with the names that the person knows. */
function explained(problem: unknown, { circuit }: JobRequest, source: PartitionSource, checked: boolean): unknown {
  if (!(problem instanceof CuzkError) || problem.code !== 'ProofInvalid') return problem;
  const file = 'witness' in source ? source.witness : source.input;
  if (checked) {
    return new CuzkError('ProofInvalid', 'the proof does not verify, although the witness satisfies the .r1cs', {
      file,
      remedy: 'the key belongs to another circuit than the .r1cs: use the key that was made from it',
      cause: problem,
    });
  }
  const witness = 'witness' in source ? source.witness : 'witness.wtns';
  const first = 'witness' in source ? '' : `cuzk witness ${circuit.wasm} ${source.input} -o witness.wtns, then `;
  return new CuzkError('ProofInvalid', 'the proof does not verify: the witness does not satisfy the circuit of this key', {
    file,
    remedy: `${first}cuzk check <circuit.r1cs> ${witness} [circuit.sym] names the first constraint that fails`,
    cause: problem,
  });
}
