// The engine's real loops over the simulated prover, on virtual time.
import { describe, expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { jobOf, jobsOf, partitionsOf } from '../contract/state.ts';
import type { Stage } from '../prover/simulated/simulated-prover.ts';
import { durations, jobRequest, simulatedEngine } from './simulated-engine.ts';

const submitted = async (simulated: ReturnType<typeof simulatedEngine>, ...args: Parameters<typeof jobRequest>) =>
  (await simulated.clock.run(simulated.engine.submit(jobRequest(...args)))).job;

it('a job’s proofs come back in order, and nothing is left behind', async () => {
  const simulated = simulatedEngine();
  const { clock, prover, engine } = simulated;
  const outcome = await clock.run(engine.await(await submitted(simulated, 'w', 16)));
  expect(outcome.end).toBe('succeeded');
  expect(outcome.proofs.map(({ publicSignals }) => publicSignals[0])).toEqual(Array.from({ length: 16 }, (_, i) => `w${i}`));
  await clock.run(engine.shutdown());
  const state = engine.snapshot();
  expect(state).toMatchObject({ staleEnds: 0, ignored: 0, memory: {}, keys: {}, finalizers: {} });
  expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
  expect(prover.open.size).toBe(0);
});

it('synthesis and finalizers hide behind the device: its total work is nearly all the time', async () => {
  const simulated = simulatedEngine();
  const { clock, prover, engine } = simulated;
  await clock.run(engine.await(await submitted(simulated, 'w', 64)));
  expect(prover.busyMs['sim:0']).toBe(640);
  expect(clock.now()).toBeLessThan(durations.load + durations.synthesize + 640 * 1.03 + durations.finish + durations.verify);
});

it('rows 1 and 9: a worker is on its next partition while the finalizers of those before go on, and each is listed', async () => {
  const simulated = simulatedEngine({ deviceWorkers: 1 });
  const { clock, engine, events } = simulated;
  let several = 0;
  engine.subscribe((event, state) => {
    if (event.type !== 'partitionDone') return;
    const worker = state.workers[event.worker];
    const begun = events.filter(({ type }) => type === 'deviceStarted').length;
    const released = events.filter(({ type }) => type === 'deviceReleased').length;
    expect(worker?.phase).toBe(begun > released ? 'proving' : 'idle');
    if (Object.keys(state.finalizers).length > 0) several++;
  });
  await clock.run(engine.await(await submitted(simulated, 'w', 8)));
  expect(several).toBeGreaterThan(0);
  expect(events.filter(({ type }) => type === 'deviceReleased')).toHaveLength(8);
});

it('row 8: every phase of a partition has a time of its own, in either mode', async () => {
  for (const mode of ['pipelined', 'monolithic'] as const) {
    const simulated = simulatedEngine();
    const job = await submitted(simulated, 'w', 3, { mode });
    await simulated.clock.run(simulated.engine.await(job));
    for (const { spans } of partitionsOf(jobOf(simulated.engine.snapshot(), job)!)) {
      const ms = Object.fromEntries(Object.entries(spans).map(([name, span]) => [name, span.endedAt! - span.startedAt]));
      expect(ms).toMatchObject({ synthesis: 9, kernels: 10, finalizing: 12, verify: 3 });
      expect(ms.queueWait).toBeGreaterThanOrEqual(0);
      expect(ms.lockWait).toBeGreaterThanOrEqual(0);
    }
    expect(partitionsOf(jobOf(simulated.engine.snapshot(), job)!)[0]?.spans.keyWait).toMatchObject({ startedAt: 0, endedAt: 50 });
  }
});

it('a monolithic worker is shown at work from the witness to the end of the proof', async () => {
  const simulated = simulatedEngine();
  const job = await submitted(simulated, 'w', 1, { mode: 'monolithic' });
  const seen: string[] = [];
  const worker = simulated.engine.snapshot().workers.find(({ kind }) => kind === 'monolithic')!.worker;
  simulated.engine.subscribe((_, { workers }) => {
    const { phase } = workers[worker]!;
    if (seen.at(-1) !== phase) seen.push(phase);
  });
  await simulated.clock.run(simulated.engine.await(job));
  expect(seen).toEqual(['idle', 'synthesizing', 'idle', 'proving', 'idle']);
});

it('row 5: one partition’s failure ends the job once, cancels the others, and gives the memory back', async () => {
  for (const stage of ['load', 'synthesize', 'kernels', 'finish'] as const) {
    for (const mode of ['pipelined', 'monolithic'] as const) {
      const onStage = (at: Stage, name: string) =>
        at === stage && (name === 'w3' || at === 'load') ? new CuzkError('OutOfMemory', 'no memory') : undefined;
      const simulated = simulatedEngine({ onStage });
      const { clock, prover, engine, events } = simulated;
      const outcome = await clock.run(engine.await(await submitted(simulated, 'w', 8, { mode })));
      expect(outcome).toMatchObject({ end: 'failed', proofs: [], error: { code: 'OutOfMemory' } });
      await clock.run(engine.shutdown());
      const state = engine.snapshot();
      const phases = partitionsOf(jobsOf(state)[0]!).map(({ phase }) => phase);
      expect(phases.filter((phase) => phase === 'failed')).toHaveLength(1);
      expect(phases.every((phase) => ['done', 'failed', 'cancelled'].includes(phase))).toBe(true);
      expect(events.filter(({ type }) => type === 'jobEnded')).toHaveLength(1);
      expect([state.memory, state.keys, prover.open.size, state.ignored]).toEqual([{}, {}, 0, 0]);
      expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
    }
  }
});

it('row 15: a cancelled job is terminal at once, and the next one is served', async () => {
  const simulated = simulatedEngine();
  const { clock, engine } = simulated;
  const first = await submitted(simulated, 'a', 50);
  const second = await submitted(simulated, 'b', 2);
  await clock.run(clock.sleep(100));
  expect(engine.cancel(first)).toBe(true);
  expect(jobOf(engine.snapshot(), first)?.phase).toBe('cancelled');
  expect(engine.cancel(first)).toBe(false);
  const at = clock.now();
  expect((await clock.run(engine.await(second))).end).toBe('succeeded');
  expect(clock.now() - at).toBeLessThan(60);
  expect((await engine.await(first)).end).toBe('cancelled');
});

it('row 12: a critical job’s partition waits for one kernel region at most', async () => {
  const simulated = simulatedEngine();
  const { clock, engine, events } = simulated;
  await submitted(simulated, 'long', 100);
  await clock.run(clock.sleep(203));
  const urgent = await submitted(simulated, 'urgent', 1, { priority: 'critical' });
  const submittedAt = clock.now();
  await clock.run(engine.await(urgent));
  const started = events.find((event) => event.type === 'kernelsStarted' && event.job === urgent);
  // Its synthesis waits for the one that runs, its kernels for the ones that run.
  expect(started!.at - submittedAt).toBeLessThanOrEqual(2 * durations.synthesize + durations.kernels);
  engine.cancel('job-1');
});

it('deadlines order jobs of equal priority, and are shown', async () => {
  const simulated = simulatedEngine();
  const { clock, engine, events } = simulated;
  const late = await submitted(simulated, 'late', 4);
  const soon = await submitted(simulated, 'soon', 4, { deadlineMs: 500 });
  await clock.run(Promise.all([engine.await(late), engine.await(soon)]));
  const done = events.flatMap((event) => (event.type === 'partitionDone' ? [event.job] : []));
  expect(done.lastIndexOf(soon)).toBeLessThan(done.lastIndexOf(late));
  expect(jobOf(engine.snapshot(), soon)?.deadlineAt).toBe(500);
});

describe('row 11: the same request key', () => {
  it('attaches to its job, also while that one is being submitted, and is refused for other content', async () => {
    const { clock, engine } = simulatedEngine();
    const once = () => engine.submit({ ...jobRequest('w', 2), requestKey: 'key' });
    const [first, second] = await clock.run(Promise.all([once(), once()]));
    expect(second).toEqual({ job: first.job, attached: true });
    await expect(engine.submit({ ...jobRequest('w', 3), requestKey: 'key' })).rejects.toMatchObject({ code: 'RequestKeyInUse' });
    await clock.run(engine.await(first.job));
    expect(jobsOf(engine.snapshot()).map(({ job }) => job)).toEqual([first.job]);
    expect(await once()).toEqual({ job: first.job, attached: true });
  });

  it('may be used again after a refusal', async () => {
    const { clock, engine } = simulatedEngine({ memoryBytes: 200 });
    const submit = (partitions: number) => engine.submit({ ...jobRequest('w', partitions), requestKey: 'key' });
    await expect(clock.run(submit(0))).rejects.toMatchObject({ code: 'JobEmpty' });
    expect((await clock.run(submit(1))).attached).toBe(false);
  });
});

it('row 13: a key that could never fit is refused at submit, with the numbers', async () => {
  const { engine } = simulatedEngine({ memoryBytes: 109 });
  await expect(engine.submit(jobRequest('w', 1))).rejects.toMatchObject({
    code: 'MemoryNeverFits',
    message: 'a proof with merkle.zkey needs 110 bytes, and the whole budget is 109',
  });
  expect(jobsOf(engine.snapshot())).toEqual([]);
});

it('idle keys make room for others, the oldest first', async () => {
  const simulated = simulatedEngine({ memoryBytes: 250 });
  const { clock, engine, prover } = simulated;
  for (const zkey of ['a.zkey', 'b.zkey', 'c.zkey']) await clock.run(engine.await(await submitted(simulated, zkey, 2, { zkey })));
  expect(Object.keys(engine.snapshot().keys)).toEqual(['b.zkey@sim:0', 'c.zkey@sim:0']);
  expect(prover.open.size).toBe(2);
});

it('keys that would have to make room for each other are not swapped back and forth, and nobody starves', async () => {
  const simulated = simulatedEngine({ memoryBytes: 150 });
  const { clock, engine, prover, events } = simulated;
  const jobs: string[] = [];
  await clock.run(engine.preload('b.zkey'));
  for (let i = 0; i < 20; i++) jobs.push(await submitted(simulated, `j${i}-`, 2, { zkey: i % 2 ? 'a.zkey' : 'b.zkey' }));
  await clock.run(Promise.all(jobs.map((job) => engine.await(job))));
  expect(prover.loads).toBe(2);
  // With an endless supply for the key that is there, the other one still gets its turn.
  expect(engine.snapshot().keys).toHaveProperty('a.zkey@sim:0');
  const before = await submitted(simulated, 'before', 4, { zkey: 'a.zkey' });
  const other = await submitted(simulated, 'other', 1, { zkey: 'b.zkey' });
  const more = Array.from({ length: 60 }, async (_, i) => (await engine.submit(jobRequest(`m${i}-`, 1, { zkey: 'a.zkey' }))).job);
  await clock.run(
    Promise.all([engine.await(before), engine.await(other), ...(await Promise.all(more)).map((job) => engine.await(job))]),
  );
  const ended = events.flatMap((event) => (event.type === 'jobEnded' ? [event.job] : []));
  expect(ended.indexOf(other) - jobs.length).toBeGreaterThan(10);
  expect(ended.indexOf(other) - jobs.length).toBeLessThan(40);
});

it('preloading makes the first proof start at once; evicting gives the memory back, but not under a proof', async () => {
  const simulated = simulatedEngine({ devices: 2 });
  const { clock, engine, prover } = simulated;
  expect(await clock.run(engine.preload('a.zkey'))).toEqual(['sim:0', 'sim:1']);
  expect(prover.loads).toBe(2);
  const job = await submitted(simulated, 'w', 1, { zkey: 'a.zkey' });
  await clock.run(clock.sleep(1));
  expect(engine.evict('a.zkey')).toEqual(['sim:1']);
  await clock.run(engine.await(job));
  expect(partitionsOf(jobOf(engine.snapshot(), job)!)[0]?.spans.keyWait).toBeUndefined();
  expect(engine.evict('a.zkey', 'sim:0')).toEqual(['sim:0']);
  expect(engine.snapshot().memory).toEqual({});
  expect(() => engine.evict('a.zkey', 'cuda:9')).toThrow(expect.objectContaining({ code: 'DeviceUnknown' }));
});

it('an insecure key proves only for the jobs that allow it', async () => {
  const simulated = simulatedEngine({ insecure: { 'merkle.zkey': 'gamma is delta' } });
  const { clock, engine } = simulated;
  const refused = await clock.run(engine.await(await submitted(simulated, 'w', 1)));
  expect(refused).toMatchObject({ end: 'failed', error: { code: 'KeyInsecure', message: 'gamma is delta' } });
  const allowed = await clock.run(engine.await(await submitted(simulated, 'w', 1, { allowInsecureKey: true })));
  expect(allowed.end).toBe('succeeded');
  expect(engine.snapshot().circuits['merkle.zkey']?.insecure).toBe('gamma is delta');
});

it('a retried job keeps the proofs that there are, and proves the rest', async () => {
  let broken = true;
  const onStage = (stage: Stage, name: string) =>
    broken && stage === 'kernels' && name === 'w3' ? new CuzkError('OutOfMemory', 'no memory') : undefined;
  const simulated = simulatedEngine({ onStage });
  const { clock, engine, events } = simulated;
  const first = await submitted(simulated, 'w', 4);
  await expect(engine.retry(first)).rejects.toMatchObject({ code: 'JobRunning' });
  await clock.run(engine.await(first));
  broken = false;
  const { job } = await clock.run(engine.retry(first));
  const outcome = await clock.run(engine.await(job));
  expect(outcome.proofs.map(({ publicSignals }) => publicSignals[0])).toEqual(['w0', 'w1', 'w2', 'w3']);
  expect(jobOf(engine.snapshot(), job)).toMatchObject({ phase: 'succeeded', retryOf: first });
  const restored = events.filter((event) => event.type === 'partitionRestored' && event.job === job);
  const doneBefore = partitionsOf(jobOf(engine.snapshot(), first)!).filter(({ phase }) => phase === 'done');
  expect(restored).toHaveLength(doneBefore.length);
  expect(restored.length).toBeGreaterThan(0);
});

it('row 17: shutdown interrupts what runs, ends every loop, and takes no more jobs', async () => {
  const simulated = simulatedEngine();
  const { clock, engine, prover } = simulated;
  const job = await submitted(simulated, 'w', 50);
  await clock.run(clock.sleep(120));
  await clock.run(engine.shutdown());
  expect((await engine.await(job)).end).toBe('interrupted');
  await expect(engine.submit(jobRequest('w', 1))).rejects.toMatchObject({ code: 'EngineStopped' });
  expect(prover.open.size).toBe(0);
});

it('a job that the journal took while the engine began to stop is ended there, and refused', async () => {
  const accepted = Promise.withResolvers<void>();
  const journal = { newJobId: () => 'mine', accept: () => accepted.promise, keep: async () => {} };
  const { clock, engine, events } = simulatedEngine({ journal });
  const submitting = engine.submit(jobRequest('w', 2));
  await clock.run(clock.sleep(1));
  const stopped = engine.shutdown();
  accepted.resolve();
  await expect(clock.run(submitting)).rejects.toMatchObject({ code: 'EngineStopped' });
  await clock.run(stopped);
  expect(events.filter(({ type }) => type.startsWith('job'))).toMatchObject([
    { type: 'jobSubmitted', job: 'mine' },
    { type: 'jobEnded', job: 'mine', end: 'interrupted', error: { code: 'EngineStopped' } },
  ]);
});

it('row 17: a shutdown that drains loses no proof', async () => {
  const simulated = simulatedEngine();
  const job = await submitted(simulated, 'w', 20);
  await simulated.clock.run(simulated.engine.shutdown({ drain: true }));
  expect((await simulated.engine.await(job)).proofs).toHaveLength(20);
});

it('row 18: terminal jobs leave the live state by number and by age, whoever looks, and stay counted', async () => {
  const simulated = simulatedEngine({ keepJobs: 3, keepMs: 1000 });
  const { clock, engine } = simulated;
  for (let i = 0; i < 5; i++) await clock.run(engine.await(await submitted(simulated, `w${i}-`, 1)));
  expect(jobsOf(engine.snapshot()).map(({ job }) => job)).toEqual(['job-3', 'job-4', 'job-5']);
  await expect(engine.await('job-1')).rejects.toMatchObject({ code: 'JobUnknown' });
  await clock.run(clock.sleep(2000));
  expect(jobsOf(engine.snapshot())).toEqual([]);
  expect(engine.snapshot().forgotten).toEqual({ merkle: { succeeded: 5 } });
});

it('the process’s memory is measured beside the ledger while there is work, and once after', async () => {
  let rss = 5000;
  const simulated = simulatedEngine({ measureRss: () => rss++, durations: { kernels: 700 } });
  const { clock, engine } = simulated;
  await clock.run(engine.await(await submitted(simulated, 'w', 4)));
  expect(engine.snapshot().rssBytes).toBe(5002);
  await clock.run(clock.sleep(10_000));
  expect(engine.snapshot().rssBytes).toBe(5003);
});

it('requests that make no sense are refused by name', async () => {
  const { engine } = simulatedEngine();
  await expect(engine.submit(jobRequest('w', 0))).rejects.toMatchObject({ code: 'JobEmpty' });
  await expect(engine.await('job-7')).rejects.toMatchObject({ code: 'JobUnknown' });
  await expect(engine.retry('job-7')).rejects.toMatchObject({ code: 'JobUnknown' });
});

it('a listener that throws is left out, and the engine goes on', async () => {
  const broken: unknown[] = [];
  const simulated = simulatedEngine({ onBroken: (problem) => broken.push(problem) });
  simulated.engine.subscribe(() => {
    throw new Error('a broken view');
  });
  const outcome = await simulated.clock.run(simulated.engine.await(await submitted(simulated, 'w', 2)));
  expect([outcome.end, broken]).toEqual(['succeeded', [new Error('a broken view')]]);
});
