// The engine's real loops over the simulated prover, on virtual time.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { type EngineEvent, priorities } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { emptyState, isTerminalJob, jobOf, jobsOf, partitionsOf } from '../contract/state.ts';
import { SimulatedProver, type Stage } from '../prover/simulated/simulated-prover.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Engine, type EngineOptions } from './engine.ts';
import type { JobRequest } from './job.ts';

const durations: Record<Stage, number> = { load: 50, synthesize: 9, kernels: 10, finish: 15 };

function simulated(
  options: Partial<EngineOptions> & { jitter?: number; seed?: number; onStage?: (stage: Stage, name: string) => void } = {},
) {
  const { jitter, seed, onStage, ...engineOptions } = options;
  const clock = new VirtualClock();
  const more = {
    ...(jitter === undefined ? {} : { jitter }),
    ...(seed === undefined ? {} : { seed }),
    ...(onStage ? { onStage } : {}),
  };
  const prover = new SimulatedProver({ clock, durations, ...more });
  const events: EngineEvent[] = [];
  const engine = new Engine({ prover, keys: prover, device: 'cpu', memoryBytes: 1000, clock, ...engineOptions });
  const registered = engine.snapshot();
  engine.subscribe((event) => events.push(event));
  return { clock, prover, engine, events, registered };
}

const request = (name: string, partitions: number, more: Partial<JobRequest> = {}): JobRequest => ({
  kind: 'merkle',
  circuit: 'merkle.zkey',
  witnesses: Array.from({ length: partitions }, (_, i) => `${name}${i}`),
  ...more,
});

it('a job’s proofs come back in order, and nothing is left behind', async () => {
  const { clock, prover, engine } = simulated();
  const outcome = await clock.run(engine.await(engine.submit(request('w', 16))));
  expect(outcome.end).toBe('succeeded');
  expect(outcome.proofs.map(({ publicSignals }) => publicSignals[0])).toEqual(Array.from({ length: 16 }, (_, i) => `w${i}`));
  await clock.run(engine.shutdown());
  const state = engine.snapshot();
  expect(state).toMatchObject({ staleEnds: 0, ignored: 0, memory: {}, keys: {}, finalizers: {} });
  expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
  expect(prover.open.size).toBe(0);
});

it('synthesis and finalizers hide behind the device: its total work is nearly all the time', async () => {
  const { clock, prover, engine } = simulated();
  await clock.run(engine.await(engine.submit(request('w', 64))));
  expect(prover.busyMs).toBe(640);
  expect(clock.now()).toBeLessThan(durations.load + durations.synthesize + 640 * 1.03 + durations.finish);
});

it('a worker is on its next partition while the finalizers of those before go on', async () => {
  const { clock, engine, events } = simulated({ deviceWorkers: 1 });
  let several = 0;
  engine.subscribe((event, state) => {
    if (event.type !== 'partitionDone' || state.workers[event.worker]?.phase !== 'proving') return;
    if (Object.keys(state.finalizers).length > 0) several++;
  });
  await clock.run(engine.await(engine.submit(request('w', 8))));
  expect(several).toBeGreaterThan(0);
  expect(events.filter(({ type }) => type === 'deviceReleased')).toHaveLength(8);
});

it('row 5: one partition’s failure ends the job once, cancels the others, and gives the memory back', async () => {
  for (const stage of ['load', 'synthesize', 'kernels', 'finish'] as const) {
    for (const mode of ['pipelined', 'monolithic'] as const) {
      const onStage = (at: Stage, name: string) => {
        if (at === stage && (name === 'w3' || at === 'load')) throw new CuzkError('OutOfMemory', 'no memory');
      };
      const { clock, prover, engine, events } = simulated({ onStage });
      const outcome = await clock.run(engine.await(engine.submit(request('w', 8, { mode }))));
      expect(outcome).toMatchObject({ end: 'failed', proofs: [], error: { code: 'OutOfMemory' } });
      await clock.run(engine.shutdown());
      const state = engine.snapshot();
      const phases = partitionsOf(jobsOf(state)[0]!).map(({ phase }) => phase);
      expect(phases.filter((phase) => phase === 'failed')).toHaveLength(1);
      expect(phases.every((phase) => ['done', 'failed', 'cancelled'].includes(phase))).toBe(true);
      expect(events.filter(({ type }) => type === 'jobEnded')).toHaveLength(1);
      expect([state.memory, state.keys, prover.open.size]).toEqual([{}, {}, 0]);
      expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
    }
  }
});

it('row 15: a cancelled job is terminal at once, and the next one is served', async () => {
  const { clock, engine } = simulated();
  const first = engine.submit(request('a', 50));
  const second = engine.submit(request('b', 2));
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
  const { clock, engine, events } = simulated();
  engine.submit(request('long', 100));
  await clock.run(clock.sleep(200));
  const urgent = engine.submit(request('urgent', 1, { priority: 'critical' }));
  const submittedAt = clock.now();
  await clock.run(engine.await(urgent));
  const started = events.find((event) => event.type === 'kernelsStarted' && event.job === urgent);
  const alone = durations.synthesize;
  // Its synthesis waits for a place ahead of the device and for the worker, its kernels for the ones that run.
  expect(started!.at - submittedAt - alone).toBeLessThanOrEqual(2 * durations.kernels);
  engine.cancel('job-1');
});

