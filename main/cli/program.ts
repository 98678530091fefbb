// The command line's grammar. Each command's code is loaded when it is called, so that none pays for another.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { modes } from '../contract/events.ts';
import type { Context } from './context.ts';
import { printableLines } from './format.ts';
import { addHistoryCommands } from './history-program.ts';
import { withKey } from './prove-arguments.ts';

/** Options that every command has. */
export interface SharedOptions {
  json?: boolean;
  debug?: boolean;
  threads?: number;
}

/** Builds a command's context from its options and runs it; resolves with the exit code. */
export type Runner = (options: SharedOptions, work: (context: Context) => Promise<number>) => Promise<void>;

function threadCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 1024) {
    throw new InvalidArgumentError('a whole number is needed, from 1 to 1024, or 0 for one per core.');
  }
  return value;
}

function positiveSeconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 2_000_000)) throw new InvalidArgumentError('a number of seconds is needed.');
  return value;
}

function gibibytes(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 2 ** 20)) throw new InvalidArgumentError('a number of GiB is needed.');
  return Math.floor(value * 2 ** 30);
}

/** Adds the options that every command has, below its own. */
const debugged = (command: Command) => command.option('--debug', 'show where an error comes from');
const shared = (command: Command) => debugged(command.option('--json', 'one JSON object per line, for programs'));

const threaded = (command: Command) =>
  shared(command.option('--threads <n>', 'how many threads compute (default: one per core)', threadCount));

/** Opens all that stands behind a page. */
const workstation =
  ({ memory }: { memory?: number }) =>
  async ({ output, prover }: Context) => {
    const { openWorkstation } = await import('../host/workstation.ts');
    return await openWorkstation({
      prover: await prover(),
      memoryBytes: memory,
      onNote: (code, text) => output.note({ event: 'note', code }, `note: ${text}`),
    });
  };

