import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { JobRequest } from '../contract/commands.ts';
import type { EngineEvent, EngineEventBody } from '../contract/events.ts';
import { jobOf, partitionsOf } from '../contract/state.ts';
import type { ProofResult } from '../prover/prover.ts';
import { memoryDatabase } from './own-history.ts';
import { recover } from './recovery.ts';
import { replayed } from './replay.ts';
import { removeJobs } from './upkeep.ts';
import { type Message, Writer } from './writer.ts';

const failure = { code: 'DeviceLost', message: 'the device is gone' };
const proof = (name: string) => ({ proof: {}, publicSignals: [name], timings: {} }) as unknown as ProofResult;
const request: JobRequest = { circuit: { zkey: '/keys/merkle.zkey' }, partitions: [{ witness: '/w/0' }, { witness: '/w/1' }] };
const accept = (job: string, retryOf?: string): Message => ({ do: 'accept', job, request, retryOf, wallMs: 1_700_000_000_000 });
const keep = (job: string, partition: number): Message => ({ do: 'keep', job, partition, proof: proof(`${job}${partition}`) });

/** Numbers events as the tracker does. */
function eventsFrom(first = 1) {
  let seq = first - 1;
  return (...bodies: EngineEventBody[]): Message => ({
    do: 'events',
    events: bodies.map((body) => ({ ...body, seq: ++seq, at: seq }) as EngineEvent),
  });
}
const workers: EngineEventBody = {
  type: 'workersRegistered',
  wallMs: 0,
  workers: [
    { worker: 0, kind: 'synthesis' },
    { worker: 1, kind: 'pipelined', device: 'cuda:0' },
    { worker: 2, kind: 'pipelined', device: 'cpu' },
  ],
};
const submitted = (job: string, retryOf?: string): EngineEventBody => ({
  type: 'jobSubmitted',
  job,
  kind: 'snap-deals',
  circuit: '/keys/merkle.zkey',
  partitions: 2,
  priority: 'high',
  mode: 'pipelined',
  wallMs: 1_700_000_000_500,
  ...(retryOf === undefined ? {} : { retryOf }),
});
const taken = (job: string, partition: number, worker: number, assignment: number): EngineEventBody[] => [
  { type: 'synthesisStarted', worker: 0, job, partition },
  { type: 'synthesisEnded', worker: 0, job, partition, done: true },
  { type: 'deviceStarted', worker, assignment, job, partition },
  { type: 'kernelsStarted', worker, assignment, job, partition },
];
const done = (job: string, partition: number, worker: number, assignment: number): EngineEventBody[] => [
  { type: 'deviceReleased', worker, assignment, job, partition },
  { type: 'verifyStarted', worker, assignment, job, partition },
  { type: 'partitionDone', worker, assignment, job, partition },
];

const open = (db = memoryDatabase()) => ({ db, writer: new Writer(db, { file: 'history.db', app: 'cuzk 1', wallMs: () => 1 }) });
const facetOf = (db: Database, id: string) =>
  db.prepare('SELECT state, kind, circuit, devices, priority FROM jobs JOIN facets USING (facet) WHERE id = ?').get(id);
const totalsOf = (db: Database) => db.prepare('SELECT * FROM totals ORDER BY kind, device').all();
const ok = (problems: unknown[]) => expect(problems.every((problem) => problem === undefined)).toBe(true);

it('an accepted job is there before any event of it, and a kept proof before its partition is done', () => {
  const { db, writer } = open();
  ok(writer.write([accept('a'), keep('a', 1)]));
  expect(facetOf(db, 'a')).toEqual({
    state: 'queued',
    kind: 'merkle',
    circuit: '/keys/merkle.zkey',
    devices: '',
    priority: 'normal',
  });
  expect(db.prepare('SELECT partition FROM proofs').pluck().all()).toEqual([1]);
});

it('the engine’s word about a job’s kind and priority replaces what was guessed when it was accepted', () => {
  const { db, writer } = open();
  ok(writer.write([accept('a'), eventsFrom()(workers, submitted('a'))]));
  expect(facetOf(db, 'a')).toMatchObject({ state: 'queued', kind: 'snap-deals', priority: 'high' });
  expect(db.prepare('SELECT submitted_ms FROM jobs').pluck().get()).toBe(1_700_000_000_500);
});

