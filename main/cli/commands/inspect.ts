// cuzk inspect: what a file of any of the formats says about itself.
import { inspectJson } from '../../circuits/inspect-json.ts';
import type { Context } from '../context.ts';
import { formatBytes, formatCount, printable } from '../format.ts';

const formats: Record<string, string> = {
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
  if (Array.isArray(value)) return value.length === 0 ? 'none' : printable(value.join(', '));
  if (typeof value !== 'number') return printable(String(value));
  return key.endsWith('Bytes') ? formatBytes(value) : formatCount(value);
}

export async function inspect({ output, signal, prover }: Context, file: string): Promise<number> {
  const facts = (await inspectJson(file)) ?? (await (await prover()).inspect(file, { signal }));
  const { format, ...rest } = facts;
  const rows = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max('format'.length, ...rows.map(([key]) => label(key).length));
  const lines = rows.map(([key, value]) => `${label(key).padEnd(width)}  ${shown(key, value)}`);
  output.result(
    { event: 'inspection', file, ...facts },
    [`${'format'.padEnd(width)}  ${formats[format] ?? format}`, ...lines].join('\n'),
  );
  return 0;
}
