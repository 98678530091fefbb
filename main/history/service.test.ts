// The requests that pages send, answered from a real database by its threads; the engine and the prover are the tests' own.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { JobRequest } from '../contract/commands.ts';
import { historySchemas } from '../contract/history.ts';
import { requestSchemas } from '../contract/requests.ts';
import type { G1Json, ProofResult } from '../prover/prover.ts';
import { lockForWriting, openForWriting } from './database.ts';
import { makeUp } from './made-up.ts';
import { ownFolder } from './own-history.ts';
import { Recorder } from './recorder.ts';
import { recover } from './recovery.ts';
import { openHistoryService } from './service.ts';
import { summariesOf } from './summaries.ts';

interface Asked {
  request: JobRequest;
  retryOf: string;
  restored?: ReadonlyMap<number, ProofResult> | undefined;
}

/** A service on a history of made-up jobs. */
async function service({ jobs = 30, writes = true } = {}) {
  const folder = ownFolder();
  const file = join(folder, 'history.db');
  const db = openForWriting(file);
  makeUp(db, { jobs, partitions: 3, days: 3 });
  const all = summariesOf(db, db.prepare('SELECT job FROM jobs ORDER BY submitted_ms DESC, job DESC').pluck().all() as number[]);
  db.close();
  const recorder = writes ? Recorder.open({ file, app: 'cuzk test' }) : undefined;
  const asked: Asked[] = [];
  let exported = 0;
  const opened = openHistoryService({
    file,
    recorder: () => recorder ?? Recorder.open({ file, app: 'cuzk test' }),
    engine: {
      submit: async (request, { retryOf, restored }) => {
        asked.push({ request, retryOf, restored });
        return { job: `again${asked.length}`, attached: false };
      },
    },
    prover: {
      exportVkey: async (zkey) => ({ zkey, number: ++exported }) as never,
      verify: async (vkey, signals) => (vkey as unknown as { zkey: string }).zkey === file && signals.length > 0,
    },
  });
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await (await recorder)?.close();
  });
  return { folder, file, all, recorder, asked, handlers: opened.handlers, exported: () => exported };
}

const g1: G1Json = ['1', '2', '1'];
const proof: ProofResult = {
  proof: {
    pi_a: g1,
    pi_b: [
      ['3', '4'],
      ['5', '6'],
      ['1', '0'],
    ],
    pi_c: g1,
    protocol: 'groth16',
    curve: 'bn128',
  },
  publicSignals: ['1'],
  timings: {},
};

it('every request of the contract about the history has a handler, and no other', async () => {
  const { handlers } = await service({ jobs: 1 });
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(historySchemas).sort());
  for (const name of Object.keys(handlers)) expect(requestSchemas).toHaveProperty(name);
});

it('pages, facets, one job, its replay, a comparison and totals are those of the database', async () => {
  const { handlers, all } = await service();
  const first = await handlers.listJobs({ limit: 20 });
  const rest = await handlers.listJobs({ limit: 20, after: first.next });
  expect([...first.jobs, ...rest.jobs]).toEqual(all);
  const facets = await handlers.listFacets({});
  const distinct = (values: string[]) => [...new Set(values)].sort();
  expect(facets).toEqual({
    kinds: distinct(all.map(({ kind }) => kind)),
    circuits: distinct(all.map(({ circuit }) => circuit)),
    devices: distinct(all.flatMap(({ devices }) => devices)),
    tags: distinct(all.flatMap(({ tags }) => tags)),
  });
  const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
  const shown = await handlers.showJob({ job: a.id });
  expect(shown).toMatchObject({ ...a, request: null });
  const { phases, ...pair } = await handlers.compareJobs({ a: a.id, b: b.id });
  expect([pair.a.id, pair.b.id]).toEqual([a.id, b.id]);
  expect(phases.map(({ phase }) => phase)).toContain('kernels');
  const { events } = await handlers.replayJob({ job: a.id });
  expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).toSorted((x, y) => x - y));
  expect(events.length).toBeGreaterThan(10);
  const { totals } = await handlers.totals({ by: [] });
  expect(totals[0]!.jobs.succeeded).toBe(all.filter(({ state }) => state === 'succeeded').length);
  await expect(handlers.showJob({ job: 'nobody' })).rejects.toMatchObject({ code: 'JobUnknown' });
});

