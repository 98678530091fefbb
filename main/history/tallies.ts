// Keeps the table `totals` equal to what the jobs and partitions say: whatever is added to them is added here, whatever is deleted is taken
// away, in the same transaction.
import type { Database } from 'better-sqlite3';
import { type Outcome, outcomes } from '../contract/history.ts';
import { count, decodeHistograms, encodeHistograms, type Histograms } from './histogram.ts';

/** Where something is counted. */
export interface TallyKey {
  /** Of the job's submission, in days since 1970, UTC. */
  day: number;
  kind: string;
  circuit: string;
  /** '' for the jobs themselves. */
  device: string;
}

export const dayOf = (wallMs: number): number => Math.floor(wallMs / 86_400_000);

interface Change {
  key: TallyKey;
  counts: Record<Outcome, number>;
  /** By name and duration in microseconds. */
  times: { name: string; us: number; sign: 1 | -1 }[];
}

/** Collects what a transaction changes, so that each row is read and written once. */
export class Tallies {
  readonly #changes = new Map<string, Change>();

  /** Counts one job or attempt, or, with -1, takes it away. `times`: durations in microseconds by name. */
  add(key: TallyKey, outcome: Outcome, times: Readonly<Record<string, number>>, sign: 1 | -1 = 1): void {
    const name = `${key.day}\0${key.kind}\0${key.circuit}\0${key.device}`;
    let change = this.#changes.get(name);
    if (!change) {
      change = { key, counts: { succeeded: 0, failed: 0, cancelled: 0, interrupted: 0, retried: 0 }, times: [] };
      this.#changes.set(name, change);
    }
    change.counts[outcome] += sign;
    for (const [span, us] of Object.entries(times)) change.times.push({ name: span, us, sign });
  }

  /** Writes the changes; inside the transaction that they belong to. */
  flush(db: Database): void {
    const where = 'day = @day AND kind = @kind AND circuit = @circuit AND device = @device';
    const read = db.prepare(`SELECT times FROM totals WHERE ${where}`).pluck();
    const write = db.prepare(
      `INSERT INTO totals (day, kind, circuit, device, ${outcomes.join(', ')}, times)
       VALUES (@day, @kind, @circuit, @device, ${outcomes.map((name) => `@${name}`).join(', ')}, @times)
       ON CONFLICT DO UPDATE SET ${outcomes.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}, times = excluded.times`,
    );
    const empty = db.prepare(`DELETE FROM totals WHERE ${where} AND ${outcomes.map((name) => `${name} = 0`).join(' AND ')}`);
    for (const { key, counts, times } of this.#changes.values()) {
      const histograms: Histograms = decodeHistograms((read.get(key) as Uint8Array | undefined) ?? new Uint8Array());
      for (const { name, us, sign } of times) count(histograms, name, us, sign);
      write.run({ ...key, ...counts, times: encodeHistograms(histograms) });
      empty.run(key);
    }
    this.#changes.clear();
  }

  /** Forgets the changes of a transaction that was rolled back. */
  drop(): void {
    this.#changes.clear();
  }
}
