// cuzk inspect: what a file of any of the formats says about itself.
import type { Inspection } from '../../prover/prover.ts';
import type { Context } from '../context.ts';
import { formatBytes, formatCount } from '../format.ts';

const formats: Record<Inspection['format'], string> = {
  zkey: 'proving key (.zkey, groth16)',
  wtns: 'witness (.wtns)',
  r1cs: 'constraint system (.r1cs)',
  sym: 'signal names (.sym)',
};

/** `nPublicOutputs` is `public outputs` to a person. */
function label(key: string): string {
  const words = key.replace(/^n(?=[A-Z])/, '').replace(/Bytes$/, '');
  return words.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

function shown(key: string, value: unknown): string {
  if (typeof value !== 'number') return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value);
  return key.endsWith('Bytes') ? formatBytes(value) : formatCount(value);
}

export async function inspect({ output, prover }: Context, file: string): Promise<number> {
  const facts = await (await prover()).inspect(file);
  const { format, ...rest } = facts;
  const rows = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...rows.map(([key]) => label(key).length), 'format'.length);
  const lines = rows.map(([key, value]) => `${label(key).padEnd(width)}  ${shown(key, value)}`);
  output.result({ event: 'inspection', file, ...facts }, [`${'format'.padEnd(width)}  ${formats[format]}`, ...lines].join('\n'));
  return 0;
}
