// What a witness that does not satisfy its circuit is called: the constraint, and its signals by name where the .sym is at hand.
import { CuzkError } from '../contract/errors.ts';
import type { WitnessCheck } from '../prover/prover.ts';

/** A constraint over more signals than this is cut in an error; `cuzk check` lists them all. */
const mostSignals = 4;

export type FailedCheck = Extract<WitnessCheck, { ok: false }>;
type Signal = FailedCheck['signals'][number];

export const signalName = ({ name, index }: Signal): string => name ?? `signal ${index}`;

/** Small values, which people know again, in full; of large ones the ends. */
const shortened = (value: string) => (value.length > 24 ? `${value.slice(0, 6)}...${value.slice(-6)}` : value);

/** The refusal of a witness. `file` is where it came from. */
export function unsatisfied({ constraint, signals }: FailedCheck, file: string): CuzkError {
  // Signal 0 is the constant 1.
  const own = signals.filter(({ index }) => index !== 0);
  const shown = own.slice(0, mostSignals).map((signal) => `${signalName(signal)} = ${shortened(signal.value)}`);
  const more = own.length > shown.length ? `, and ${own.length - shown.length} more` : '';
  const where = shown.length > 0 ? `: ${shown.join(', ')}${more}` : '';
  return new CuzkError('WitnessUnsatisfied', `the witness does not satisfy constraint ${constraint} of the circuit${where}`, {
    file,
    remedy: 'check the inputs that the witness was computed from',
  });
}
