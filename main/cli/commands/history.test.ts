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

test('notes, tags and pins are set and found, and what is deleted is gone', async () => {
  const [one, other] = (await said('history', '--json', '--limit', '2', '--state', 'succeeded')).events;
  const [id, second] = [one!.id as string, other!.id as string];
  expect((await said('note', id, 'the ünusual one')).out).toContain(`noted of the job ${id}: the ünusual one`);
  expect((await said('history', '--search', 'ünusual')).out).toContain(id);
  expect((await said('note', id, '')).out).toContain('has no note now');
  expect((await said('history', '--search', 'ünusual')).err).toContain('no jobs');

  expect((await said('tag', id, 'mine', 'kept', '--json')).events).toMatchObject([
    { tags: expect.arrayContaining(['kept', 'mine']) },
  ]);
  expect((await said('tag', id, '--remove', 'kept', '--json')).events[0]!.tags).not.toContain('kept');
  expect((await said('history', '--tag', 'mine', '--json')).events).toMatchObject([{ id }]);
  await expect(said('tag', id)).rejects.toThrow('say which tags');
  await expect(said('tag', id, 'x'.repeat(65))).rejects.toThrow();

  await said('pin', id);
  expect((await said('history', '--pinned')).out).toContain(id);
  await expect(said('delete', second, 'nowhere')).rejects.toMatchObject({ code: 'JobUnknown' });
  expect((await said('show', second)).out).toContain(second);
  expect((await said('delete', second)).out).toContain(`1 job deleted: ${second}`);
  await expect(said('show', second)).rejects.toMatchObject({ code: 'JobUnknown' });
  await said('prune', '--older-than', '0d');
  expect((await said('show', id)).out).toContain(id);
  await said('unpin', id);
  await said('prune', '--older-than', '0d');
  await expect(said('show', id)).rejects.toMatchObject({ code: 'JobUnknown' });
});

test('totals count every job once, in all and by day, and tell percentiles', async () => {
  const jobs = (await said('history', '--json', '--limit', '100')).events.filter(({ event }) => event === 'job');
  const [all] = (await said('totals', '--json')).events as [{ jobs: Record<string, number> }];
  const succeeded = jobs.filter(({ state }) => state === 'succeeded').length;
  expect(all.jobs.succeeded).toBe(succeeded);
  const days = (await said('totals', '--by', 'day,kind', '--json')).events as { jobs: Record<string, number> }[];
  expect(days.length).toBeGreaterThan(5);
  expect(days.reduce((sum, { jobs }) => sum + jobs.succeeded!, 0)).toBe(succeeded);
  const { out } = await said('totals', '--by', 'device');
  expect(out).toMatch(/cuda:0\n {2}attempts +\d+ succeeded/);
  expect(out).toMatch(/kernels +[\d.]+ s +[\d.]+ s +[\d.]+ s +\d+/);
  expect((await said('totals', '--until', '2020-01-01')).err).toContain('nothing has ended yet');
  await expect(said('totals', '--by', 'weekday')).rejects.toThrow('one of day, kind, circuit, device');
});

test('two jobs are compared phase by phase, with what differs between them', async () => {
  const jobs = (await said('history', '--json', '--limit', '2', '--state', 'succeeded')).events;
  const [a, b] = jobs.map(({ id }) => id as string) as [string, string];
  const { out } = await said('compare', a, b);
  expect(out).toContain(`${a}  |  ${b}`);
  expect(out).toMatch(/kernels +[\d.]+ s +[\d.]+ s +[+-][\d.]+ m?s +[+-][\d.]+ %/);
  const [{ phases }] = (await said('compare', a, b, '--json')).events as [
    { phases: { phase: string; aUs: number; bUs: number }[] },
  ];
  const [{ attempts }] = (await said('show', b, '--json')).events as [
    { attempts: { phase: string; times: { kernels: number } }[] },
  ];
  const times = attempts.filter(({ phase }) => phase === 'done').map(({ times }) => times.kernels);
  const mean = times.reduce((sum, us) => sum + us, 0) / times.length;
  expect(phases.find(({ phase }) => phase === 'kernels')!.bUs).toBeCloseTo(mean);
});
