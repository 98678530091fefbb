// Everything behind a page at once: real engine, real history, and what happens where the history cannot be written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { lockForWriting } from '../history/database.ts';
import { ownFolder } from '../history/own-history.ts';
import { NativeProver } from '../prover/native/native-prover.ts';
import { sampleJob } from './app-handlers.ts';
import { openWorkstation } from './workstation.ts';

let home: string;
beforeEach(() => {
  home = ownFolder();
  vi.stubEnv('CUZK_HOME', home);
  return () => vi.unstubAllEnvs();
});

const twoOfSample = () => ({ ...sampleJob()!, partitions: sampleJob()!.partitions.slice(0, 2) });

it('proves a job that is in the history at the next start', async () => {
  let id: string;
  {
    await using station = await openWorkstation({ prover: new NativeProver() });
    const { submit, about } = station.handlers;
    expect(await about({})).toMatchObject({ historyFile: join(home, 'history.db'), historyProblem: null });
    id = (await submit(twoOfSample())).job;
    expect((await station.engine.await(id)).end).toBe('succeeded');
  }
  await using station = await openWorkstation({ prover: new NativeProver() });
  expect(await station.handlers.showJob({ job: id })).toMatchObject({ id, state: 'succeeded', done: 2 });
});

it('while another process writes the history no job is taken and all can be read; when that has ended jobs are taken', async () => {
  {
    await using station = await openWorkstation({ prover: new NativeProver() });
    await station.engine.await((await station.handlers.submit(twoOfSample())).job);
  }
  const lock = lockForWriting(join(home, 'history.db'))!;
  const notes: string[] = [];
  await using station = await openWorkstation({ prover: new NativeProver(), onNote: (code) => notes.push(code) });
  expect(notes).toEqual(['HistoryReadOnly']);
  const { submit, about, listJobs } = station.handlers;
  expect((await about({})).historyProblem).toMatchObject({ code: 'HistoryReadOnly' });
  expect((await listJobs({})).jobs).toHaveLength(1);
  await expect(submit(twoOfSample())).rejects.toMatchObject({ code: 'HistoryReadOnly' });
  lock.release();
  const { job } = await submit(twoOfSample());
  expect((await station.engine.await(job)).end).toBe('succeeded');
  expect((await about({})).historyProblem).toBeNull();
  await vi.waitFor(async () => expect((await listJobs({})).jobs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']));
});

it('settings that cannot be read stop it with the file, and leave nothing open', async () => {
  writeFileSync(join(home, 'settings.json'), 'hello');
  await expect(openWorkstation({ prover: new NativeProver() })).rejects.toMatchObject({ code: 'SettingsInvalid' });
  lockForWriting(join(home, 'history.db'))!.release();
});

it('old jobs are deleted at the start if the settings say so', async () => {
  {
    await using station = await openWorkstation({ prover: new NativeProver() });
    await station.engine.await((await station.handlers.submit(twoOfSample())).job);
    await station.handlers.setSettings({ keepBytes: 1 << 20 });
  }
  const notes: string[] = [];
  await using station = await openWorkstation({ prover: new NativeProver(), onNote: (code) => notes.push(code) });
  // It takes less.
  expect([notes, (await station.handlers.listJobs({})).jobs.length]).toEqual([[], 1]);
});