it('row 11: the same request key attaches to its job, and is refused for other content', async () => {
  const { clock, engine } = simulated();
  const job = engine.submit(request('w', 2), 'key');
  expect(engine.submit(request('w', 2), 'key')).toBe(job);
  expect(() => engine.submit(request('w', 3), 'key')).toThrow(expect.objectContaining({ code: 'RequestKeyInUse' }));
  await clock.run(engine.await(job));
  expect(jobsOf(engine.snapshot()).map(({ job }) => job)).toEqual([job]);
});

it('row 13: a key that could never fit fails its job with the numbers', async () => {
  const { clock, engine } = simulated({ memoryBytes: 109 });
  const { error } = await clock.run(engine.await(engine.submit(request('w', 1))));
  expect(error).toMatchObject({
    code: 'MemoryNeverFits',
    message: 'job-1/0 needs 110 bytes, and the whole budget is 109',
  });
});

it('idle keys make room for others, the oldest first', async () => {
  const { clock, engine, prover } = simulated({ memoryBytes: 250 });
  for (const circuit of ['a.zkey', 'b.zkey', 'c.zkey'])
    await clock.run(engine.await(engine.submit(request(circuit, 2, { circuit }))));
  expect(Object.keys(engine.snapshot().keys)).toEqual(['b.zkey@cpu', 'c.zkey@cpu']);
  expect(prover.open.size).toBe(2);
});

it('row 17: shutdown interrupts what runs, ends every loop, and takes no more jobs', async () => {
  const { clock, engine, prover } = simulated();
  const job = engine.submit(request('w', 50));
  await clock.run(clock.sleep(120));
  await clock.run(engine.shutdown());
  expect((await engine.await(job)).end).toBe('interrupted');
  expect(() => engine.submit(request('w', 1))).toThrow(expect.objectContaining({ code: 'EngineStopped' }));
  expect(prover.open.size).toBe(0);
});

it('requests that make no sense are refused by name', () => {
  const { engine } = simulated();
  expect(() => engine.submit(request('w', 0))).toThrow(expect.objectContaining({ code: 'JobEmpty' }));
  expect(() => engine.await('job-7')).toThrow(expect.objectContaining({ code: 'JobUnknown' }));
});

it('under any mix of jobs, priorities, failures and cancels, all becomes terminal once and everything is given back', {
  timeout: 120_000,
}, async () => {
  const job = fc.record({
    partitions: fc.integer({ min: 1, max: 6 }),
    priority: fc.constantFrom(...priorities),
    mode: fc.constantFrom('pipelined' as const, 'monolithic' as const),
    circuit: fc.constantFrom('a.zkey', 'b.zkey', 'c.zkey'),
    submitAt: fc.nat(200),
    cancelAt: fc.option(fc.nat(300), { nil: undefined }),
    failing: fc.option(fc.constantFrom<Stage>('synthesize', 'kernels', 'finish'), { nil: undefined }),
  });
  const property = fc.asyncProperty(
    fc.array(job, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 1000 }),
    async (jobs, seed) => {
      const failures = new Set(jobs.flatMap(({ failing }, i) => (failing ? [`${failing} j${i}-0`] : [])));
      const onStage = (stage: Stage, name: string) => {
        if (failures.has(`${stage} ${name}`)) throw new Error('made to fail');
      };
      const { clock, prover, engine, events, registered } = simulated({ memoryBytes: 240, jitter: 0.5, seed, onStage });
      const play = jobs.map(async ({ submitAt, cancelAt, partitions, priority, mode, circuit }, i) => {
        await clock.sleep(submitAt);
        const id = engine.submit({ ...request(`j${i}-`, partitions), priority, mode, circuit });
        if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => engine.cancel(id));
        return await engine.await(id);
      });
      const outcomes = await clock.run(Promise.all(play));
      await clock.run(engine.shutdown());
      const state = engine.snapshot();
      expect(outcomes.map(({ end }) => end).toSorted()).toEqual(
        jobsOf(state)
          .map(({ phase }) => phase)
          .toSorted(),
      );
      expect(jobsOf(state).every(({ phase }) => isTerminalJob(phase))).toBe(true);
      expect(events.filter(({ type }) => type === 'jobEnded')).toHaveLength(jobs.length);
      expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
      expect(state.finalizers).toEqual({});
      expect(state.staleEnds).toBe(0);
      expect([state.memory, state.keys, prover.open.size]).toEqual([{}, {}, 0]);
      // The events tell the whole story.
      expect(events.reduce(reduce, registered)).toEqual(state);
      expect(registered.seq).toBeGreaterThan(emptyState.seq);
    },
  );
  await fc.assert(property, { numRuns: 2_000, ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}) });
});
