// The metrics against the state that they are of: over random streams of events no sample may say anything else than the states did.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineEventBody } from '../contract/events.ts';
import { countersOf, type EngineState, jobsOf, partitionsOf, type Span } from '../contract/state.ts';
import { FakeEngine } from './fake-engine.ts';
import { mostKinds, otherKind } from './metric-labels.ts';
import { Metrics } from './metrics.ts';
import { RandomStream, randomStep, registrations } from './random-events.ts';

/** The samples of a Prometheus text: by name and labels, in the order of the text. */
async function scrape(metrics: Metrics): Promise<Map<string, number>> {
  const lines = (await metrics.render()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
const engineWithWorkers = () => {
  const engine = new FakeEngine();
  engine.tracker.emit({ type: 'engineStarted', budgetBytes: 1000, devices: [], wallMs: 0 });
  engine.tracker.emit({ type: 'workersRegistered', workers: registrations, wallMs: 0 });
  return engine;
};
const submitted = (job: string, kind: string): EngineEventBody => ({
  ...{ type: 'jobSubmitted', job, kind, circuit: 'c.zkey', partitions: 1, priority: 'normal', mode: 'pipelined', wallMs: 0 },
});

/** Every span that any state ever showed, by job, partition, attempt and name; an attempt that was given up closed what it had open. */
class SeenSpans {
  readonly #seen = new Map<string, { kind: string; name: string; device: string | undefined; span: Span }>();
  see(state: EngineState): void {
    for (const job of jobsOf(state))
      partitionsOf(job).forEach(({ attempt, spans, worker }, partition) => {
        const key = (number: number, name = '') => `${job.job}/${partition}/${number}/${name}`;
        for (const [known, { span }] of this.#seen)
          if (known.startsWith(key(attempt - 1)) && span.endedAt === undefined) span.endedAt = state.at;
        const device = worker === undefined ? undefined : state.workers[worker]?.device;
        for (const [name, span] of Object.entries(spans))
          this.#seen.set(key(attempt, name), { kind: job.kind, name, device, span: { ...span } });
      });
  }
  closed = () => [...this.#seen.values()].filter(({ span }) => span.endedAt !== undefined);
  all = () => [...this.#seen.values()];
}

const msOf = (spans: { span: Span }[], now: number) =>
  spans.reduce((sum, { span }) => sum + (span.endedAt ?? now) - span.startedAt, 0);

test('every sample equals what the states say, over random streams of events', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(fc.array(randomStep, { maxLength: 80, size: 'max' }), fc.nat(80), async (steps, late) => {
    const engine = engineWithWorkers();
    const stream = new RandomStream();
    const seen = new SeenSpans();
    let metrics = new Metrics(engine, () => engine.now);
    let [faults, hasForgotten] = [0, false];
    for (const [i, step] of steps.entries()) {
      // Metrics that begin late know what the state still has.
      if (i === late && !hasForgotten && jobsOf(engine.snapshot()).every((job) => partitionsOf(job).every((p) => p.attempt === 1)))
        if (faults === 0) metrics = new Metrics(engine, () => engine.now);
      engine.now += step.pause;
      const body = stream.body(step, engine.snapshot());
      if (!body) continue;
      const before = engine.snapshot();
      engine.tracker.emit(body);
      const state = engine.snapshot();
      seen.see(state);
      hasForgotten ||= body.type === 'jobForgotten';
      for (const { worker, phase } of state.workers)
        if (phase === 'faulted' && before.workers[worker]?.phase !== 'faulted') faults++;
    }
    engine.now += 7;
    const state = engine.snapshot();
    // A second scrape says the same as the first.
    const first = await scrape(metrics);
    const samples = await scrape(metrics);
    expect(samples).toEqual(first);
    const of = (name: string, labels: string) => samples.get(`cuzk_${name}${labels}`) ?? 0;

    for (const [kind, phases] of Object.entries(countersOf(state)))
      for (const [phase, count] of Object.entries(phases)) {
        const label = `{kind="${escaped(kind)}",`;
        if (phase === 'queued' || phase === 'running') expect(of('jobs', `${label}phase="${phase}"}`)).toBe(count);
        else {
          expect(of('jobs_ended_total', `${label}outcome="${phase}"}`)).toBe(count);
          expect(of('job_seconds_count', `${label}outcome="${phase}"}`)).toBe(count);
        }
      }
    const closed = seen.closed();
    for (const { kind, name } of closed) {
      const mine = closed.filter((one) => one.kind === kind && one.name === name);
      const labels = `{kind="${escaped(kind)}",phase="${name}"}`;
      expect(of('phase_seconds_count', labels)).toBe(mine.length);
      expect(of('phase_seconds_sum', labels)).toBeCloseTo(msOf(mine, 0) / 1000, 9);
    }
    const counts = [...samples].filter(([name]) => name.startsWith('cuzk_phase_seconds_count'));
    expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(closed.length);
    for (const device of ['cuda:0', 'cpu'])
      for (const [metric, name] of [
        ['device_busy_seconds_total', 'kernels'],
        ['device_lock_wait_seconds_total', 'lockWait'],
      ] as const) {
        const onWorker = (one: { span: Span }) => one.span.endedAt !== undefined;
        const mine = seen.all().filter((one) => one.device === device && one.name === name);
        const seconds = of(metric, `{device="${device}"}`);
        expect(seconds).toBeGreaterThanOrEqual(msOf(mine.filter(onWorker), 0) / 1000 - 1e-9);
        expect(seconds).toBeLessThanOrEqual(msOf(mine, engine.now) / 1000 + 1e-9);
      }
    const sum = (name: string) =>
      [...samples].filter(([key]) => key.startsWith(`cuzk_${name}{`)).reduce((total, [, value]) => total + value, 0);
    expect(sum('memory_bytes')).toBe(Object.values(state.memory).reduce((total, bytes) => total + bytes, 0));
    expect(sum('workers')).toBe(state.workers.length);
    for (const { kind, device = '', phase } of state.workers) {
      const alike = state.workers.filter((w) => w.kind === kind && (w.device ?? '') === device && w.phase === phase).length;
      expect(of('workers', `{kind="${kind}",device="${device}",state="${phase}"}`)).toBe(alike);
    }
    expect(sum('worker_restarts_total')).toBe(state.workers.reduce((total, { restarts }) => total + restarts, 0));
    expect(sum('worker_faults_total')).toBe(faults);
    expect(of('stale_ends_total', '')).toBe(state.staleEnds);
    expect(of('ignored_events_total', '')).toBe(state.ignored);
    expect(of('state_sequence', '')).toBe(state.seq);
    expect(of('finalizers', '')).toBe(Object.keys(state.finalizers).length);
    expect(of('process_resident_bytes', '')).toBe(state.rssBytes);
  });
  await fc.assert(property, { numRuns: 400, ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}) });
});

test("a device's busy time grows while its kernels run, without the wait for its lock", async () => {
  const engine = engineWithWorkers();
  using metrics = new Metrics(engine, () => engine.now);
  const at = async () => {
    const samples = await scrape(metrics);
    const labels = '{device="cuda:0"}';
    return [`cuzk_device_lock_wait_seconds_total${labels}`, `cuzk_device_busy_seconds_total${labels}`].map((n) => samples.get(n));
  };
  const { tracker } = engine;
  tracker.emit(submitted('A', 'k'));
  const lease = tracker.partitionGpuStart(1, { job: 'A', partition: 0 });
  engine.now += 2000;
  expect(await at()).toEqual([2, 0]);
  tracker.emit({ type: 'kernelsStarted', job: 'A', partition: 0, worker: 1, assignment: 1 });
  engine.now += 3000;
  expect(await at()).toEqual([2, 3]);
  tracker.emit({ type: 'partitionDone', job: 'A', partition: 0, worker: 1, assignment: 1 });
  engine.now += 5000;
  expect(await at()).toEqual([2, 3]);
  lease[Symbol.dispose]();
});

test('waiting partitions are told by what they wait for', async () => {
  const engine = engineWithWorkers();
  using metrics = new Metrics(engine, () => engine.now);
  engine.tracker.emit(submitted('A', 'k'));
  engine.tracker.emit(submitted('B', 'k'));
  engine.tracker.emit({ type: 'memoryWaitStarted', job: 'B', partition: 0, bytes: 5 });
  const samples = await scrape(metrics);
  expect(samples.get('cuzk_partitions_waiting{wait="queueWait"}')).toBe(1);
  expect(samples.get('cuzk_partitions_waiting{wait="memoryWait"}')).toBe(1);
  expect(samples.get('cuzk_partitions{phase="pending"}')).toBe(2);
});

test('only so many kinds have a name of their own, and no job is lost by it', async () => {
  const engine = engineWithWorkers();
  using metrics = new Metrics(engine, () => engine.now);
  for (let i = 0; i < mostKinds + 10; i++) {
    engine.tracker.emit(submitted(`J${i}`, `kind-${i}`));
    engine.tracker.emit({ type: 'jobEnded', job: `J${i}`, end: 'failed' });
  }
  const samples = await scrape(metrics);
  const ended = [...samples].filter(([name]) => name.includes('jobs_ended_total') && name.includes('"failed"'));
  expect(ended).toHaveLength(mostKinds + 1);
  expect(samples.get(`cuzk_jobs_ended_total{kind="${otherKind}",outcome="failed"}`)).toBe(10);
  expect(samples.get(`cuzk_job_seconds_count{kind="${otherKind}",outcome="failed"}`)).toBe(10);
});

test('disposed metrics watch no more', async () => {
  const engine = engineWithWorkers();
  const metrics = new Metrics(engine, () => engine.now);
  metrics[Symbol.dispose]();
  engine.tracker.emit(submitted('A', 'k'));
  engine.tracker.emit({ type: 'jobEnded', job: 'A', end: 'failed' });
  expect((await scrape(metrics)).get('cuzk_job_seconds_count{kind="k",outcome="failed"}')).toBeUndefined();
});
