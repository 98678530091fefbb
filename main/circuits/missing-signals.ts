// Names the input signals that an input file lacks: a circom calculator knows its inputs by hash only, the .sym has the names.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CuzkError } from '../contract/errors.ts';
import type { CircomCalculator } from './circom-wasm.ts';
import type { InputSignal } from './circuit-inputs.ts';

/** Enough to act on; a file that lacks more lacks nearly everything. */
const mostNames = 8;

/** The signals of the main component in a .sym (lines `label,witness,component,main.name[index]`), each once, in order. */
async function* mainSignals(symFile: string): AsyncGenerator<string> {
  let last = '';
  for await (const line of createInterface({ input: createReadStream(symFile) })) {
    const name = line.slice(line.lastIndexOf(',') + 1).match(/^main\.([^[.]+)(\[|$)/)?.[1];
    if (name && name !== last) yield name;
    last = name ?? '';
  }
}

/** Completes an `InputMissingSignal` with the names, as far as the .sym tells them; any other problem comes back as it is. */
export async function namedMissingSignals(
  problem: unknown,
  calculator: CircomCalculator,
  given: InputSignal[],
  symFile: string | undefined,
): Promise<unknown> {
  if (!(problem instanceof CuzkError) || problem.code !== 'InputMissingSignal') return problem;
  const { file, message } = problem;
  if (!symFile)
    return new CuzkError(problem.code, message, { file, remedy: "give the circuit's .sym (--sym) to see which are missing" });
  const known = new Set(given.map(({ name }) => name));
  const missing: string[] = [];
  try {
    for await (const name of mainSignals(symFile)) {
      const size = known.has(name) ? undefined : calculator.sizeOf(name);
      if (size === undefined) continue;
      known.add(name);
      missing.push(size === 1 ? name : `${name} (${size} values)`);
    }
  } catch {
    // A .sym that cannot be read leaves the error without names.
  }
  if (missing.length === 0) return problem;
  const more = missing.length > mostNames ? `, and ${missing.length - mostNames} more` : '';
  return new CuzkError(problem.code, `${message}; missing: ${missing.slice(0, mostNames).join(', ')}${more}`, {
    file,
    remedy: 'add the missing signals to the input file',
  });
}
