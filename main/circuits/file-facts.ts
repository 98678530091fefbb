// What a file of any of the formats says about itself, in words for people.

import { formatBytes, formatCount } from '../contract/units.ts';
import type { CallOptions, Inspection, Prover } from '../prover/prover.ts';
import { inspectJson, type JsonInspection } from './inspect-json.ts';

export const formatNames: Record<string, string> = {
  zkey: 'proving key (.zkey)',
  wtns: 'witness (.wtns)',
  r1cs: 'constraint system (.r1cs)',
  sym: 'signal names (.sym)',
  'verification_key.json': 'verification key (verification_key.json)',
  'proof.json': 'proof (proof.json)',
  'public.json': 'public signals (public.json)',
};

const labels: Record<string, string> = {
  nVars: 'variables',
  nPublic: 'public signals',
  nCoefs: 'coefficients',
  nRemoved: 'of them optimised away',
  insecure: 'INSECURE',
  fileBytes: 'size',
};

/** `nPublicOutputs` is `public outputs` to a person. */
function label(key: string): string {
  const words = key.replace(/^n(?=[A-Z])/, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return labels[key] ?? words.toLowerCase();
}

function shown(key: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value !== 'number') return String(value);
  return key.endsWith('Bytes') ? formatBytes(value) : formatCount(value);
}

/** Reads the file. Rejects with what is wrong with it, at which byte. */
export async function inspectFile(
  file: string,
  prover: () => Promise<Pick<Prover, 'inspect'>>,
  options: CallOptions = {},
): Promise<Inspection | JsonInspection> {
  return (await inspectJson(file)) ?? (await (await prover()).inspect(file, options));
}

/** What was found, but for the format, by name and value; names from outside are as they are. */
export function factsOf({ format: _, ...rest }: Inspection | JsonInspection): [name: string, value: string][] {
  return Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [label(key), shown(key, value)]);
}
