// cuzk totals, compare: what the history comes to, and two jobs phase by phase.
import { type Dimension, outcomes, type Totals, type TotalsRequest } from '../../contract/history.ts';
import { compare as comparePhases } from '../../history/compare.ts';
import { detailsOf } from '../../history/summaries.ts';
import { totalsOf } from '../../history/totals.ts';
import type { Context } from '../context.ts';
import { formatCount, formatDuration } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';

export interface TotalsOptions {
  by?: Dimension[];
  since?: number;
  until?: number;
  kind?: string;
  circuit?: string;
  device?: string;
}

/** Of a million partitions, `cuzk totals` prints one line for each group and phase: names, then numbers in columns. */
export async function totals(context: Context, options: TotalsOptions): Promise<number> {
  const { by = [], since, until, kind, circuit, device } = options;
  const request: TotalsRequest = { by, sinceMs: since, untilMs: until, kind, circuit, device };
  return await withHistory(context, ({ db }) => {
    const groups = totalsOf(db, request);
    if (groups.length === 0) context.output.note({ event: 'totals', groups: 0 }, 'nothing has ended yet that this asks for');
    for (const group of groups) context.output.result({ event: 'totals', ...group }, groupText(group, by).join('\n'));
    return 0;
  });
}

const dayMs = 86_400_000;

function groupText({ key, jobs, attempts, times }: Totals, by: readonly Dimension[]): string[] {
  const names = by.map((name) => {
    if (name === 'day') return new Date(key.day! * dayMs).toISOString().slice(0, 10);
    return name === 'device' && key.device === '' ? 'jobs' : key[name];
  });
  const title = names.length > 0 ? [names.join('  ')] : [];
  const counted = ([name, counts]: [string, Totals['jobs']]) => {
    const parts = outcomes.filter((outcome) => counts[outcome] > 0).map((outcome) => `${formatCount(counts[outcome])} ${outcome}`);
    return parts.length > 0 ? [`  ${name.padEnd(12)}${parts.join(', ')}`] : [];
  };
  const ms = (us: number) => formatDuration(us / 1000).padStart(10);
  const timed = Object.entries(times).map(
    ([name, { count, p50Us, p95Us, p99Us }]) =>
      `  ${name.padEnd(12)}${ms(p50Us)}${ms(p95Us)}${ms(p99Us)}${formatCount(count).padStart(12)}`,
  );
  const head = `  ${'time'.padEnd(12)}${['p50', 'p95', 'p99'].map((name) => name.padStart(10)).join('')}${'of'.padStart(12)}`;
  return [
    ...title,
    ...counted(['jobs', jobs]),
    ...counted(['attempts', attempts]),
    ...(timed.length > 0 ? [head, ...timed] : []),
    ...(by.length > 0 ? [''] : []),
  ];
}

export async function compare(context: Context, first: string, second: string): Promise<number> {
  return await withHistory(context, ({ db }) => {
    const [a, b] = [first, second].map((text) => detailsOf(db, jobNamed(db, text))) as [Details, Details];
    const phases = comparePhases(a.attempts, b.attempts);
    const facts: [string, string, string][] = [
      ['job', a.id, b.id],
      ['state', a.state, b.state],
      ['circuit', a.circuit, b.circuit],
      ['kind', a.kind, b.kind],
      ['devices', a.devices.join('+'), b.devices.join('+')],
      ['partitions', `${a.done}/${a.partitions}`, `${b.done}/${b.partitions}`],
      ['mode', a.mode, b.mode],
      ['priority', a.priority, b.priority],
      ['version', a.app ?? '', b.app ?? ''],
      ['took', took(a.durationUs), took(b.durationUs)],
    ];
    // What is alike is said once, so that what differs is seen.
    const about = facts.flatMap(([name, x, y]) => {
      if (x === y) return x === '' ? [] : [`${name.padEnd(13)}${x}`];
      return [`${name.padEnd(13)}${x || '-'}  |  ${y || '-'}`];
    });
    const rows = phases.map(({ phase, aUs, bUs, deltaUs, ratio }) => {
      const sign = deltaUs === null ? '' : `${deltaUs < 0 ? '-' : '+'}${formatDuration(Math.abs(deltaUs) / 1000)}`;
      const share = ratio === null ? '' : `${ratio < 0 ? '-' : '+'}${Math.abs(ratio * 100).toFixed(1)} %`;
      return `  ${phase.padEnd(12)}${took(aUs).padStart(10)}${took(bUs).padStart(10)}${sign.padStart(11)}${share.padStart(10)}`.trimEnd();
    });
    const head = `  ${'mean of'.padEnd(12)}${'first'.padStart(10)}${'second'.padStart(10)}${'more'.padStart(11)}`;
    const text = [...about, ...(rows.length > 0 ? ['', head, ...rows] : [])].join('\n');
    context.output.result({ event: 'comparison', a: brief(a), b: brief(b), phases }, text);
    return 0;
  });
}

type Details = ReturnType<typeof detailsOf>;
const took = (us: number | null) => (us === null ? '-' : formatDuration(us / 1000));
/** Of each job what the table says: its attempts are `cuzk show`'s. */
const brief = ({ attempts: _, proved: __, request: ___, ...summary }: Details) => summary;
