// A prover that only takes time: for tests of the engine, and for measuring its scheduling. Durations come from a table and a seed; failures,
// hangs and lost devices on demand. It checks what a real one would not survive: two kernels on one device at once, a handle used after its
// release, computations beside each other where they would share the threads.
import { CuzkError } from '../../contract/errors.ts';
import type { KeyFile } from '../keys.ts';
import type { CallOptions, FinishOptions, LoadedCircuit, PendingProof, ProofResult, Synthesis, Witness } from '../prover.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type Stage = 'load' | 'synthesize' | 'kernels' | 'finish' | 'verify';

const phaseOf = { load: 'load', synthesize: 'synthesis', kernels: 'ntt', finish: 'finish', verify: 'verify' } as const;

/** What a stage does instead of ending well: throw an error, or never answer. */
export type Mishap = Error | 'hang' | undefined;

export interface SimulatedOptions {
  clock: VirtualClock;
  /** Virtual milliseconds of each stage; verifying takes none unless said. */
  durations: Partial<Record<Stage, number>>;
  /** Bytes of a key, of loading it besides, of a partition until its device phase ends, of the device's own, and of a finalizer. */
  sizes?: Partial<Pick<KeyFile['sizes'], 'keyBytes' | 'loadBytes' | 'synthesisBytes' | 'deviceBytes' | 'finishBytes'>>;
  /** Each duration varies by up to this share, by the seed. */
  jitter?: number;
  seed?: number;
  /** How many times as long as the table says everything takes for that witness or key, before jitter. */
  scale?: (name: string) => number;
  /** Whether synthesis and kernels would use the same threads, and must not run beside each other. */
  sharesThreads?: boolean;
  /**
   * Virtual milliseconds that a stopped call takes to stop, in which it still tells its progress; 0 if left out. A call with no more than
   * that left ends well, since it does not look at its signal any more.
   */
  stopMs?: number;
  /** Asked at the end of each stage. `name` is the witness's, or the key's for `load`; `device` is empty where none is used. */
  onStage?: (stage: Stage, name: string, device: string) => Mishap;
  /** Circuits whose keys are insecure, and why. */
  insecure?: Record<string, string>;
}

export const simulatedSizes = { keyBytes: 100, loadBytes: 0, synthesisBytes: 10, deviceBytes: 0, finishBytes: 1 };

class SimulatedHandle {
  readonly witnessName: string;
  readonly device: string;
  released = false;
  readonly #open: Set<SimulatedHandle>;
  constructor(witnessName: string, device: string, open: Set<SimulatedHandle>) {
    this.witnessName = witnessName;
    this.device = device;
    this.#open = open;
    open.add(this);
  }
  release(): void {
    this.released = true;
    this.#open.delete(this);
  }
  [Symbol.dispose](): void {
    this.release();
  }
}

export class SimulatedProver {
  readonly #options: SimulatedOptions;
  #random: number;
  readonly #inKernels = new Set<string>();
  readonly #lost = new Set<string>();
  #computing = 0;
  /** Handles that were made and not released yet: 0 when nothing leaks. */
  readonly open = new Set<SimulatedHandle>();
  /** Virtual milliseconds in which kernels ran, by device. */
  readonly busyMs: Record<string, number> = {};
  loads = 0;

  constructor(options: SimulatedOptions) {
    this.#options = options;
    this.#random = options.seed ?? 1;
  }

  /** From now on every call on the device fails. */
  lose(device: string): void {
    this.#lost.add(device);
  }

