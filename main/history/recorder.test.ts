import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { JobRequest } from '../contract/commands.ts';
import { jobOf } from '../contract/state.ts';
import { StatusTracker } from '../engine/status-tracker.ts';
import type { ProofResult } from '../prover/prover.ts';
import { openForReading } from './database.ts';
import { ownFolder } from './own-history.ts';
import { Recorder } from './recorder.ts';
import { replayed } from './replay.ts';

const request: JobRequest = { circuit: { zkey: '/keys/merkle.zkey' }, partitions: [{ witness: '/w/0' }] };
const proof = { proof: {}, publicSignals: ['1'], timings: {} } as unknown as ProofResult;
const ownFile = () => join(ownFolder(), 'history.db');

async function opened(file: string): Promise<Recorder> {
  const recorder = await Recorder.open({ file, app: 'cuzk test' });
  onTestFinished(() => recorder.close());
  return recorder;
}

function running(recorder: Recorder) {
  const tracker = new StatusTracker();
  tracker.registerWorkers([{ kind: 'synthesis' }, { kind: 'pipelined', device: 'cpu' }]);
  recorder.attach(tracker);
  const submit = (job: string) =>
    tracker.registerJob({ job, kind: 'k', circuit: '/keys/merkle.zkey', partitions: 1, priority: 'normal', mode: 'pipelined' });
  return { tracker, submit };
}

function read<T>(file: string, work: (db: ReturnType<typeof openForReading>) => T): T {
  const db = openForReading(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

it('another connection finds the job when accept() resolves, and the proof when keep() does', async () => {
  const file = ownFile();
  const recorder = await opened(file);
  const id = recorder.newJobId();
  await recorder.accept(id, request, undefined);
  expect(read(file, (db) => db.prepare('SELECT id FROM jobs').pluck().all())).toEqual([id]);
  await recorder.keep(id, 0, proof);
  expect(read(file, (db) => db.prepare('SELECT count(*) FROM proofs').pluck().get())).toBe(1);
});

it('a recorder that is attached after the workers were registered replays to the live state all the same', async () => {
  const file = ownFile();
  const recorder = await opened(file);
  const { tracker, submit } = running(recorder);
  submit('a');
  tracker.partitionSynthStart(0, { job: 'a', partition: 0 });
  tracker.partitionSynthEnd(0, { job: 'a', partition: 0 }, true);
  {
    using lease = tracker.partitionGpuStart(1, { job: 'a', partition: 0 });
    lease.kernels();
    using finalizer = lease.release();
    finalizer.done();
  }
  tracker.jobCompleted('a', 'succeeded');
  const live = jobOf(tracker.snapshot(), 'a');
  await recorder.close();
  expect(read(file, (db) => jobOf(replayed(db, 1), 'a'))).toEqual(live);
});

it('job ids are twelve letters and digits, and none is given twice', async () => {
  const recorder = await opened(ownFile());
  const ids = Array.from({ length: 10_000 }, () => recorder.newJobId());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
});

it('a second writer is refused by name until the first has closed, and then learns what was left running', async () => {
  const file = ownFile();
  const first = await opened(file);
  await first.accept('left', request, undefined);
  await expect(Recorder.open({ file, app: 'other' })).rejects.toMatchObject({ code: 'HistoryReadOnly' });
  await first.close();
  expect((await opened(file)).interrupted).toEqual(['left']);
});

it('a folder that cannot be written to refuses the recorder', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(Recorder.open({ file: join(folder, 'file', 'history.db'), app: 'x' })).rejects.toMatchObject({
    code: 'HistoryUnwritable',
    remedy: expect.stringContaining('CUZK_HOME'),
  });
  mkdirSync(join(folder, 'history.db'));
  await expect(Recorder.open({ file: join(folder, 'history.db'), app: 'x' })).rejects.toMatchObject({ code: 'HistoryUnwritable' });
});

it('a submit waits until the disk has caught up with all events before it; the events themselves never wait', async () => {
  const file = ownFile();
  const recorder = await opened(file);
  const { tracker, submit } = running(recorder);
  // Another program holds the database, as a slow disk would.
  const slow = new BetterSqlite3(file);
  slow.exec('BEGIN IMMEDIATE');
  for (let i = 0; i < 1000; i++) submit(`job${i}`);
  expect(tracker.snapshot().seq).toBe(1001);
  let accepted = false;
  const accepting = recorder.accept('late', request, undefined).then(() => {
    accepted = true;
  });
  await setTimeout(300);
  expect(accepted).toBe(false);
  slow.exec('COMMIT');
  slow.close();
  await accepting;
  expect(read(file, (db) => db.prepare('SELECT count(*) FROM jobs').pluck().get())).toBe(1001);
});

it('a full disk refuses jobs and proofs by name, and what happened meanwhile is written when there is room', async (test) => {
  const folder = ownFolder();
  // Only root may mount, and not everywhere.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) test.skip();
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const file = join(folder, 'history.db');
  const recorder = await opened(file);
  const { tracker, submit } = running(recorder);
  await recorder.accept('a', request, undefined);
  submit('a');
  const filler = join(folder, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(4 << 20))).toThrow(/ENOSPC/);
  const refused = { code: 'HistoryFull', remedy: expect.stringContaining('free some space') };
  const large = { ...request, partitions: Array.from({ length: 5000 }, () => ({ witness: `/w/${Math.random()}` })) };
  await expect(recorder.accept('b', large, undefined)).rejects.toMatchObject(refused);
  const long = { ...proof, publicSignals: [randomBytes(200_000).toString('hex')] };
  await expect(recorder.keep('a', 0, long)).rejects.toMatchObject(refused);
  tracker.partitionFailed({ job: 'a', partition: 0 }, { code: 'HistoryFull', message: randomBytes(100_000).toString('hex') });
  tracker.jobCompleted('a', 'failed');
  rmSync(filler);
  await recorder.accept('c', request, undefined);
  expect(read(file, (db) => jobOf(replayed(db, 1), 'a'))).toEqual(jobOf(tracker.snapshot(), 'a'));
  expect(read(file, (db) => db.prepare('SELECT id FROM jobs').pluck().all())).toEqual(['a', 'c']);
});

it('after it was closed nothing is accepted', async () => {
  const recorder = await opened(ownFile());
  await recorder.close();
  await recorder.close();
  await expect(recorder.accept('a', request, undefined)).rejects.toMatchObject({ code: 'HistoryStopped' });
});

it('notes, tags and pins are set by way of the writer, and an unknown job is named', async () => {
  const file = ownFile();
  const recorder = await opened(file);
  await recorder.accept('a', request, undefined);
  await recorder.change('note', { job: 'a', note: 'first of the new key' });
  await recorder.change('tag', { job: 'a', add: ['x', 'y'] });
  await recorder.change('tag', { job: 'a', remove: ['x'] });
  await recorder.change('pin', { job: 'a', pinned: true });
  await expect(recorder.change('remove', { job: 'a' })).rejects.toMatchObject({ code: 'JobRunning' });
  await expect(recorder.change('note', { job: 'b', note: '' })).rejects.toMatchObject({ code: 'JobUnknown' });
  expect(read(file, (db) => db.prepare("SELECT rowid FROM notes_text WHERE note MATCH 'new'").pluck().all())).toEqual([1]);
  expect(read(file, (db) => db.prepare('SELECT tag FROM tags').pluck().all())).toEqual(['y']);
});
