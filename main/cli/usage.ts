// Wrong usage, told to people and programs.
import { CuzkError } from '../contract/errors.ts';
import type { UsageError } from './context.ts';
import type { CommanderError } from './program.ts';

/** What the command line asks for although it could not be understood; after `--` there are only files. */
export function asksForJson(args: string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** The refusal of a command line, of which `command` is the first word. */
export function usageError(problem: UsageError | CommanderError, command: string | undefined): CuzkError {
  const known = command !== undefined && /^[a-z]+$/.test(command) && !/unknown command/.test(problem.message);
  // Commander's own words are for people, with a prefix.
  return new CuzkError('Usage', problem.message.replace(/^error: /, ''), {
    remedy: `cuzk ${known ? `${command} ` : ''}--help`,
    cause: problem,
  });
}
