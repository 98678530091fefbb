// The grammar of the commands on the history.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Dimension, dimensions } from '../contract/history.ts';
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

function dimension(text: string, before: Dimension[] = []): Dimension[] {
  const named = text.split(',');
  const isKnown = (name: string): name is Dimension => (dimensions as readonly string[]).includes(name);
  if (!named.every(isKnown)) throw new InvalidArgumentError(`it is one of ${dimensions.join(', ')}, or several with commas.`);
  return [...before, ...named.filter(isKnown)];
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
    .option('--pinned', 'that are pinned')
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
    .command('compare')
    .description('compare two jobs phase by phase')
    .argument('<first>', 'its id, or the beginning of it')
    .argument('<second>')
    .action((first: string, second: string, options) =>
      run(options, async (context) => (await import('./commands/totals.ts')).compare(context, first, second)),
    );

  program
    .command('totals')
    .summary('what the history comes to: jobs by outcome, p50, p95 and p99 of each phase')
    .description('Counts jobs and attempts by outcome, and tells p50, p95 and p99 of each phase. Days are whole, UTC.')
    .option('--by <what...>', `for each ${dimensions.join(', ')}: one, or several with commas`, dimension)
    .option('--since <when>', 'submitted since: an age (12h, 90d, 6w) or a date (2026-11-30)', (text) => moment(text))
    .option('--until <when>', 'submitted until', (text) => moment(text))
    .option('--kind <kind>', 'of this kind')
    .option('--circuit <circuit>', 'of this circuit: its whole path')
    .option('--device <device>', 'on this device')
    .action((options) => run(options, async (context) => (await import('./commands/totals.ts')).totals(context, options)));

  program
    .command('note')
    .description('set a job’s note')
    .argument('<job>', 'its id, or the beginning of it')
    .argument('<text>', "'' takes it away")
    .action((job: string, text: string, options) =>
      run(options, async (context) => (await import('./commands/marks.ts')).note(context, job, text)),
    );

  program
    .command('tag')
    .description('give a job tags, or take them away')
    .argument('<job>', 'its id, or the beginning of it')
    .argument('[tags...]', 'tags that it gets')
    .option('--remove <tag...>', 'tags that it loses', list)
    .action((job: string, tags: string[], options) =>
      run(options, async (context) => (await import('./commands/marks.ts')).tag(context, job, tags, options.remove ?? [])),
    );

  for (const [name, pinned, what] of [
    ['pin', true, 'keep a job when old ones are pruned'],
    ['unpin', false, 'let a job be pruned again'],
  ] as const)
    program
      .command(name)
      .description(what)
      .argument('<job>', 'its id, or the beginning of it')
      .action((job: string, options) =>
        run(options, async (context) => (await import('./commands/marks.ts')).pin(context, job, pinned)),
      );

  program
    .command('delete')
    .description('delete jobs that have ended, with their proofs')
    .argument('<jobs...>', 'their ids, or the beginnings of them')
    .action((jobs: string[], options) =>
      run(options, async (context) => (await import('./commands/marks.ts')).remove(context, jobs)),
    );

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
