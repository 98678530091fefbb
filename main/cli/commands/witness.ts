// cuzk witness: what a circuit computes from its inputs, as a .wtns file.
import { statSync } from 'node:fs';
import { beside } from '../../circuits/siblings.ts';
import { WitnessCalculator } from '../../circuits/witness-calculator.ts';
import { writeWhole } from '../../circuits/write-whole.ts';
import type { Context } from '../context.ts';
import { formatBytes, formatDuration, printable } from '../format.ts';
import { refuseUnreadable } from '../named-files.ts';
import { refuseOverwriting } from '../overwriting.ts';

export interface WitnessOptions {
  output: string;
  sym?: string;
  timeout?: number;
}

export async function witness(context: Context, wasm: string, input: string, options: WitnessOptions): Promise<number> {
  const { output, signal } = context;
  const startedAt = performance.now();
  const symFile = options.sym ?? beside(wasm, '.sym');
  const timeoutMs = options.timeout === undefined ? undefined : options.timeout * 1000;
  refuseOverwriting([wasm, input, symFile], [options.output]);
  await refuseUnreadable([wasm, input, options.sym]);
  await using calculator = new WitnessCalculator(wasm, { symFile, timeoutMs });
  const onLog = (line: string) => output.note({ event: 'log', input, line }, `log: ${line}`);
  await writeWhole(options.output, await calculator.compute(input, { signal, onLog }));
  const { size } = statSync(options.output);
  const ms = Math.round(performance.now() - startedAt);
  const event = { event: 'witness', wasm, input, witness: options.output, bytes: size, ms };
  output.result(event, `${printable(options.output)}: ${formatBytes(size)}, computed in ${formatDuration(ms)}`);
  return 0;
}
