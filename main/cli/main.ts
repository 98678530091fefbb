// The command line's entry: runs one command, turns its end into an exit code, and leaves at once.
import { abortedCode, asCuzkError } from '../contract/errors.ts';
import type { Prover } from '../prover/prover.ts';
import { UsageError } from './context.ts';
import { Output } from './output.ts';
import { buildProgram, CommanderError, exitCodeOf, type Runner } from './program.ts';
import { asksForJson, usageError } from './usage.ts';

const exitCodes = { refused: 1, usage: 2, hungUp: 129, interrupted: 130, terminated: 143 };

let exitCode = 0;

const run: Runner = async (options, work) => {
  const output = new Output(process, { json: options.json ?? false, debug: options.debug ?? false });
  const stop = new AbortController();
  const stopOn = (code: number) => () => {
    // A second Ctrl-C does not wait for anything.
    if (stop.signal.aborted) process.exit(code);
    exitCode = code;
    stop.abort();
  };
  process
    .on('SIGINT', stopOn(exitCodes.interrupted))
    .on('SIGTERM', stopOn(exitCodes.terminated))
    .on('SIGHUP', stopOn(exitCodes.hungUp));

  let loaded: Promise<Prover> | undefined;
  const load = async () => {
    const { NativeProver } = await import('../prover/native/native-prover.ts');
    const prover = new NativeProver();
    if (options.threads !== undefined) prover.setThreads(options.threads);
    return prover;
  };
  const prover = () => {
    loaded ??= load();
    return loaded;
  };
  try {
    const code = await work({ output, signal: stop.signal, prover });
    if (!stop.signal.aborted) exitCode = code;
  } catch (problem) {
    if (problem instanceof UsageError) throw problem;
    const error = asCuzkError(problem);
    output.fail(error);
    if (error.code !== abortedCode || exitCode === 0) exitCode = exitCodes.refused;
  }
};

// A reader that has seen enough (`cuzk vkey ... | head`) is no failure.
process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
  if (problem.code === 'EPIPE' || exitCode === exitCodes.hungUp) process.exit(exitCode);
  const reason = problem.code === 'ENOSPC' ? 'the disk is full' : problem.message;
  process.stderr.write(`error: the output cannot be written: ${reason}\n`);
  process.exit(exitCodes.refused);
});

// Nobody is left to tell, in a terminal that was closed for one; the computation and its exit code stand.
process.stderr.on('error', () => {});

const program = buildProgram(run);
try {
  await program.parseAsync();
} catch (problem) {
  if (!(problem instanceof UsageError || problem instanceof CommanderError)) throw problem;
  exitCode = problem instanceof UsageError ? exitCodes.usage : exitCodeOf(problem);
  const args = process.argv.slice(2);
  const error = usageError(problem, args[0]);
  // Commander has told people its own errors.
  if (problem instanceof UsageError) new Output(process, { json: false, debug: false }).fail(error);
  if (exitCode === exitCodes.usage && asksForJson(args)) new Output(process, { json: true, debug: false }).fail(error);
}
// Nothing is left to do: do not wait for idle threads or timers.
process.exitCode = exitCode;
process.stdout.write('', (problem) => {
  // A failed output has its own end, above.
  if (!problem) process.exit(exitCode);
});
