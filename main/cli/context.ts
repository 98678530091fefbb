// What every command is given: where to speak, the signal that stops it, and the prover when it asks for one.
import type { Prover } from '../prover/prover.ts';
import type { Output } from './output.ts';

export interface Context {
  output: Output;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  /** Loads the native prover on first use, with as many threads as the command line says. */
  prover(): Promise<Prover>;
}

/** A mistake in the command line itself: exit code 2. */
export class UsageError extends Error {}