it('a note, tags and a pin are there for the question that comes after them; a removed job is not', async () => {
  const { handlers, all } = await service();
  const { id: job } = all.find(({ tags, pinned }) => tags.length === 0 && !pinned)!;
  expect(await handlers.setNote({ job, note: 'a word' })).toEqual({ note: 'a word' });
  expect(await handlers.changeTags({ job, add: ['b', 'a'] })).toEqual({ tags: ['a', 'b'] });
  expect(await handlers.changeTags({ job, remove: ['b'] })).toEqual({ tags: ['a'] });
  expect(await handlers.setPinned({ job, pinned: true })).toEqual({ pinned: true });
  expect(await handlers.showJob({ job })).toMatchObject({ note: 'a word', tags: ['a'], pinned: true });
  expect((await handlers.listJobs({ tag: 'a', pinned: true })).jobs.map(({ id }) => id)).toEqual([job]);
  expect(await handlers.removeJob({ job })).toEqual({ removed: job });
  await expect(handlers.showJob({ job })).rejects.toMatchObject({ code: 'JobUnknown' });
});

it('what retention would delete is said, and deleted a few jobs at a time; pinned jobs stay', async () => {
  const { handlers, all } = await service({ jobs: 250 });
  const { id: job } = all.at(-1)!;
  await handlers.setPinned({ job, pinned: true });
  const pinned = all.filter((one) => one.pinned || one.id === job);
  const plan = await handlers.planPrune({ beforeMs: Date.now() });
  expect(plan).toMatchObject({ jobs: 250 - pinned.length, pinned: pinned.length });
  expect(await handlers.prune({ beforeMs: Date.now() })).toEqual(plan);
  expect((await handlers.listJobs({})).jobs.map(({ id }) => id).sort()).toEqual(pinned.map(({ id }) => id).sort());
  expect(await handlers.planPrune({ mostBytes: 0 })).toEqual({ jobs: 0, bytes: 0, pinned: pinned.length });
});

it('while another process writes, questions are answered and changes are refused by name', async () => {
  const { handlers, all, file } = await service({ writes: false });
  const lock = lockForWriting(file)!;
  onTestFinished(() => lock.release());
  const { id: job } = all[0]!;
  expect((await handlers.listJobs({})).jobs).toHaveLength(30);
  for (const change of [
    () => handlers.setNote({ job, note: 'x' }),
    () => handlers.changeTags({ job, add: ['x'] }),
    () => handlers.setPinned({ job, pinned: true }),
    () => handlers.removeJob({ job }),
    () => handlers.prune({ mostBytes: 0 }),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'HistoryReadOnly', file });
  expect(await handlers.showJob({ job })).toMatchObject(all[0]!);
});

it('a history that is not there yet is asked again when it is', async () => {
  const file = join(ownFolder(), 'history.db');
  const recorder = () => Recorder.open({ file, app: 'cuzk test' });
  await using opened = openHistoryService({ file, recorder, engine: {} as never, prover: {} as never });
  await expect(opened.handlers.listJobs({})).rejects.toMatchObject({ code: 'HistoryMissing', file });
  openForWriting(file).close();
  expect(await opened.handlers.listJobs({})).toEqual({ jobs: [], total: 0 });
});

it('what is missing of a job is submitted with the proofs that there are; run again asks for all of it', async () => {
  const { handlers, asked, recorder, all } = await service();
  const writer = (await recorder)!;
  const request: JobRequest = {
    circuit: { zkey: '/keys/a.zkey' },
    partitions: [{ witness: '/w/0' }, { witness: '/w/1' }],
    requestKey: 'mine',
  };
  const { requestKey: _, ...content } = request;
  await writer.accept('left', request, undefined);
  await writer.keep('left', 1, proof);
  await expect(handlers.resumeJob({ job: 'left' })).rejects.toMatchObject({ code: 'JobRunning' });
  expect(await handlers.runAgain({ job: 'left' })).toEqual({ job: 'again1', attached: false });
  expect(asked).toEqual([{ request: content, retryOf: 'left', restored: undefined }]);
  const done = all.find(({ state }) => state === 'succeeded')!;
  await expect(handlers.resumeJob({ job: done.id })).rejects.toMatchObject({ code: 'JobNotResumable' });
  await expect(handlers.runAgain({ job: done.id })).rejects.toMatchObject({ code: 'JobNotResumable' });
});

it('an interrupted job is resumed with its proofs', async () => {
  const { handlers, asked, recorder, file } = await service();
  const writer = (await recorder)!;
  await writer.accept(
    'left',
    { circuit: { zkey: '/keys/a.zkey' }, partitions: [{ witness: '/w/0' }, { witness: '/w/1' }] },
    undefined,
  );
  await writer.keep('left', 1, proof);
  await writer.close();
  const db = openForWriting(file);
  recover(db);
  db.close();
  expect(await handlers.resumeJob({ job: 'left' })).toEqual({ job: 'again1', attached: false });
  expect(asked[0]!.retryOf).toBe('left');
  expect([...asked[0]!.restored!.keys()]).toEqual([1]);
});

