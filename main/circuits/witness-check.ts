// What a witness that does not satisfy its circuit is called: the constraint, and its signals by name where the .sym is at hand.
import { CuzkError } from '../contract/errors.ts';
import type { WitnessCheck } from '../prover/prover.ts';

/** A constraint over more signals than this is cut; `cuzk check` lists them all. */
const mostSignals = 6;

export type FailedCheck = Extract<WitnessCheck, { ok: false }>;

export const signalName = ({ name, index }: FailedCheck['signals'][number]): string => name ?? `signal ${index}`;

export function unsatisfied({ constraint, signals }: FailedCheck, witness: string): CuzkError {
  const shown = signals.slice(0, mostSignals).map((signal) => `${signalName(signal)} = ${signal.value}`);
  const more = signals.length > shown.length ? `, and ${signals.length - shown.length} more` : '';
  return new CuzkError('WitnessUnsatisfied', `the witness does not satisfy constraint ${constraint} (${shown.join(', ')}${more})`, {
    file: witness,
    remedy: 'check the inputs that the witness was computed from',
  });
}
