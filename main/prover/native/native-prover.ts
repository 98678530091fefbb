// The Prover over the addon: checks what crosses the border, ties each call to its signal, wraps each handle for `using`.
import { CuzkError } from '../../contract/errors.ts';
import type {
  CallOptions,
  FinishOptions,
  Handle,
  LoadedCircuit,
  LoadOptions,
  PendingProof,
  Prover,
  SizesOptions,
  Synthesis,
  Witness,
} from '../prover.ts';
import type * as native from './addon.d.ts';
import { call } from './call.ts';
import { loadNative } from './load.ts';

/** A native handle behind a private field, so that only this file can reach it, and not after its release. */
class Wrapped<H extends native.Handle> implements Handle {
  #handle: H | undefined;
  constructor(handle: H) {
    this.#handle = handle;
  }
  get handle(): H {
    if (!this.#handle) throw new CuzkError('HandleReleased', 'this circuit, synthesis or proof was released before it was used');
    return this.#handle;
  }
  release(): void {
    this.#handle?.release();
    this.#handle = undefined;
  }
  [Symbol.dispose](): void {
    this.release();
  }
}

class NativeCircuit extends Wrapped<native.Circuit> implements LoadedCircuit {
  readonly info: native.CircuitInfo;
  constructor(handle: native.Circuit) {
    super(handle);
    this.info = handle.info;
  }
}

class OfWitness<H extends native.Handle> extends Wrapped<H> {
  readonly witnessName: string;
  constructor(handle: H, witnessName: string) {
    super(handle);
    this.witnessName = witnessName;
  }
}

const sourceOf = (witness: Witness) => (typeof witness === 'string' ? witness : witness.bytes);
const nameOf = (witness: Witness) => (typeof witness === 'string' ? witness : witness.name);

function unwrap<H extends native.Handle>(handle: Handle): H {
  if (!(handle instanceof Wrapped)) throw new CuzkError('HandleForeign', 'this handle was made by another prover');
  return (handle as Wrapped<H>).handle;
}

export class NativeProver implements Prover {
  readonly #addon: native.Addon;

  constructor(addon: native.Addon = loadNative().addon) {
    this.#addon = addon;
  }

  devices() {
    return this.#addon.devices();
  }

  setThreads(count: number): void {
    this.#addon.setThreads(count);
  }

  async loadCircuit(zkey: string, device: string, { checkPoints, allowInsecure, ...options }: LoadOptions): Promise<LoadedCircuit> {
    this.#requireDevice(device);
    const load = (task: native.Task) => this.#addon.loadCircuit(task, { zkey, checkPoints, allowInsecure });
    return new NativeCircuit(await call(this.#addon, options, load, zkey));
  }

  sizesOf(circuit: string, { distinctCoefficients, ...options }: SizesOptions = {}) {
    return call(this.#addon, options, (task) => this.#addon.sizesOf(task, circuit, distinctCoefficients), circuit);
  }

  async synthesize(circuit: LoadedCircuit, witness: Witness, options: CallOptions = {}): Promise<Synthesis> {
    const key = unwrap<native.Circuit>(circuit);
    const name = nameOf(witness);
    const work = (task: native.Task) => this.#addon.synthesize(task, key, sourceOf(witness), name);
    return new OfWitness(await call(this.#addon, options, work, name), name);
  }

  async proveStart(synthesis: Synthesis, device: string, options: CallOptions = {}): Promise<PendingProof> {
    this.#requireDevice(device);
    const from = unwrap<native.Synthesis>(synthesis);
    const { witnessName } = synthesis;
    return new OfWitness(await call(this.#addon, options, (task) => this.#addon.proveStart(task, from), witnessName), witnessName);
  }

  /** In two calls, so that verifying can be seen to begin; no proof crosses to JavaScript before the second ends. */
  async proveFinish(pending: PendingProof, { onVerify, ...options }: FinishOptions = {}) {
    const from = unwrap<native.Pending>(pending);
    const { witnessName } = pending;
    await call(this.#addon, options, (task) => this.#addon.proveAssemble(task, from), witnessName);
    onVerify?.();
    return await call(this.#addon, options, (task) => this.#addon.proveFinish(task, from), witnessName);
  }

  prove(circuit: LoadedCircuit, witness: Witness, options: CallOptions = {}) {
    const key = unwrap<native.Circuit>(circuit);
    const name = nameOf(witness);
    return call(this.#addon, options, (task) => this.#addon.prove(task, key, sourceOf(witness), name), name);
  }

  verify(vkey: native.VerificationKeyJson, publicSignals: string[], proof: native.ProofJson, options: CallOptions = {}) {
    return call(this.#addon, options, (task) => this.#addon.verify(task, vkey, publicSignals, proof));
  }

  verifyMany(
    vkey: native.VerificationKeyJson,
    proofs: { publicSignals: string[]; proof: native.ProofJson }[],
    options: CallOptions = {},
  ) {
    return call(this.#addon, options, (task) => this.#addon.verifyMany(task, vkey, proofs));
  }

  exportVkey(zkey: string, options: CallOptions = {}) {
    return call(this.#addon, options, (task) => this.#addon.exportVkey(task, zkey), zkey);
  }

  inspect(file: string, options: CallOptions = {}) {
    return call(this.#addon, options, (task) => this.#addon.inspect(task, file), file);
  }

  checkWitness({ r1cs, witness, sym }: { r1cs: string; witness: Witness; sym?: string | undefined }, options: CallOptions = {}) {
    const files = { r1cs, witness: sourceOf(witness), ...(sym ? { sym } : {}) };
    return call(this.#addon, options, (task) => this.#addon.checkWitness(task, files));
  }

  setup(files: { r1cs: string; out: string }, options: CallOptions = {}) {
    return call(this.#addon, options, (task) => this.#addon.setup(task, files), files.r1cs);
  }

  /** Until there is another backend, the addon's device is the CPU. */
  #requireDevice(device: string): void {
    if (device !== 'cpu') throw new CuzkError('DeviceUnknown', `there is no device ${device}`, { remedy: 'see cuzk devices' });
  }
}
