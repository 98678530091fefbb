// The real loops under random mixes of jobs, devices, priorities, memory, failures in every stage, lost and hanging devices, wrong proofs,
// slow and failing journals and witnesses, cancels, retries, request keys, preloads and evictions, on virtual time. A failing run prints its
// seed; CUZK_SEED=<seed> runs it again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import { modes, priorities } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { countersOf, isTerminalJob, jobsOf, partitionsOf, spanMs } from '../contract/state.ts';
import type { Mishap } from '../prover/simulated/simulated-prover.ts';
import type { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import type { WitnessPreparer } from './floor.ts';
import type { Journal } from './journal.ts';
import { jobRequest, type SimulatedEngine, simulatedEngine } from './simulated-engine.ts';
import { WorkerAccount } from './worker-account.ts';

/** The prover's stages, and what the engine asks of others. */
const stages = ['load', 'synthesize', 'kernels', 'finish', 'verify', 'accept', 'prepare', 'check', 'keep'] as const;
type AnyStage = (typeof stages)[number];

const job = fc.record({
  partitions: fc.integer({ min: 1, max: 5 }),
  priority: fc.constantFrom(...priorities),
  mode: fc.constantFrom(...modes),
  zkey: fc.constantFrom('a.zkey', 'b.zkey', 'c.zkey'),
  submitAt: fc.nat(200),
  deadlineMs: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  cancelAt: fc.option(fc.nat(300), { nil: undefined }),
  device: fc.option(fc.constantFrom('sim:0', 'sim:1'), { nil: undefined, freq: 4 }),
  retry: fc.boolean(),
  twice: fc.boolean(),
});

/** What befalls one stage of one partition on one device, the first time that it comes there. */
const mishap = fc.record({
  stage: fc.constantFrom(...stages),
  job: fc.nat(4),
  partition: fc.nat(4),
  device: fc.nat(2),
  what: fc.constantFrom('fails', 'lost', 'hang', 'invalid'),
});

const scenario = fc.record({
  jobs: fc.array(job, { minLength: 1, maxLength: 5 }),
  mishaps: fc.array(mishap, { maxLength: 3 }),
  devices: fc.integer({ min: 1, max: 3 }),
  synthesisWorkers: fc.integer({ min: 1, max: 3 }),
  /** Milliseconds that accepting, keeping, preparing and checking take. */
  slow: fc.record({ accept: fc.nat(5), keep: fc.nat(30), prepare: fc.nat(12), check: fc.nat(4) }),
  sharesThreads: fc.boolean(),
  memoryBytes: fc.constantFrom(140, 260, 2000),
  lookahead: fc.integer({ min: 1, max: 3 }),
  stopMs: fc.constantFrom(0, 1, 20),
  errands: fc.array(fc.record({ at: fc.nat(300), zkey: fc.constantFrom('a.zkey', 'b.zkey'), evict: fc.boolean() }), {
    maxLength: 2,
  }),
  cut: fc.nat(200),
  seed: fc.integer({ min: 1, max: 1000 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function mishapsOf({ mishaps, devices }: Scenario) {
  const left = new Set(mishaps);
  return (stage: AnyStage, name: string, device: string): Mishap => {
    for (const one of left) {
      if (one.stage !== stage) continue;
      if (stage !== 'load' && stage !== 'accept' && name !== `j${one.job}-${one.partition}`) continue;
      if (stage === 'kernels' && device !== `sim:${one.device % devices}`) continue;
      left.delete(one);
      if (one.what === 'hang') return stage === 'kernels' ? 'hang' : new Error('made to fail');
      if (one.what === 'lost') return stage === 'kernels' ? new CuzkError('DeviceLost', 'gone') : new Error('made to fail');
      if (one.what === 'invalid') return stage === 'verify' ? new CuzkError('ProofInvalid', 'invalid') : undefined;
      return new Error('made to fail');
    }
    return undefined;
  };
}

/** A journal and a witness preparer that take their time, and fail as the scenario says; `kept` is what the journal has. */
function surroundings({ slow }: Scenario, mishap: ReturnType<typeof mishapsOf>, clock: () => VirtualClock) {
  const kept = new Set<string>();
  let ids = 0;
  const step = async (stage: keyof typeof slow, name: string, signal?: AbortSignal) => {
    if (slow[stage] > 0) await clock().sleep(slow[stage], signal);
    const problem = mishap(stage, name, '');
    if (problem instanceof Error) throw problem;
  };
  const journal: Journal = {
    newJobId: () => `job-${++ids}`,
    accept: (job) => step('accept', job),
    keep: async (job, partition, { publicSignals }) => {
      await step('keep', publicSignals[0] ?? '');
      kept.add(`${job}/${partition}`);
    },
  };
  const witnesses: WitnessPreparer = {
    hasWork: () => slow.prepare > 0,
    prepare: async (_, source, { signal }) => {
      if (!('witness' in source)) throw new Error('only witnesses here');
      await step('prepare', source.witness, signal);
      return {
        witness: source.witness,
        check: (options) => step('check', source.witness, options.signal),
        explain: (problem) => problem,
      };
    },
  };
  return { journal, witnesses, kept };
}

async function play(scenario: Scenario): Promise<void> {
  const { jobs, devices, synthesisWorkers, sharesThreads, memoryBytes, lookahead, stopMs, errands, cut, seed } = scenario;
  const broken: unknown[] = [];
  const mishaps = mishapsOf(scenario);
  let hung = false;
  const mishap: typeof mishaps = (...at) => {
    const what = mishaps(...at);
    hung ||= what === 'hang';
    return what;
  };
  const { journal, witnesses, kept } = surroundings(scenario, mishap, () => simulated.clock);
  const simulated: SimulatedEngine = simulatedEngine({
    ...{ journal, witnesses, synthesisWorkers },
    onBroken: (problem) => broken.push(problem),
    ...{ devices, sharesThreads, memoryBytes, lookahead, stopMs, seed, jitter: 0.5, hangMs: 150 },
    sizes: { keyBytes: 100, loadBytes: 5, synthesisBytes: 10, deviceBytes: 7, finishBytes: 1 },
    onStage: mishap,
  });
  const { clock, prover, engine, events, started } = simulated;
  const account = new WorkerAccount();
  let snapshot = started;
  let after = 0;
  let ignored = 0;
  engine.subscribe((event, state) => {
    account.take(event, state);
    if (event.type === 'partitionDone' && !kept.has(`${event.job}/${event.partition}`))
      expect.fail(`told before it was kept: ${JSON.stringify(event)}`);
    if (state.ignored + state.staleEnds > ignored) expect.fail(`ignored, or stale: ${JSON.stringify(event)}`);
    ignored = state.ignored + state.staleEnds;
    if (events.length === cut) [snapshot, after] = [structuredClone(state), events.length];
  });
  const outcomes: string[] = [];
  const answered = new Set<string>();
  const watch = async (id: string) => {
    answered.add(id);
    const { end, proofs } = await engine.await(id);
    outcomes.push(end);
    if (end === 'succeeded')
      expect(proofs.map(({ publicSignals }) => publicSignals[0]?.split('-')[1])).toEqual(proofs.map((_, i) => `${i}`));
  };
  // With a key: asked for twice at once and once more, it is one job, or one refusal.
  const submit = async (request: JobRequest, requestKey: string | undefined) => {
    if (requestKey === undefined) return await engine.submit(request);
    const ask = () => engine.submit({ ...request, requestKey });
    const [first, second] = await Promise.allSettled([ask(), ask()]);
    if (first.status === 'rejected') throw first.reason;
    expect(second).toMatchObject({ value: { job: first.value.job, attached: true } });
    expect(await ask()).toEqual({ job: first.value.job, attached: true });
    await expect(engine.submit({ ...request, kind: 'other', requestKey })).rejects.toMatchObject({ code: 'RequestKeyInUse' });
    return first.value;
  };
  const deeds = jobs.map(async ({ submitAt, cancelAt, partitions, retry, twice, ...more }, i) => {
    await clock.sleep(submitAt);
    const { deadlineMs, device, ...rest } = more;
    const request = jobRequest(`j${i}-`, partitions, {
      ...rest,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(device ? { device } : {}),
    });
    const { job } = await submit(request, twice ? `key-${i}` : undefined);
    if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => engine.cancel(job));
    await watch(job);
    if (retry) await watch((await engine.retry(job)).job);
  });
  const others = errands.map(async ({ at, zkey, evict }) => {
    await clock.sleep(at);
    if (evict) engine.evict(zkey);
    else await engine.preload(zkey);
  });
  // With every device gone, or its memory, submits are refused; a preload fails as its load does.
  const settled = await clock.run(Promise.allSettled([...deeds, ...others]));
  const refusals = ['DeviceUnknown', 'NoDevice', 'MemoryNeverFits', 'DeviceLost'];
  for (const one of settled) {
    if (one.status === 'fulfilled' || refusals.includes(one.reason.code)) continue;
    expect(one.reason.message).toBe('made to fail');
  }
  await clock.run(engine.shutdown({ graceMs: 1000 }));

  // What a listener threw, the checks above among it.
  if (broken.length > 0) throw broken[0];
  const state = engine.snapshot();
  // Refused when it was in the journal already, because the last device was lost meanwhile: ended there, and known to nobody.
  for (const { job, phase, error } of jobsOf(state)) {
    if (answered.has(job)) continue;
    expect([phase, error?.code]).toEqual(['interrupted', 'NoDevice']);
    outcomes.push(phase);
  }
  expect(outcomes.toSorted()).toEqual(
    jobsOf(state)
      .map(({ phase }) => phase)
      .toSorted(),
  );
  expect(events.filter(({ type }) => type === 'jobEnded')).toHaveLength(outcomes.length);
  for (const one of jobsOf(state)) {
    expect(isTerminalJob(one.phase)).toBe(true);
    for (const { phase, spans, attempt } of partitionsOf(one)) {
      expect(['done', 'failed', 'cancelled']).toContain(phase);
      expect(attempt).toBeLessThanOrEqual(3);
      for (const span of Object.values(spans)) {
        expect(span.endedAt).toBeDefined();
        expect(spanMs(span, state.at)).toBeLessThanOrEqual(one.endedAt! - one.submittedAt);
      }
    }
  }
  expect(state.workers.every(({ phase }) => phase === 'idle' || phase === 'faulted')).toBe(true);
  expect([state.finalizers, state.staleEnds, state.ignored]).toEqual([{}, 0, 0]);
  expect(
    Object.values(countersOf(state))
      .flatMap((counts) => Object.values(counts))
      .reduce((a, b) => a + b, 0),
  ).toBe(outcomes.length);
  // What a hung call holds is still its own.
  if (!hung) expect([state.memory, state.keys, prover.open.size]).toEqual([{}, {}, 0]);
  // The events tell the whole story, from the start and from a snapshot in the middle of it.
  expect(events.reduce(reduce, started)).toEqual(state);
  expect(events.slice(after).reduce(reduce, snapshot)).toEqual(state);
}

const numRuns = Number(process.env.CUZK_RUNS ?? 2_000);

it('all becomes terminal once, everything is given back, and the state is true at every event', {
  timeout: 120 * numRuns,
}, async () => {
  await fc.assert(fc.asyncProperty(scenario, play), {
    numRuns,
    ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}),
  });
});