  async look(path: string): Promise<KeyFile> {
    const header = { curve: 'bn254' as const, nVars: 8, nPublic: 1, domainSize: 8, nCoefs: 8, distinctCoefficients: 2 };
    return { path, identity: path, sizes: { ...header, ...simulatedSizes, ...this.#options.sizes } };
  }

  async load(key: KeyFile, device: string, options: CallOptions = {}): Promise<LoadedCircuit> {
    this.loads++;
    await this.#stage('load', key.path, device, options);
    const { keyBytes, synthesisBytes, deviceBytes, ...header } = key.sizes;
    const insecure = this.#options.insecure?.[key.path] ?? null;
    const info = {
      ...header,
      residentBytes: keyBytes,
      proofBytes: synthesisBytes + deviceBytes,
      insecure,
      uncontributedAt: insecure ? 0 : null,
    };
    return Object.assign(this.#handle(key.path, device), { info });
  }

  async synthesize(circuit: LoadedCircuit, witness: Witness, options: CallOptions = {}): Promise<Synthesis> {
    const name = typeof witness === 'string' ? witness : witness.name;
    this.#requireOpen(circuit);
    await this.#computation(() => this.#stage('synthesize', name, '', options));
    return this.#handle(name, '');
  }

  async proveStart(synthesis: Synthesis, device: string, options: CallOptions = {}): Promise<PendingProof> {
    this.#requireOpen(synthesis);
    await this.#computation(() => this.#kernels(synthesis.witnessName, device, options));
    synthesis.release();
    return this.#handle(synthesis.witnessName, device);
  }

  async proveFinish(pending: PendingProof, options: FinishOptions = {}): Promise<ProofResult> {
    this.#requireOpen(pending);
    const { device } = pending as unknown as SimulatedHandle;
    // Assembling is one short step, which is not stopped in its middle.
    await this.#stage('finish', pending.witnessName, device, {});
    options.onVerify?.();
    await this.#stage('verify', pending.witnessName, device, options);
    pending.release();
    return proofOf(pending.witnessName);
  }

  async #kernels(name: string, device: string, options: CallOptions): Promise<void> {
    if (this.#inKernels.has(device)) throw new Error(`two kernels run on ${device} at once`);
    this.#inKernels.add(device);
    const { clock } = this.#options;
    const started = clock.now();
    try {
      await this.#stage('kernels', name, device, options);
    } finally {
      this.#inKernels.delete(device);
      this.busyMs[device] = (this.busyMs[device] ?? 0) + clock.now() - started;
    }
  }

  async #computation(work: () => Promise<void>): Promise<void> {
    if (this.#options.sharesThreads && this.#computing > 0) throw new Error('two computations share the threads');
    this.#computing++;
    try {
      await work();
    } finally {
      this.#computing--;
    }
  }

  async #stage(stage: Stage, name: string, device: string, { signal, onProgress }: CallOptions): Promise<void> {
    const { clock, durations, jitter = 0, stopMs = 0, scale, onStage } = this.#options;
    // A small linear generator (Lehmer): the same seed gives the same run.
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const factor = 1 + jitter * ((this.#random / 2_147_483_647) * 2 - 1);
    const ms = (durations[stage] ?? 0) * factor * (scale?.(name) ?? 1);
    const tell = (done: number) => onProgress?.({ phase: phaseOf[stage], done, total: 2 });
    const endsAt = clock.now() + ms;
    if (stopMs > 0) tell(0);
    try {
      if (ms > 0) await clock.sleep(ms, signal);
    } catch (stopped) {
      if (stopMs === 0) throw stopped;
      const left = endsAt - clock.now();
      await clock.sleep(Math.min(left, stopMs));
      tell(1);
      if (left > stopMs) throw stopped;
    }
    const usesDevice = stage === 'kernels' || stage === 'load';
    if (usesDevice && this.#lost.has(device)) throw new CuzkError('DeviceLost', `the device ${device} is gone`);
    const mishap = onStage?.(stage, name, device);
    if (mishap instanceof CuzkError && mishap.code === 'DeviceLost') this.#lost.add(device);
    // Deaf to its signal, as a kernel that never ends is.
    if (mishap === 'hang') await new Promise(() => {});
    if (mishap) throw mishap;
  }

  #handle(witnessName: string, device: string): SimulatedHandle {
    return new SimulatedHandle(witnessName, device, this.open);
  }

  #requireOpen(handle: unknown): void {
    if ((handle as SimulatedHandle).released) throw new CuzkError('HandleReleased', 'a handle was used after it was released');
  }
}

/** What a simulated proof looks like: its public signal names the witness. */
const proofOf = (witness: string): ProofResult => ({ proof: {}, publicSignals: [witness], timings: {} }) as unknown as ProofResult;
