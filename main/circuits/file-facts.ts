// What a file of any of the formats says about itself, in words for people.

import { readFile } from 'node:fs/promises';
import { asCuzkError } from '../contract/errors.ts';
import { formatBytes, formatCount } from '../contract/units.ts';
import type { CallOptions, Inspection, Prover } from '../prover/prover.ts';
import { compileCircom } from './circom-wasm.ts';
import { parseInputs } from './circuit-inputs.ts';
import { inspectJson, type JsonInspection } from './inspect-json.ts';

export const formatNames: Record<string, string> = {
  zkey: 'proving key (.zkey)',
  wtns: 'witness (.wtns)',
  r1cs: 'constraint system (.r1cs)',
  sym: 'signal names (.sym)',
  wasm: 'witness calculator (.wasm)',
  'input.json': 'input signals (input.json)',
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

/** What was found; numbers of bytes end with `Bytes`, other numbers begin with `n` or count what they are called. */
export type AnyInspection = Inspection | JsonInspection | ({ format: 'wasm' | 'input.json' } & Record<string, unknown>);

/** Reads the file. Rejects with what is wrong with it, at which byte. */
export async function inspectFile(
  file: string,
  prover: () => Promise<Pick<Prover, 'inspect'>>,
  options: CallOptions = {},
): Promise<AnyInspection> {
  const json = await inspectJson(file);
  if (json) return json;
  if (file.endsWith('.wasm')) return await inspectWasm(file);
  if (file.endsWith('.json')) return await inspectInput(file);
  return await (await prover()).inspect(file, options);
}

async function inspectWasm(file: string): Promise<AnyInspection> {
  const bytes = await readWhole(file);
  await compileCircom(bytes, file);
  return { format: 'wasm', fileBytes: bytes.length };
}

async function inspectInput(file: string): Promise<AnyInspection> {
  const bytes = await readWhole(file);
  const signals = parseInputs(bytes.toString('utf8'), file);
  return {
    format: 'input.json',
    signals: signals.length,
    values: signals.reduce((sum, { values }) => sum + values.length, 0),
    fileBytes: bytes.length,
  };
}

async function readWhole(file: string) {
  try {
    return await readFile(file);
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
}

/** What was found, but for the format, by name and value; names from outside are as they are. */
export function factsOf({ format: _, ...rest }: AnyInspection): [name: string, value: string][] {
  return Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [label(key), shown(key, value)]);
}