export function buildProgram(run: Runner): Command {
  const program = new Command('cuzk')
    .description('Proves and verifies Groth16 circuits (bn254, bls12-381) with the files of circom and snarkjs.')
    .version(packageJson.version, '-V, --version', 'show the version')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(printableLines(text)) })
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', '\nExit codes: 0 done, 1 refused input or invalid proof, 2 wrong usage, 130 interrupted.');

  program
    .command('prove')
    .summary('prove one or more witnesses')
    .description(
      'Proves one or more witnesses of a circuit; each proof is verified before it is written.\n' +
        'One witness: DIR/proof.json and DIR/public.json; several: DIR/0/, DIR/1/, ...\n' +
        'As with other provers, `cuzk prove circuit.zkey witness.wtns proof.json public.json` names the two files.',
    )
    .usage('<circuit.zkey> [witness.wtns...] [options]')
    // Optional for commander alone: a key that stands after the inputs counts as one of them.
    .argument('[circuit.zkey]', 'the proving key')
    .argument('[witness.wtns...]', 'the witnesses')
    .option('-o, --output <dir>', 'where the proofs go (default: this folder)')
    .option('--wasm <file>', 'compute the witnesses with this circuit')
    .option('--input <file...>', 'the input signals, with --wasm')
    .option('--r1cs <file>', 'check each witness against these constraints first (default: the one beside the key)')
    .option('--sym <file>', "the signals' names, for errors (default: the one beside the key)")
    .option('--timeout <seconds>', 'how long computing a witness may take (default: 600)', positiveSeconds)
    .option('--memory <GiB>', "how much memory keys and proofs may take (default: 90 % of the machine's)", gibibytes)
    .addOption(
      new Option('--mode <mode>', 'overlap the partitions, or prove each as one unit')
        .choices(modes)
        .default(undefined, 'pipelined'),
    )
    .option('--device <name>', 'the only device that may prove it, as cuzk devices names it (default: any)')
    .option('--no-history', 'leave the job out of the history')
    .option('--allow-insecure-key', 'prove with a key that proofs can be forged against')
    .action(async (first: string | undefined, files: string[], options) => {
      const { zkey, input } = withKey(first, options);
      await run(options, async (context) =>
        (await import('./commands/prove.ts')).prove(context, zkey, files, { ...options, input }),
      );
    });

  program
    .command('verify')
    .description('verify a proof')
    .argument('<verification_key.json>')
    .argument('<public.json>')
    .argument('<proof.json>')
    .action((vkey: string, publicFile: string, proof: string, options) =>
      run(options, async (context) => (await import('./commands/verify.ts')).verify(context, vkey, publicFile, proof)),
    );

  program
    .command('vkey')
    .description('write the verification key of a proving key')
    .argument('<circuit.zkey>')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .action((zkey: string, options) =>
      run(options, async (context) => (await import('./commands/vkey.ts')).vkey(context, zkey, options)),
    );

  program
    .command('witness')
    .description('compute a witness from input signals')
    .argument('<circuit.wasm>')
    .argument('<input.json>')
    .option('-o, --output <file>', 'the file to write', 'witness.wtns')
    .option('--sym <file>', "the signals' names, for errors (default: the one beside the circuit)")
    .option('--timeout <seconds>', 'how long it may take (default: 600)', positiveSeconds)
    .action((wasm: string, input: string, options) =>
      run(options, async (context) => (await import('./commands/witness.ts')).witness(context, wasm, input, options)),
    );

  program
    .command('check')
    .description('check a witness against the constraints')
    .argument('<circuit.r1cs>')
    .argument('<witness.wtns>')
    .argument('[circuit.sym]')
    .action((r1cs: string, witness: string, sym: string | undefined, options) =>
      run(options, async (context) => (await import('./commands/check.ts')).check(context, r1cs, witness, sym)),
    );

  program
    .command('inspect')
    .description('show what a .zkey, .wtns, .r1cs or .sym holds')
    .argument('<file>')
    .action((file: string, options) =>
      run(options, async (context) => (await import('./commands/inspect.ts')).inspect(context, file)),
    );

  program
    .command('setup')
    .description('make a proving key for development')
    .argument('<circuit.r1cs>')
    .requiredOption('-o, --output <file>', 'the key to write')
    .option('--insecure', 'confirms that the key is for development only')
    .action((r1cs: string, options) =>
      run(options, async (context) => (await import('./commands/setup.ts')).setup(context, r1cs, options)),
    );

  program
    .command('devices')
    .description('list what can prove on this machine')
    .action((options) => run(options, async (context) => (await import('./commands/devices.ts')).devices(context)));

  program
    .command('doctor')
    .description('show what this machine has for proving, and what it lacks')
    .action((options) => run(options, async (context) => (await import('./commands/doctor.ts')).doctor(context)));

  program
    .command('resume')
    .description('prove what a job of the history still lacks, as a new job that keeps the proofs that there are')
    .argument('<job>', 'its id, or the beginning of it')
    .option('-o, --output <dir>', 'write all proofs there: DIR/0/, DIR/1/, ...')
    .option('--memory <GiB>', "how much memory keys and proofs may take (default: 90 % of the machine's)", gibibytes)
    .action((job: string, options) =>
      run(options, async (context) => (await import('./commands/resume.ts')).resume(context, job, options)),
    );

  program
    .command('serve')
    .summary('serve the engine to other tools over HTTP')
    .description(
      'Runs the engine and serves its status, events and metrics over HTTP until it is interrupted; jobs are submitted to it with a token.',
    )
    .option('--listen <host:port>', 'where to listen (default: 127.0.0.1:9077; port 0 takes a free one)')
    .option('--token-file <file>', 'a file with the token that commands need (default: one that is made for this purpose)')
    .option('--memory <GiB>', "how much memory keys and proofs may take (default: 90 % of the machine's)", gibibytes)
    .action((options) =>
      run(options, async (context) => {
        const { serve } = await import('./commands/serve.ts');
        return await serve(context, options, workstation(options));
      }),
    );

  program
    .command('app')
    .summary('show the app in a window')
    .description(
      'Runs the engine and shows the app in a window of an installed Chromium, or prints its address; ends when the window was closed and no job runs.',
    )
    .option('--listen <host:port>', 'where to listen (default: 127.0.0.1, on a port that is free)')
    .option(
      '--memory <GiB>',
      "how much memory keys and proofs may take (default: what is set, or 90 % of the machine's)",
      gibibytes,
    )
    .action((options) =>
      run(options, async (context) => {
        const { app } = await import('./commands/app.ts');
        return await app(context, options, workstation(options));
      }),
    );

  addHistoryCommands(program, run);

  const computing = new Set(['prove', 'resume', 'check', 'setup', 'devices', 'serve', 'app']);
  for (const command of program.commands) {
    // Its own --json names a file.
    if (command.name() === 'export') debugged(command);
    else (computing.has(command.name()) ? threaded : shared)(command);
  }
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}

/** Commander's way of leaving: 0 for help and version that were asked for, 2 for wrong usage. */
export function exitCodeOf(problem: CommanderError): number {
  return problem.code === 'commander.helpDisplayed' || problem.code === 'commander.version' ? 0 : 2;
}

export { CommanderError };
