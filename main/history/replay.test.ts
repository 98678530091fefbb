// Random runs of the engine on the simulated prover, written event by event: what is replayed is what was live.
import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { type EngineEvent, modes, priorities } from '../contract/events.ts';
import { type JobState, jobOf, partitionsOf, spanMs, spanNames } from '../contract/state.ts';
import { jobRequest, simulatedEngine } from '../engine/simulated-engine.ts';
import type { Mishap, Stage } from '../prover/simulated/simulated-prover.ts';
import { isKept } from './event-streams.ts';
import { memoryDatabase } from './own-history.ts';
import { columnOf } from './partition-rows.ts';
import { preambleOf } from './preamble.ts';
import { replayed } from './replay.ts';
import { Writer } from './writer.ts';

/** A job without its progress, which is not stored. */
const lasting = (job: JobState | undefined) =>
  job && { ...job, partitions: partitionsOf(job).map(({ progress: _, ...partition }) => partition) };

const job = fc.record({
  partitions: fc.integer({ min: 1, max: 5 }),
  priority: fc.constantFrom(...priorities),
  mode: fc.constantFrom(...modes),
  zkey: fc.constantFrom('a.zkey', 'b.zkey'),
  submitAt: fc.nat(200),
  cancelAt: fc.option(fc.nat(300), { nil: undefined }),
  retry: fc.boolean(),
});
const mishap = fc.record({
  stage: fc.constantFrom<Stage>('load', 'synthesize', 'kernels', 'finish', 'verify'),
  partition: fc.nat(4),
  what: fc.constantFrom('fails', 'lost', 'hang', 'invalid'),
});
const scenario = fc.record({
  jobs: fc.array(job, { minLength: 1, maxLength: 4 }),
  mishaps: fc.array(mishap, { maxLength: 3 }),
  devices: fc.integer({ min: 1, max: 3 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  /** Events between two transactions. */
  batch: fc.integer({ min: 1, max: 20 }),
  stopAt: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Each mishap once, at the first partition of its number that comes to its stage. */
function mishapsOf({ mishaps }: Scenario) {
  const left = new Set(mishaps);
  return (stage: Stage, name: string): Mishap => {
    for (const one of left) {
      if (one.stage !== stage || (stage !== 'load' && !name.endsWith(`-${one.partition}`))) continue;
      left.delete(one);
      if (one.what === 'hang' && stage === 'kernels') return 'hang';
      if (one.what === 'lost' && stage === 'kernels') return new CuzkError('DeviceLost', 'gone');
      if (one.what === 'invalid' && stage === 'verify') return new CuzkError('ProofInvalid', 'invalid');
      return new CuzkError('OutOfMemory', 'made to fail');
    }
    return undefined;
  };
}

async function play(scenario: Scenario): Promise<void> {
  const { jobs, devices, seed, batch, stopAt } = scenario;
  const db = memoryDatabase();
  const writer = new Writer(db, { file: ':memory:', app: 'test' });
  const broken: unknown[] = [];
  const onStage = mishapsOf(scenario);
  const options = { devices, seed, jitter: 0.5, hangMs: 150, onStage, onBroken: (problem: unknown) => broken.push(problem) };
  const { clock, engine, started } = simulatedEngine(options);
  let pending: EngineEvent[] = preambleOf(started);
  const live = new Map<string, JobState>();
  const write = () => {
    expect(writer.write([{ do: 'events', events: pending }])).toEqual([undefined]);
    pending = [];
  };
  const compare = (id: string) => {
    const number = db.prepare('SELECT job FROM jobs WHERE id = ?').pluck().get(id) as number;
    expect(lasting(jobOf(replayed(db, number), id))).toEqual(lasting(live.get(id)));
  };
  let count = 0;
  engine.subscribe((event, state) => {
    if (isKept(event)) pending.push(event);
    if (!('job' in event)) return;
    live.set(event.job, jobOf(state, event.job)!);
    if (++count % batch !== 0) return;
    write();
    compare(event.job);
  });
  const deeds = jobs.map(async ({ submitAt, cancelAt, partitions, retry, ...more }, i) => {
    await clock.sleep(submitAt);
    const { job: id } = await engine.submit(jobRequest(`j${i}-`, partitions, more));
    if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => engine.cancel(id));
    await engine.await(id);
    if (retry) await engine.await((await engine.retry(id)).job);
  });
  const all = Promise.allSettled(deeds);
  await clock.run(stopAt === undefined ? all : Promise.race([all, clock.sleep(stopAt)]));
  await clock.run(engine.shutdown({ graceMs: 1000 }));
  if (broken.length > 0) throw broken[0];
  write();
  for (const [id, job] of live) {
    compare(id);
    expectRows(db, job);
  }
  db.close();
}

it('after each event of a job, its replayed state is the live one; and its rows say the same', { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(scenario, play), {
    numRuns: Number(process.env.CUZK_RUNS ?? 300),
    ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}),
  });
});

/** The tables against the live state of a job that has ended. */
function expectRows(db: Database, job: JobState): void {
  const row = db.prepare('SELECT * FROM jobs JOIN facets USING (facet) WHERE id = ?').get(job.job) as Record<string, unknown>;
  const partitions = partitionsOf(job);
  expect(row).toMatchObject({
    state: job.phase,
    kind: job.kind,
    circuit: job.circuit,
    priority: job.priority,
    mode: job.mode,
    partitions: partitions.length,
    done: partitions.filter(({ phase }) => phase === 'done').length,
    duration_us: Math.round((job.endedAt! - job.submittedAt) * 1000),
    error: job.error ? JSON.stringify(job.error) : null,
  });
  const rows = db.prepare('SELECT *, max(attempt) FROM partitions WHERE job = ? GROUP BY partition').all(row.job) as Record<
    string,
    unknown
  >[];
  const times = (one: (typeof partitions)[number]) =>
    Object.fromEntries(
      spanNames.map((name) => [columnOf(name), one.spans[name] ? Math.round(spanMs(one.spans[name], job.endedAt!) * 1000) : null]),
    );
  expect(rows).toMatchObject(
    partitions.map((one, partition) => ({ partition, attempt: one.attempt, phase: one.phase, ...times(one) })),
  );
}
