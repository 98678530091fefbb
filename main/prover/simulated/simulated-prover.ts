// A prover that only takes time: for tests of the engine, and for measuring its scheduling. Durations come from a table and a seed; failures
// on demand. It checks what a real one would not survive: two kernels on one device at once, a handle used after its release.
import { CuzkError } from '../../contract/errors.ts';
import type { CallOptions, LoadedCircuit, PendingProof, ProofResult, Prover, Synthesis, Witness } from '../prover.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type Stage = 'load' | 'synthesize' | 'kernels' | 'finish';

export interface SimulatedOptions {
  clock: VirtualClock;
  /** Virtual milliseconds of each stage. */
  durations: Record<Stage, number>;
  /** Bytes of a key, and of one proof. */
  keyBytes?: number;
  proofBytes?: number;
  /** Each duration varies by up to this share, by the seed. */
  jitter?: number;
  seed?: number;
  /** Throws to make a stage fail; the name is the witness's, or the circuit's for `load`. */
  onStage?: (stage: Stage, name: string) => void;
}

class SimulatedHandle {
  readonly witnessName: string;
  released = false;
  constructor(witnessName: string) {
    this.witnessName = witnessName;
  }
  release(): void {
    this.released = true;
  }
  [Symbol.dispose](): void {
    this.release();
  }
}

export class SimulatedProver implements Pick<Prover, 'synthesize' | 'proveStart' | 'proveFinish' | 'prove'> {
  readonly #options: Required<Omit<SimulatedOptions, 'onStage'>> & Pick<SimulatedOptions, 'onStage'>;
  #random: number;
  #inKernels = 0;
  /** Handles that were made and not released yet: 0 when nothing leaks. */
  readonly open = new Set<SimulatedHandle>();
  /** Virtual milliseconds in which kernels ran. */
  busyMs = 0;

  constructor(options: SimulatedOptions) {
    this.#options = { keyBytes: 100, proofBytes: 10, jitter: 0, seed: 1, ...options };
    this.#random = this.#options.seed;
  }

  async sizesOf(): Promise<{ keyBytes: number; proofBytes: number }> {
    const { keyBytes, proofBytes } = this.#options;
    return { keyBytes, proofBytes };
  }

  async load(circuit: string): Promise<LoadedCircuit> {
    await this.#stage('load', circuit);
    const handle = this.#handle(circuit);
    return Object.assign(handle, { info: { proofBytes: this.#options.proofBytes } }) as unknown as LoadedCircuit;
  }

  async synthesize(circuit: LoadedCircuit, witness: Witness, { signal }: CallOptions = {}): Promise<Synthesis> {
    const name = typeof witness === 'string' ? witness : witness.name;
    this.#requireOpen(circuit);
    await this.#stage('synthesize', name, signal);
    return this.#handle(name);
  }

  async proveStart(synthesis: Synthesis, { signal }: CallOptions = {}): Promise<PendingProof> {
    this.#requireOpen(synthesis);
    await this.#kernels(synthesis.witnessName, signal);
    synthesis.release();
    return this.#handle(synthesis.witnessName);
  }

  async proveFinish(pending: PendingProof, { signal }: CallOptions = {}): Promise<ProofResult> {
    this.#requireOpen(pending);
    await this.#stage('finish', pending.witnessName, signal);
    return proofOf(pending.witnessName);
  }

  async prove(circuit: LoadedCircuit, witness: Witness, options: CallOptions = {}): Promise<ProofResult> {
    using synthesis = await this.synthesize(circuit, witness, options);
    using pending = await this.proveStart(synthesis, options);
    return await this.proveFinish(pending, options);
  }

  async #kernels(name: string, signal: AbortSignal | undefined): Promise<void> {
    if (++this.#inKernels > 1) throw new Error('two kernels run on one device at once');
    const { clock } = this.#options;
    const started = clock.now();
    try {
      await this.#stage('kernels', name, signal);
    } finally {
      this.#inKernels--;
      this.busyMs += clock.now() - started;
    }
  }

  async #stage(stage: Stage, name: string, signal?: AbortSignal): Promise<void> {
    const { clock, durations, jitter, onStage } = this.#options;
    // A small linear generator (Lehmer): the same seed gives the same run.
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const factor = 1 + jitter * ((this.#random / 2_147_483_647) * 2 - 1);
    await clock.sleep(durations[stage] * factor, signal);
    onStage?.(stage, name);
  }

  #handle(name: string): SimulatedHandle {
    const handle = new SimulatedHandle(name);
    const { open } = this;
    open.add(handle);
    handle.release = () => {
      handle.released = true;
      open.delete(handle);
    };
    return handle;
  }

  #requireOpen(handle: unknown): void {
    if ((handle as SimulatedHandle).released) throw new CuzkError('HandleReleased', 'a handle was used after it was released');
  }
}

/** What a simulated proof looks like: its public signal names the witness. */
const proofOf = (witness: string): ProofResult => ({ proof: {}, publicSignals: [witness], timings: {} }) as unknown as ProofResult;
