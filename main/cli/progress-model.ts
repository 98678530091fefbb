// How far a job is, as one number from 0 to 1: pure arithmetic over what the prover reports.
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

/** The overall share of a job of some partitions behind one key. Never goes back. */
export class JobProgress {
  readonly #partitions: number;
  #partition = -1;
  #checking = false;
  #phase: Phase = 'idle';
  #ended = new Set<Phase>();
  #fraction = 0;

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  /** Proving of the next partition begins. */
  nextPartition(): void {
    this.#partition++;
    this.#ended.clear();
    this.#phase = 'idle';
  }

  get fraction(): number {
    return this.#fraction;
  }

  /** Takes a report and returns the whole job's share. */
  update({ phase, done, total }: Progress): number {
    if (phase === 'check' && this.#partition < 0) this.#checking = true;
    if (phase !== this.#phase) {
      this.#ended.add(this.#phase);
      this.#phase = phase;
    }
    const within = total > 0 ? Math.min(done / total, 1) : 0;
    const before = loadTotal + (this.#checking ? checkTotal : 0);
    const all = before + this.#partitions * proofTotal;
    this.#fraction = Math.max(this.#fraction, Math.min(this.#spent(within, before) / all, 0.999));
    return this.#fraction;
  }

  #spent(within: number, before: number): number {
    if (this.#partition < 0) {
      if (this.#phase === 'load') return loadTotal * within;
      return this.#phase === 'check' ? loadTotal + checkTotal * within : 0;
    }
    let share = 0;
    for (const phase of this.#ended) share += proofShares[phase] ?? 0;
    share += this.#ended.has(this.#phase) ? 0 : (proofShares[this.#phase] ?? 0) * within;
    return before + (this.#partition + Math.min(share / proofTotal, 1)) * proofTotal;
  }
}

/** The time left, or undefined while it is too early to tell. */
export function timeLeftMs(fraction: number, elapsedMs: number): number | undefined {
  if (elapsedMs < 1000 || fraction < 0.03) return undefined;
  return (elapsedMs * (1 - fraction)) / fraction;
}
