// What the history comes to: jobs and attempts by outcome, and percentiles of their times, by day, kind, circuit and device.
import type { Database } from 'better-sqlite3';
import { type Outcome, outcomes, type Totals, type TotalsRequest } from '../contract/history.ts';
import { HistogramSum } from './histogram.ts';
import { dayOf, type TallyKey } from './tallies.ts';

interface Group {
  totals: Totals;
  times: Uint8Array[];
}

type Row = TallyKey & Record<Outcome, number> & { times: Uint8Array };

const none = (): Record<Outcome, number> => ({ succeeded: 0, failed: 0, cancelled: 0, interrupted: 0, retried: 0 });

/** One entry for each combination of the dimensions, in their order; jobs have no one device, so with `device` they stand under ''. */
export function totalsOf(db: Database, request: TotalsRequest = {}): Totals[] {
  const { by = [], sinceMs, untilMs, kind, circuit, device } = request;
  const rows = db
    .prepare(
      `SELECT * FROM totals WHERE day >= @since AND day <= @until AND (@kind IS NULL OR kind = @kind)
         AND (@circuit IS NULL OR circuit = @circuit) AND (@device IS NULL OR device IN ('', @device))`,
    )
    .iterate({
      since: sinceMs === undefined ? 0 : dayOf(sinceMs),
      until: untilMs === undefined ? 2 ** 40 : dayOf(untilMs),
      kind: kind ?? null,
      circuit: circuit ?? null,
      device: device ?? null,
    }) as IterableIterator<Row>;
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = Object.fromEntries(by.map((name) => [name, row[name]])) as Partial<TallyKey>;
    const name = JSON.stringify(by.map((dimension) => row[dimension]));
    let group = groups.get(name);
    if (!group) {
      group = { totals: { key, jobs: none(), attempts: none(), times: {} }, times: [] };
      groups.set(name, group);
    }
    const counts = row.device === '' ? group.totals.jobs : group.totals.attempts;
    for (const outcome of outcomes) counts[outcome] += row[outcome];
    group.times.push(row.times);
  }
  const sum = new HistogramSum();
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { totals, times }]) => {
      for (const stored of times) sum.add(stored);
      return { ...totals, times: sum.take() };
    });
}
