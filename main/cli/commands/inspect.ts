// cuzk inspect: what a file of any of the formats says about itself.
import { factsOf, formatNames, inspectFile } from '../../circuits/file-facts.ts';
import type { Context } from '../context.ts';
import { printable } from '../format.ts';

export async function inspect({ output, signal, prover }: Context, file: string): Promise<number> {
  const inspection = await inspectFile(file, prover, { signal });
  const { format } = inspection;
  const rows: [string, string][] = [['format', formatNames[format] ?? format], ...factsOf(inspection)];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`);
  output.result({ event: 'inspection', file, ...inspection }, lines.join('\n'));
  return 0;
}
