// What proves: the interface that the engine and the command line know. Implementations stand beside it.
import type {
  CircuitInfo,
  CircuitSizes,
  Device,
  Inspection,
  Progress,
  ProofJson,
  ProofResult,
  VerificationKeyJson,
  WitnessCheck,
} from './native/addon.d.ts';

export type {
  CircuitHeader,
  CircuitInfo,
  CircuitSizes,
  CurveName,
  Device,
  G1Json,
  G2Json,
  Inspection,
  Phase,
  Progress,
  ProofJson,
  ProofResult,
  VerificationKeyJson,
  WitnessCheck,
} from './native/addon.d.ts';

/** How a call is stopped and watched. A stopped call rejects with code `Aborted` within 100 ms. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called about ten times a second while the call runs. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface FinishOptions extends CallOptions {
  /** Called when the proof is assembled, and only its verification is left. */
  onVerify?: (() => void) | undefined;
}

/** A witness: the path of a .wtns file, or a whole .wtns in memory with the name that errors call it by. */
export type Witness = string | { bytes: Uint8Array; name: string };

/** Native memory that is freed by `release` (or `using`), at the latest when the object is collected. */
export interface Handle extends Disposable {
  release(): void;
}
export interface LoadedCircuit extends Handle {
  readonly info: CircuitInfo;
}
export interface Synthesis extends Handle {
  readonly witnessName: string;
}
export interface PendingProof extends Handle {
  readonly witnessName: string;
}

export interface LoadOptions extends CallOptions {
  /** Whether every point is checked to be on its curve and in its subgroup: needed once per file content. */
  checkPoints: boolean;
  /** Whether a key that proofs can be forged against is accepted. */
  allowInsecure: boolean;
}

export interface SizesOptions extends CallOptions {
  /** As an earlier answer about the same content gave it: then only the header is read. */
  distinctCoefficients?: number | undefined;
}

export interface Prover {
  devices(): Device[];
  /** How many threads computations use; 0 is all cores that this process may run on. */
  setThreads(count: number): void;

  /** What a proving key and proofs of it will take in memory, before it is loaded; waits for no computation. */
  sizesOf(circuit: string, options?: SizesOptions): Promise<CircuitSizes>;
  /** Loads a key onto a device. */
  loadCircuit(zkey: string, device: string, options: LoadOptions): Promise<LoadedCircuit>;
  /** Sparse matrix times witness; refuses a witness whose length or values do not fit the circuit. */
  synthesize(circuit: LoadedCircuit, witness: Witness, options?: CallOptions): Promise<Synthesis>;
  /** The device phase; resolves when the device is free. Consumes the synthesis. */
  proveStart(synthesis: Synthesis, device: string, options?: CallOptions): Promise<PendingProof>;
  /** Assembles and verifies; rejects with `ProofInvalid` rather than hand out a proof that does not verify. */
  proveFinish(pending: PendingProof, options?: FinishOptions): Promise<ProofResult>;
  /** All three in one piece. */
  prove(circuit: LoadedCircuit, witness: Witness, options?: CallOptions): Promise<ProofResult>;

  verify(vkey: VerificationKeyJson, publicSignals: string[], proof: ProofJson, options?: CallOptions): Promise<boolean>;
  /** Whether all proofs of one key are valid, in one multi-pairing. */
  verifyMany(
    vkey: VerificationKeyJson,
    proofs: { publicSignals: string[]; proof: ProofJson }[],
    options?: CallOptions,
  ): Promise<boolean>;

  /** The verification key that a proving key carries. */
  exportVkey(zkey: string, options?: CallOptions): Promise<VerificationKeyJson>;
  /** What a file says about itself in its header. */
  inspect(file: string, options?: CallOptions): Promise<Inspection>;
  /** Whether a witness satisfies every constraint; if not, the first that fails and its signals. */
  checkWitness(files: { r1cs: string; witness: Witness; sym?: string | undefined }, options?: CallOptions): Promise<WitnessCheck>;
  /** Development only: makes a proving key whose secrets are known. */
  setup(files: { r1cs: string; out: string }, options?: CallOptions): Promise<Record<string, unknown>>;
}
