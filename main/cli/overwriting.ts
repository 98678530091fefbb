// No result goes over a file that it is made from: circuits take long to compile, and keys cannot be made again.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './context.ts';

/** The file that a path leads to, through links; a file that is not there yet is known by its path. */
function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : resolve(path);
}

/** Throws UsageError when an output is one of the inputs, or two outputs are the same file. */
export function refuseOverwriting(inputs: (string | undefined)[], outputs: string[]): void {
  const identities = (paths: string[]) =>
    paths.flatMap((path) => {
      try {
        return [[identityOf(path), path] as const];
      } catch {
        // Whoever opens it says what is wrong with it.
        return [];
      }
    });
  const read = new Map(identities(inputs.filter((path) => path !== undefined)));
  const written = new Map<string, string>();
  for (const [identity, output] of identities(outputs)) {
    const input = read.get(identity);
    if (input !== undefined) {
      const same = input === output ? `${output} is` : `${output} and ${input} are the same file,`;
      throw new UsageError(`${same} an input, and the output would overwrite it: choose another name for the output`);
    }
    const other = written.get(identity);
    if (other !== undefined) throw new UsageError(`${other} and ${output} are the same file, for two outputs: give each its own`);
    written.set(identity, output);
  }
}
