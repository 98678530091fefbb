// The face of cuzk.node (native/addon/): every long call runs on a native thread of its own and takes a Task first.
// Rejections are Errors with `code` (docs/errors.md) and, where known, `file`, `offset` and `remedy`; a stopped call's code is `Aborted`.

export type Isa = 'portable' | 'adx' | 'ifma';
export type CurveName = 'bn254' | 'bls12-381';

/** native/device/task.hpp, enum phase. */
export type Phase =
  | 'idle'
  | 'load'
  | 'check'
  | 'synthesis'
  | 'ntt'
  | 'msm_a'
  | 'msm_b1'
  | 'msm_b2'
  | 'msm_c'
  | 'msm_h'
  | 'finish'
  | 'verify'
  | 'setup';

export interface Progress {
  phase: Phase;
  done: number;
  total: number;
}

/** A point's coordinates as decimal strings, projective with a last coordinate of 1, as snarkjs writes them. */
export type G1Json = [string, string, string];
export type G2Json = [[string, string], [string, string], [string, string]];

export interface ProofJson {
  pi_a: G1Json;
  pi_b: G2Json;
  pi_c: G1Json;
  protocol: 'groth16';
  /** snarkjs's names: `bn128`, `bls12381`. */
  curve: 'bn128' | 'bls12381';
}

export interface VerificationKeyJson {
  protocol: 'groth16';
  curve: 'bn128' | 'bls12381';
  nPublic: number;
  vk_alpha_1: G1Json;
  vk_beta_2: G2Json;
  vk_gamma_2: G2Json;
  vk_delta_2: G2Json;
  /** e(alpha, beta), an element of Fp12; nothing reads it. */
  vk_alphabeta_12?: string[][][];
  IC: G1Json[];
}

export interface Device {
  id: string;
  name: string;
  isa: Isa;
  threads: number;
  /** Whether its device phase runs on the threads that synthesis uses too: then the two cannot overlap. */
  usesHostThreads: boolean;
  memoryBytes: number;
}

/** What a proving key's header says. */
export interface CircuitHeader {
  curve: CurveName;
  nVars: number;
  nPublic: number;
  domainSize: number;
  nCoefs: number;
}

/** What a circuit will take in memory, in bytes, on as many threads as are set now. All but `keyBytes` are upper bounds. */
export interface CircuitSizes extends CircuitHeader {
  /** How many different values the coefficients have, 1 and -1 always counted: each is held once. No header says it. */
  distinctCoefficients: number;
  /** What the loaded key takes: `residentBytes`. */
  keyBytes: number;
  /** The most that loading takes besides, all points checked. */
  loadBytes: number;
  /** What a partition holds from its synthesis to the end of its device phase, reading its witness included. */
  synthesisBytes: number;
  /** The most that its device phase takes besides. */
  deviceBytes: number;
  /** What its pending proof holds, and the most that finishing it takes. */
  finishBytes: number;
}

export interface CircuitInfo extends CircuitHeader {
  /** As in CircuitSizes. */
  distinctCoefficients: number;
  /** What the loaded key takes in memory. */
  residentBytes: number;
  /** The most that one proof takes besides: `synthesisBytes` and `deviceBytes`. */
  proofBytes: number;
  /** Why proofs of this key can be forged or prove nothing; null for a sound key. */
  insecure: string | null;
  /** The byte of delta in the file when it is gamma: such a key is only used where that is asked for. */
  uncontributedAt: number | null;
}

export interface Handle {
  release(): void;
}
export interface Circuit extends Handle {
  readonly info: CircuitInfo;
}
export interface Synthesis extends Handle {
  readonly kind?: 'synthesis';
}
export interface Pending extends Handle {
  readonly kind?: 'pending';
}

export interface ProofResult {
  proof: ProofJson;
  publicSignals: string[];
  /** Milliseconds by phase. */
  timings: Record<string, number>;
}

export type WitnessCheck =
  | { ok: true }
  | {
      ok: false;
      constraint: number;
      signals: { name?: string; index: number; value: string }[];
      a: string;
      b: string;
      c: string;
    };

export type Inspection = { format: 'zkey' | 'wtns' | 'r1cs' | 'sym' } & Record<string, unknown>;

export interface Task {
  abort(): void;
  progress(): Progress;
}

export interface Addon {
  Task: new () => Task;
  devices(): Device[];
  /** What the buffers of this process hold: keys, witnesses, everything that the sizes count. */
  allocatedBytes(): number;
  /** 0: all cores that this process may use. */
  setThreads(count: number): void;
  loadCircuit(task: Task, options: { zkey: string; checkPoints: boolean; allowInsecure: boolean }): Promise<Circuit>;
  /**
   * Reads the header; and the coefficients, unless it is told how many different ones there are. On threads of its own, which wait for no
   * computation.
   */
  sizesOf(task: Task, path: string, distinctCoefficients?: number): Promise<CircuitSizes>;
  synthesize(task: Task, circuit: Circuit, witness: string | Uint8Array, witnessName: string): Promise<Synthesis>;
  proveStart(task: Task, synthesis: Synthesis): Promise<Pending>;
  /** Assembles the proof, which stays inside `pending`: it was not verified. Nothing to do the second time. */
  proveAssemble(task: Task, pending: Pending): Promise<undefined>;
  /** Assembles unless that was done, verifies, and uses up `pending`. */
  proveFinish(task: Task, pending: Pending): Promise<ProofResult>;
  prove(task: Task, circuit: Circuit, witness: string | Uint8Array, witnessName: string): Promise<ProofResult>;
  verify(task: Task, vkey: object, publicSignals: string[], proof: object): Promise<boolean>;
  verifyMany(task: Task, vkey: object, proofs: { publicSignals: string[]; proof: object }[]): Promise<boolean>;
  exportVkey(task: Task, path: string): Promise<VerificationKeyJson>;
  inspect(task: Task, path: string): Promise<Inspection>;
  checkWitness(task: Task, options: { r1cs: string; witness: string | Uint8Array; sym?: string }): Promise<WitnessCheck>;
  setup(task: Task, options: { r1cs: string; out: string }): Promise<Record<string, unknown>>;
}