it('a retried partition leaves a row for each attempt, each with its device, and the job is found under all of them', () => {
  const { db, writer } = open();
  const next = eventsFrom();
  ok(
    writer.write([
      accept('a'),
      next(workers, submitted('a'), ...taken('a', 0, 1, 1)),
      next({ type: 'partitionRetried', worker: 1, assignment: 1, job: 'a', partition: 0, attempt: 2, reason: failure }),
      next(...taken('a', 0, 2, 2), ...done('a', 0, 2, 2), ...taken('a', 1, 2, 3), ...done('a', 1, 2, 3)),
      next({ type: 'jobEnded', job: 'a', end: 'succeeded' }),
    ]),
  );
  const rows = db
    .prepare('SELECT partition, attempt, phase, name, kernels_us FROM partitions LEFT JOIN devices USING (device)')
    .all();
  expect(rows).toEqual([
    { partition: 0, attempt: 1, phase: 'retried', name: 'cuda:0', kernels_us: 1000 },
    { partition: 0, attempt: 2, phase: 'done', name: 'cpu', kernels_us: 1000 },
    { partition: 1, attempt: 1, phase: 'done', name: 'cpu', kernels_us: 1000 },
  ]);
  expect(facetOf(db, 'a')).toMatchObject({ state: 'succeeded', devices: 'cpu,cuda:0' });
  expect(totalsOf(db)).toMatchObject([
    { device: '', succeeded: 1, retried: 0 },
    { device: 'cpu', succeeded: 2, retried: 0 },
    { device: 'cuda:0', succeeded: 0, retried: 1 },
  ]);
});

it('an ended job’s events are one deflated piece, and what comes late is kept beside it', () => {
  const { db, writer } = open();
  const next = eventsFrom();
  for (const body of [workers, submitted('a'), ...taken('a', 0, 1, 1)]) ok(writer.write([next(body)]));
  const chunks = () => db.prepare('SELECT typeof(data) FROM events').pluck().all();
  expect(chunks()).toEqual(['text', 'text', 'text', 'text', 'text']);
  ok(writer.write([next({ type: 'jobEnded', job: 'a', end: 'cancelled' })]));
  expect(chunks()).toEqual(['blob']);
  ok(writer.write([next({ type: 'deviceReleased', worker: 1, assignment: 1, job: 'a', partition: 0 })]));
  expect(chunks()).toEqual(['blob', 'text']);
  expect(jobOf(replayed(db, 1), 'a')?.phase).toBe('cancelled');
});

it('what is deleted is taken out of the totals, to the last count', () => {
  const { db, writer } = open();
  const next = eventsFrom();
  const life = (job: string, assignment: number) => [
    submitted(job),
    ...taken(job, 0, 1, assignment),
    ...done(job, 0, 1, assignment),
    ...taken(job, 1, 2, assignment + 1),
    ...done(job, 1, 2, assignment + 1),
    { type: 'jobEnded' as const, job, end: 'succeeded' as const },
  ];
  ok(writer.write([next(workers, ...life('a', 1))]));
  const one = totalsOf(db);
  ok(writer.write([next(...life('b', 3))]));
  db.transaction(() => removeJobs(db, [2]))();
  expect(totalsOf(db)).toEqual(one);
  db.transaction(() => removeJobs(db, [1]))();
  expect(totalsOf(db)).toEqual([]);
  for (const table of ['jobs', 'partitions', 'events']) expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  expect(db.prepare('SELECT sum(jobs) FROM facets').pluck().get()).toBe(0);
});

it('one refused message does not take the others of its group with it', () => {
  const { db, writer } = open();
  const problems = writer.write([accept('a'), keep('nobody', 0), eventsFrom()(workers, submitted('b')), keep('a', 0)]);
  expect(problems).toEqual([undefined, expect.objectContaining({ code: 'JobUnknown' }), undefined, undefined]);
  expect(db.prepare('SELECT id FROM jobs ORDER BY id').pluck().all()).toEqual(['a', 'b']);
});