it('a proof is shown as snarkjs writes it, with calldata for bn254, or refused by name where there is none', async () => {
  const { handlers, all } = await service();
  const job = all.find(({ state }) => state === 'succeeded')!;
  const { proof: text, publicSignals, calldata, compressed } = await handlers.showProof({ job: job.id, partition: 0 });
  expect(JSON.parse(text)).toMatchObject({ protocol: 'groth16', curve: 'bn128' });
  expect(JSON.parse(publicSignals)).toHaveLength(1);
  const [a, , , signals] = JSON.parse(`[${calldata}]`);
  expect(BigInt(a[0])).toBe(BigInt(JSON.parse(text).pi_a[0]));
  expect(BigInt(signals[0])).toBe(BigInt(JSON.parse(publicSignals)[0]));
  expect(compressed).toBeNull();
  await expect(handlers.showProof({ job: job.id, partition: 999 })).rejects.toMatchObject({ code: 'ProofMissing' });
});

it('a kept proof is verified with the key of its job, which is exported once for each state of its file', async () => {
  const { handlers, recorder, folder, exported } = await service();
  const writer = (await recorder)!;
  const zkey = join(folder, 'a.zkey');
  writeFileSync(zkey, 'a key');
  await writer.accept('a', { circuit: { zkey }, partitions: [{ witness: '/w' }] }, undefined);
  await writer.keep('a', 0, proof);
  const ask = () => handlers.verifyProof({ job: 'a', partition: 0 });
  // The tests' prover says that it is no key of the proof.
  expect(await ask()).toEqual({ valid: false });
  await ask();
  expect(exported()).toBe(2);
  // A file that did not change just now is known by its times.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await ask();
  await ask();
  expect(exported()).toBe(3);
  utimesSync(zkey, 1, 1);
  await ask();
  expect(exported()).toBe(4);
  await writer.accept('b', { circuit: { zkey: join(folder, 'gone.zkey') }, partitions: [{ witness: '/w' }] }, undefined);
  await writer.keep('b', 0, proof);
  await expect(handlers.verifyProof({ job: 'b', partition: 0 })).rejects.toMatchObject({
    code: 'FileNotFound',
    file: join(folder, 'gone.zkey'),
    message: expect.stringContaining('the key that it was proved with'),
  });
});

it('exports are written whole where the page says, and what was written is answered', async () => {
  const { handlers, all, folder } = await service();
  const job = all.find(({ state, partitions }) => state === 'succeeded' && partitions > 1)!;
  const to = join(folder, 'out');
  const { files } = await handlers.exportJob({ job: job.id, what: 'proofs', to });
  expect(files).toHaveLength(2 * job.partitions);
  for (const file of files) JSON.parse(readFileSync(file, 'utf8'));
  const json = join(folder, 'job.json');
  expect(await handlers.exportJob({ job: job.id, what: 'json', to: json })).toEqual({ files: [json] });
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ format: 'cuzk-job', job: { id: job.id } });
  await expect(handlers.exportJob({ job: job.id, what: 'json', to: 'here.json' })).rejects.toMatchObject({ code: 'PathRelative' });
  // A folder in a file's place: nothing of the others stays.
  const refused = join(folder, 'refused');
  writeFileSync(refused, '');
  await expect(handlers.exportJob({ job: job.id, what: 'proofs', to: refused })).rejects.toMatchObject({ code: 'FileUnwritable' });
  const bin = join(folder, 'all.bin');
  await expect(handlers.exportJob({ job: job.id, what: 'proofs', to: bin })).rejects.toMatchObject({ code: 'CurveMismatch' });
  expect(existsSync(bin)).toBe(false);
});

it('a slow question does not hold up the thread that asks', async () => {
  const { handlers } = await service({ jobs: 400 });
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const questions = Array.from({ length: 50 }, () => handlers.totals({ by: ['day', 'kind', 'circuit', 'device'] }));
  await Promise.all(questions);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

it('after it was closed nothing is answered', async () => {
  const file = join(ownFolder(), 'history.db');
  openForWriting(file).close();
  const opened = openHistoryService({ file, recorder: () => Promise.reject(), engine: {} as never, prover: {} as never });
  await opened.handlers.listJobs({});
  await opened[Symbol.asyncDispose]();
  await expect(opened.handlers.listJobs({})).rejects.toMatchObject({ code: 'HistoryStopped' });
});
