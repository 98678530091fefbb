// How far a job is, as one number from 0 to 1: pure arithmetic over what the prover reports of the key and of each partition.
import type { Phase, Progress } from '../prover/prover.ts';

/** What people are told that is going on. */
export const phaseNames: Record<Phase, string> = {
  idle: 'starting',
  load: 'loading the key',
  check: 'checking the key',
  synthesis: 'synthesis',
  ntt: 'transforms',
  msm_a: 'multiplication A',
  msm_b1: 'multiplication B1',
  msm_b2: 'multiplication B2',
  msm_c: 'multiplication C',
  msm_h: 'multiplication H',
  finish: 'assembling',
  verify: 'verifying',
  setup: 'set-up',
};

// Each phase's share of one proof's time, measured on dense circuits; sparse ones are quicker than promised.
const proofShares: Partial<Record<Phase, number>> = {
  synthesis: 5,
  ntt: 5,
  msm_h: 18,
  msm_a: 16,
  msm_b1: 11,
  msm_b2: 26,
  msm_c: 17,
  finish: 1,
  verify: 1,
};
const proofTotal = 100;
const loadTotal = 10;
const checkTotal = 80;

const within = ({ done, total }: Progress) => (total > 0 ? Math.min(done / total, 1) : 0);

/** How far one proof is. */
class ProofProgress {
  #phase: Phase = 'idle';
  readonly #ended = new Set<Phase>();
  #isDone = false;

  update({ phase }: Progress): void {
    if (phase === this.#phase) return;
    this.#ended.add(this.#phase);
    this.#phase = phase;
  }
  end(): void {
    this.#isDone = true;
  }
  /** Of `proofTotal`. */
  spent(report: Progress | undefined): number {
    if (this.#isDone) return proofTotal;
    let share = 0;
    for (const phase of this.#ended) share += proofShares[phase] ?? 0;
    if (report && !this.#ended.has(report.phase)) share += (proofShares[report.phase] ?? 0) * within(report);
    return Math.min(share, proofTotal);
  }
}

/** The overall share of a job of some partitions behind one key. Never goes back. */
export class JobProgress {
  readonly #proofs: ProofProgress[];
  readonly #reports: (Progress | undefined)[];
  #checking = false;
  #key: Progress | undefined;
  #isLoaded = false;
  #fraction = 0;

  constructor(partitions: number) {
    this.#proofs = Array.from({ length: partitions }, () => new ProofProgress());
    this.#reports = this.#proofs.map(() => undefined);
  }

  get fraction(): number {
    return this.#fraction;
  }

  /** Takes a report about the key and returns the whole job's share. */
  key(report: Progress): number {
    if (report.phase === 'check') this.#checking = true;
    this.#key = report;
    return this.#update();
  }

  /** Takes a report about a partition and returns the whole job's share. */
  partition(partition: number, report: Progress): number {
    this.#isLoaded = true;
    this.#proofs[partition]?.update(report);
    this.#reports[partition] = report;
    return this.#update();
  }

  /** A partition is proved. */
  done(partition: number): number {
    this.#isLoaded = true;
    this.#proofs[partition]?.end();
    return this.#update();
  }

  #update(): number {
    const before = loadTotal + (this.#checking ? checkTotal : 0);
    const all = before + this.#proofs.length * proofTotal;
    let spent = this.#isLoaded ? before : this.#keySpent();
    for (const [i, proof] of this.#proofs.entries()) spent += proof.spent(this.#reports[i]);
    this.#fraction = Math.max(this.#fraction, Math.min(spent / all, 0.999));
    return this.#fraction;
  }

  #keySpent(): number {
    if (!this.#key) return 0;
    if (this.#key.phase === 'load') return loadTotal * within(this.#key);
    return this.#key.phase === 'check' ? loadTotal + checkTotal * within(this.#key) : 0;
  }
}

/** The time left, or undefined while it is too early to tell. */
export function timeLeftMs(fraction: number, elapsedMs: number): number | undefined {
  if (elapsedMs < 1000 || fraction < 0.03) return undefined;
  return (elapsedMs * (1 - fraction)) / fraction;
}