it('with a full disk jobs and proofs are refused, and events wait in order until there is room again', () => {
  const { db, writer } = open();
  const next = eventsFrom();
  ok(writer.write([next(workers, submitted('a'))]));
  const full = () => db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  full();
  const long: JobRequest = { ...request, partitions: Array.from({ length: 4000 }, () => ({ witness: `/w/${Math.random()}` })) };
  const about = 'x'.repeat(100_000);
  const problems = writer.write([
    next(...taken('a', 0, 1, 1), { type: 'partitionFailed', job: 'a', partition: 1, error: { code: 'X', message: about } }),
    { do: 'accept', job: 'b', request: long, retryOf: undefined, wallMs: 1 },
  ]);
  expect(problems).toEqual([expect.objectContaining({ code: 'HistoryFull' }), expect.objectContaining({ code: 'HistoryFull' })]);
  expect(writer.unsavedEvents).toBe(5);
  writer.write([next({ type: 'jobEnded', job: 'a', end: 'failed' })]);
  expect(writer.unsavedEvents).toBe(6);
  // Small enough to find room, but not before what came first.
  expect(writer.write([accept('d')])).toEqual([expect.objectContaining({ code: 'HistoryFull' })]);
  db.pragma('max_page_count = 100000');
  expect(writer.write([accept('c')])).toEqual([undefined]);
  expect(writer.unsavedEvents).toBe(0);
  const job = jobOf(replayed(db, 1), 'a')!;
  expect(job.phase).toBe('failed');
  expect(partitionsOf(job).map(({ phase }) => phase)).toEqual(['cancelled', 'failed']);
  expect(db.prepare('SELECT id FROM jobs').pluck().all()).toEqual(['a', 'c']);
});

it('what a dead process left is interrupted: proofs that are on the disk are done, the rest is cancelled', () => {
  const { db, writer } = open();
  const next = eventsFrom();
  ok(writer.write([accept('a'), accept('b'), accept('c'), next(workers, submitted('a'), ...taken('a', 0, 1, 1), submitted('b'))]));
  // The proof was kept, and the process died before it said that the partition is done.
  ok(writer.write([next({ type: 'deviceReleased', worker: 1, assignment: 1, job: 'a', partition: 0 }), keep('a', 0)]));
  expect(recover(db)).toEqual(['a', 'b', 'c']);
  for (const [number, id] of ['a', 'b', 'c'].entries()) {
    expect(facetOf(db, id)).toMatchObject({ state: 'interrupted' });
    const job = jobOf(replayed(db, number + 1), id)!;
    expect(job).toMatchObject({ phase: 'interrupted', error: { code: 'EngineLost' } });
    expect(partitionsOf(job).map(({ phase }) => phase)).toEqual([id === 'a' ? 'done' : 'cancelled', 'cancelled']);
  }
  expect(db.prepare('SELECT id, done FROM jobs').all()).toEqual([
    { id: 'a', done: 1 },
    { id: 'b', done: 0 },
    { id: 'c', done: 0 },
  ]);
  expect(recover(db)).toEqual([]);
});

it('a job that does another again takes over its proofs', () => {
  const { db, writer } = open();
  ok(writer.write([accept('a'), eventsFrom()(workers, submitted('a')), keep('a', 0)]));
  recover(db);
  const again = new Writer(db, { file: 'history.db', app: 'cuzk 1' });
  const next = eventsFrom();
  ok(
    again.write([
      accept('b', 'a'),
      next(workers, submitted('b', 'a'), { type: 'partitionRestored', job: 'b', partition: 0 }),
      next(...taken('b', 1, 1, 1)),
      keep('b', 1),
      next(...done('b', 1, 1, 1), { type: 'jobEnded', job: 'b', end: 'succeeded' }),
    ]),
  );
  expect(facetOf(db, 'b')).toMatchObject({ state: 'succeeded' });
  expect(db.prepare('SELECT partition, public FROM proofs WHERE job = 2').all()).toEqual([
    { partition: 0, public: Buffer.from('["a0"]') },
    { partition: 1, public: Buffer.from('["b1"]') },
  ]);
  expect(jobOf(replayed(db, 2), 'b')).toMatchObject({ phase: 'succeeded', retryOf: 'a' });
});
