// The commands on a history of made-up jobs, from their options to what they print.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockForWriting, openForWriting } from '../../history/database.ts';
import { makeUp } from '../../history/made-up.ts';
import { Writer } from '../../history/writer.ts';
import type { Context } from '../context.ts';
import { Output } from '../output.ts';
import { buildProgram } from '../program.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  file = join(folder, 'history.db');
  vi.stubEnv('CUZK_HOME', folder);
  const db = openForWriting(file);
  makeUp(db, { jobs: 50, partitions: 2, days: 5 });
  db.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** What `cuzk` with these words prints. */
async function said(...words: string[]): Promise<{ out: string; err: string; events: Record<string, unknown>[] }> {
  const [stdout, stderr] = [new PassThrough().setEncoding('utf8'), new PassThrough().setEncoding('utf8')];
  const program = buildProgram(async ({ json = false }, work) => {
    const context: Context = {
      output: new Output({ stdout, stderr }, { json, debug: false }),
      signal: new AbortController().signal,
      prover: () => Promise.reject(new Error('not here')),
    };
    await work(context);
  });
  await program.parseAsync(words, { from: 'user' });
  const out = String(stdout.read() ?? '');
  const events =
    words.includes('--json') && words[0] !== 'export'
      ? out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { out, err: String(stderr.read() ?? ''), events };
}

test('jobs are listed newest first, as many as asked, and what is left out is said', async () => {
  const { out, err } = await said('history', '--limit', '5');
  const dates = out
    .trim()
    .split('\n')
    .map((line) => line.slice(14, 33));
  expect(dates).toHaveLength(5);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(err).toContain('5 jobs of 50');
});

test('filters and the order reach the query', async () => {
  const { events } = await said(
    'history',
    '--json',
    '--state',
    'succeeded',
    '--kind',
    'porep-c2,snap-deals',
    '--sort',
    'duration',
    '--limit',
    '100',
  );
  const jobs = events.filter(({ event }) => event === 'job');
  expect(jobs.length).toBeGreaterThan(5);
  expect(jobs.every(({ state, kind }) => state === 'succeeded' && ['porep-c2', 'snap-deals'].includes(kind as string))).toBe(true);
  const times = jobs.map(({ durationUs }) => durationUs as number);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect((await said('history', '--search', 'no such thing')).err).toContain('no jobs');
  await expect(said('history', '--state', 'gone')).rejects.toThrow('--state gone');
});

test('a job is shown by the beginning of its id; an ambiguous or unknown one is refused', async () => {
  const [job] = (await said('history', '--json', '--limit', '1', '--state', 'succeeded')).events;
  const id = job!.id as string;
  const { out } = await said('show', id.slice(0, 11));
  expect(out).toContain(id);
  expect(out).toMatch(/kernels +[\d.]+ s +[\d.]+ s/);
  await expect(said('show', '')).rejects.toMatchObject({ code: 'JobUnknown' });
  await expect(said('show', '0')).rejects.toMatchObject({ code: 'JobAmbiguous' });
});

test('a dry run says what would go and deletes nothing', async () => {
  const all = (await said('history', '--json', '--limit', '100')).events.length;
  const [{ jobs, dryRun }] = (await said('prune', '--older-than', '0d', '--dry-run', '--json')).events as [Record<string, unknown>];
  expect(dryRun).toBe(true);
  expect((await said('history', '--json', '--limit', '100')).events).toHaveLength(all);
  expect((await said('prune', '--older-than', '0d', '--json')).events).toMatchObject([{ jobs, dryRun: false }]);
  const left = (await said('history', '--json', '--limit', '100')).events.filter(({ event }) => event === 'job');
  expect(left).toHaveLength(all - (jobs as number));
  await expect(said('prune')).rejects.toThrow('say what is to go');
});

test('while another process writes, the history is listed and not changed, and says so', async () => {
  const lock = lockForWriting(file);
  try {
    expect((await said('history')).err).toContain('open for reading only');
    await expect(said('prune', '--older-than', '0d')).rejects.toMatchObject({ code: 'HistoryReadOnly' });
  } finally {
    lock!.release();
  }
});

test('proofs go to folders, a timeline and the whole job to files; too few proofs for one file are refused', async () => {
  const [job] = (await said('history', '--json', '--limit', '1', '--state', 'succeeded')).events;
  const id = job!.id as string;
  await said('export', id, '--proofs', join(folder, 'out'), '--json', join(folder, 'job.json'));
  const proved = job!.partitions === 1 ? join(folder, 'out') : join(folder, 'out', '0');
  expect(JSON.parse(readFileSync(join(proved, 'proof.json'), 'utf8'))).toMatchObject({ protocol: 'groth16', curve: 'bn128' });
  expect(existsSync(join(proved, 'public.json'))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8'))).toMatchObject({ format: 'cuzk-job', job: { id } });
  await expect(said('export', id, '--proofs', join(folder, 'out.bin'))).rejects.toMatchObject({ code: 'CurveMismatch' });
  await expect(said('export', id)).rejects.toThrow('say what is to be written');
});

test('an exported job is imported where it is not known, and refused where it is', async () => {
  const db = openForWriting(file);
  const writer = new Writer(db, { file, app: 'test' });
  const about = {
    job: 'mine',
    kind: 'k',
    circuit: 'c.zkey',
    partitions: 1,
    priority: 'normal',
    mode: 'pipelined',
    wallMs: 5,
  } as const;
  writer.write([
    {
      do: 'events',
      events: [
        { type: 'jobSubmitted', ...about, seq: 1, at: 1 },
        { type: 'jobEnded', job: 'mine', end: 'cancelled', seq: 2, at: 3 },
      ],
    },
  ]);
  db.close();
  const [json, trace] = [join(folder, 'mine.json'), join(folder, 'mine.trace')];
  await said('export', 'mine', '--json', json, '--trace', trace);
  expect(JSON.parse(readFileSync(trace, 'utf8')).traceEvents.length).toBeGreaterThan(3);
  await expect(said('import', json)).rejects.toMatchObject({ code: 'ImportKnown' });
  vi.stubEnv('CUZK_HOME', join(folder, 'other'));
  await expect(said('history')).rejects.toMatchObject({ code: 'HistoryMissing' });
  expect((await said('import', json)).out).toContain('imported the job mine');
  expect((await said('show', 'mine', '--json')).events).toMatchObject([{ id: 'mine', state: 'cancelled', durationUs: 2000 }]);
  writeFileSync(json, '{}');
  await expect(said('import', json)).rejects.toMatchObject({ code: 'ImportInvalid' });
});
