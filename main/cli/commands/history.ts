// cuzk history, show, prune: what was run.
import {
  type AttemptSummary,
  type Cursor,
  type JobFilter,
  type JobSummary,
  jobPhases,
  type SortColumn,
} from '../../contract/history.ts';
import { type JobPhase, spanNames } from '../../contract/state.ts';
import { csvHeader, csvLine } from '../../history/export/csv.ts';
import { pageOf } from '../../history/pages.ts';
import { plan } from '../../history/prune.ts';
import { detailsOf } from '../../history/summaries.ts';
import { changes } from '../../history/upkeep.ts';
import { type Context, UsageError } from '../context.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';

export interface HistoryOptions {
  search?: string;
  state?: string[];
  kind?: string[];
  device?: string;
  tag?: string;
  pinned?: boolean;
  since?: number;
  until?: number;
  sort: SortColumn;
  ascending?: boolean;
  limit: number;
  csv?: boolean;
}

const isJobPhase = (text: string): text is JobPhase => (jobPhases as readonly string[]).includes(text);

export async function history(context: Context, options: HistoryOptions): Promise<number> {
  const { output } = context;
  const { search, state, kind, device, tag, pinned, since, until, sort, ascending, limit } = options;
  const wrong = state?.find((one) => !isJobPhase(one));
  if (wrong !== undefined) throw new UsageError(`--state ${wrong}: it is one of ${jobPhases.join(', ')}`);
  const filter: JobFilter = {
    text: search,
    states: state?.filter(isJobPhase),
    kinds: kind,
    device,
    tag,
    pinned,
    sinceMs: since,
    untilMs: until,
  };
  return await withHistory(context, ({ db }) => {
    let left = limit;
    let after: Cursor | undefined;
    let total: number | undefined;
    if (options.csv) output.raw({ event: 'csv' }, csvHeader);
    do {
      const page = pageOf(db, { ...filter, sort, ascending, after, limit: Math.min(left, 200) });
      for (const job of page.jobs) {
        if (options.csv) output.raw({ event: 'job', ...job }, csvLine(job));
        else output.result({ event: 'job', ...job }, jobLine(job));
      }
      left -= page.jobs.length;
      [after, total] = [page.next, page.total];
    } while (after && left > 0);
    const shown = limit - left;
    if (shown === 0) output.note({ event: 'history', jobs: 0 }, 'no jobs');
    else if (after) {
      const of = total === undefined ? '' : ` of ${formatCount(total)}`;
      output.note(
        { event: 'history', jobs: shown, total },
        `${plural(shown, 'job')}${of}: --limit shows more, --search and --state find some`,
      );
    }
    return 0;
  });
}

const moment = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

function jobLine({ id, state, kind, partitions, done, submittedMs, durationUs, devices, note, error }: JobSummary): string {
  const took = durationUs === null ? '' : formatDuration(durationUs / 1000);
  const about = note || (error ? error.code : '');
  return [
    id.padEnd(12),
    moment(submittedMs),
    state.padEnd(11),
    took.padStart(8),
    `${done}/${partitions}`.padStart(7),
    kind,
    devices.join('+'),
    about,
  ]
    .join('  ')
    .trimEnd();
}

export async function show(context: Context, text: string): Promise<number> {
  return await withHistory(context, ({ db }) => {
    const job = detailsOf(db, jobNamed(db, text));
    const { id, state, kind, circuit, submittedMs, durationUs, devices, mode, priority, error, note, tags, retryOf, origin, app } =
      job;
    const facts: [string, string][] = [
      ['job', id],
      ['state', state + (error ? `: ${error.message}${error.file ? ` (${error.file})` : ''}` : '')],
      ['kind', kind],
      ['circuit', circuit],
      ['submitted', `${moment(submittedMs)} UTC`],
      ['took', durationUs === null ? '' : formatDuration(durationUs / 1000)],
      ['partitions', `${job.done} of ${job.partitions} done, ${plural(job.proved.length, 'proof')} kept`],
      ['ran', [mode, priority === 'normal' ? '' : priority, devices.join(', '), app ?? ''].filter(Boolean).join(', ')],
      ['again', retryOf === null ? '' : `the job ${retryOf}`],
      ['note', note],
      ['tags', tags.join(', ')],
      ['from', origin ?? ''],
      ['takes', formatBytes(job.bytes)],
    ];
    const lines = facts.filter(([, value]) => value !== '').map(([name, value]) => `${name.padEnd(11)}${value}`);
    context.output.result({ event: 'job', ...job }, [...lines, ...phaseLines(job.attempts), ...mishaps(job.attempts)].join('\n'));
    return 0;
  });
}

/** The phases of the partitions that are done: the mean and the longest. */
function phaseLines(attempts: readonly AttemptSummary[]): string[] {
  const done = attempts.filter(({ phase }) => phase === 'done');
  const lines = spanNames.flatMap((name) => {
    const times = done.flatMap(({ times: { [name]: us } }) => (us === undefined ? [] : [us]));
    if (times.length === 0) return [];
    const mean = times.reduce((sum, us) => sum + us, 0) / times.length / 1000;
    return [`  ${name.padEnd(12)}${formatDuration(mean).padStart(10)}${formatDuration(Math.max(...times) / 1000).padStart(10)}`];
  });
  return lines.length > 0 ? ['', `  ${'phase'.padEnd(12)}${'mean'.padStart(10)}${'longest'.padStart(10)}`, ...lines] : [];
}

function mishaps(attempts: readonly AttemptSummary[]): string[] {
  const lines = attempts.flatMap(({ partition, attempt, phase, device, error }) =>
    phase !== 'done' && error
      ? [`  partition ${partition}, attempt ${attempt}${device ? ` on ${device}` : ''}: ${phase}: ${error.message}`]
      : [],
  );
  return lines.length > 0 ? ['', ...lines] : [];
}

export interface PruneOptions {
  olderThan?: number;
  largerThan?: number;
  dryRun?: boolean;
}

export async function prune(context: Context, { olderThan, largerThan, dryRun }: PruneOptions): Promise<number> {
  if (olderThan === undefined && largerThan === undefined)
    throw new UsageError('say what is to go: --older-than 90d, or --larger-than 20GiB');
  const request = { beforeMs: olderThan === undefined ? undefined : Date.now() - olderThan, mostBytes: largerThan };
  return await withHistory(context, ({ db, write }) => {
    const { pinned, ...would } = plan(db, request);
    const { jobs, bytes } = dryRun ? { jobs: would.jobs.length, bytes: would.bytes } : write(() => changes.prune(db, request));
    const kept = pinned > 0 ? `; ${plural(pinned, 'pinned job')} ${pinned === 1 ? 'stays' : 'stay'}` : '';
    const text = `${plural(jobs, 'job')} (${formatBytes(bytes)}) ${dryRun ? 'would be' : 'were'} deleted${kept}`;
    context.output.result({ event: 'pruned', jobs, bytes, pinned, dryRun: dryRun ?? false }, text);
    return 0;
  });
}
