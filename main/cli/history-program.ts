// The grammar of the commands on the history.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Runner } from './program.ts';

const units: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `12h`, `90d`, `6w` in milliseconds. */
function age(text: string): number {
  const [, count, unit] = text.match(/^(\d{1,6})([hdw])$/) ?? [];
  if (!count || !unit) throw new InvalidArgumentError('an age is needed: 12h, 90d or 6w.');
  return Number(count) * units[unit]!;
}

/** An age before now, or a date, in milliseconds since 1970. */
export function moment(text: string, now = Date.now()): number {
  if (/^\d{1,6}[hdw]$/.test(text)) return now - age(text);
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('an age (12h, 90d, 6w) or a date (2026-11-30) is needed.');
  return at;
}

function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 10_000) throw new InvalidArgumentError('a number from 1 to 10000 is needed.');
  return value;
}

function size(text: string): number {
  const [, number, unit] = text.match(/^(\d{1,9})(MiB|GiB|TiB)$/) ?? [];
  if (!number) throw new InvalidArgumentError('a size is needed: 500MiB, 20GiB.');
  return Number(number) * 2 ** { MiB: 20, GiB: 30, TiB: 40 }[unit as 'MiB' | 'GiB' | 'TiB'];
}

const list = (text: string, before: string[] = []) => [...before, ...text.split(',')];

export function addHistoryCommands(program: Command, run: Runner): void {
  program
    .command('history')
    .summary('list the jobs that were run')
    .description('Lists the jobs that were run, the newest first.')
    .option('--search <text>', 'in the circuit, the kind or the note, or the beginning of the id')
    .option('--state <state...>', 'queued, running, succeeded, failed, cancelled, interrupted', list)
    .option('--kind <kind...>', 'of these kinds', list)
    .option('--device <device>', 'that ran on this device')
    .option('--tag <tag>', 'with this tag')
    .option('--since <when>', 'submitted since: an age (12h, 90d, 6w) or a date (2026-11-30)', (text) => moment(text))
    .option('--until <when>', 'submitted before', (text) => moment(text))
    .addOption(
      new Option('--sort <column>', 'what comes first')
        .choices(['submitted', 'duration', 'partitions', 'state', 'kind', 'circuit', 'devices', 'priority'])
        .default('submitted'),
    )
    .option('--ascending', 'the oldest, shortest, first in the alphabet first')
    .option('--limit <n>', 'how many', count, 20)
    .option('--csv', 'as CSV, for spreadsheets')
    .action((options) => run(options, async (context) => (await import('./commands/history.ts')).history(context, options)));

  program
    .command('show')
    .description('show a job: its times by phase, its partitions, what went wrong')
    .argument('<job>', 'its id, or the beginning of it')
    .action((job: string, options) => run(options, async (context) => (await import('./commands/history.ts')).show(context, job)));

  program
    .command('export')
    .description('write a job, its proofs or its timeline to a file')
    .argument('<job>', 'its id, or the beginning of it')
    .option(
      '--proofs <path>',
      'a folder for proof.json and public.json; or a .bin file: bls12-381, compressed, 192 bytes a partition',
    )
    .option('--trace <file>', 'the timeline, for https://ui.perfetto.dev or chrome://tracing')
    .option('--json <file>', 'the whole job, for `cuzk import`')
    // Its --json names a file: nothing else is printed as JSON.
    .action((job: string, options) =>
      run({ ...options, json: false }, async (context) =>
        (await import('./commands/export.ts')).exportFiles(context, job, options),
      ),
    );

  program
    .command('import')
    .description('read a job that `cuzk export --json` wrote on another machine')
    .argument('<file>')
    .action((file: string, options) =>
      run(options, async (context) => (await import('./commands/export.ts')).importFile(context, file)),
    );

  program
    .command('prune')
    .description('delete old jobs; pinned ones stay')
    .option('--older-than <age>', 'jobs submitted longer ago than 12h, 90d, 6w', age)
    .option('--larger-than <size>', 'the oldest, until the rest takes no more than 500MiB, 20GiB', size)
    .option('--dry-run', 'only say what would go')
    .action((options) => run(options, async (context) => (await import('./commands/history.ts')).prune(context, options)));
}
