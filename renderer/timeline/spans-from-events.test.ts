import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineEvent, modes } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import { type EngineState, jobsOf, partitionsOf } from '../../main/contract/state.ts';
import { phases } from './phases.ts';
import { type RunJob, type RunMishap, simulatedRun } from './simulated-run.ts';
import type { SpanRing } from './span-ring.ts';
import { SpanRecorder, spansFromEvents } from './spans-from-events.ts';

const runs = {
  numRuns: Number(process.env.CUZK_RUNS ?? 150),
  ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}),
};

const job: fc.Arbitrary<RunJob> = fc.record({
  partitions: fc.integer({ min: 1, max: 6 }),
  mode: fc.constantFrom(...modes),
  zkey: fc.constantFrom('a.zkey', 'b.zkey'),
  submitAt: fc.nat(150),
  cancelAt: fc.option(fc.nat(200), { nil: undefined }),
});
const mishap: fc.Arbitrary<RunMishap> = fc.record({
  stage: fc.constantFrom('load', 'synthesize', 'kernels', 'finish', 'verify'),
  job: fc.nat(3),
  partition: fc.nat(5),
  what: fc.constantFrom('fails', 'lost', 'invalid'),
});
const scenario = fc.record({
  jobs: fc.array(job, { minLength: 1, maxLength: 4 }),
  mishaps: fc.array(mishap, { maxLength: 3 }),
  devices: fc.integer({ min: 1, max: 3 }),
  sharesThreads: fc.boolean(),
  memoryBytes: fc.constantFrom(150, 2000),
  seed: fc.integer({ min: 1, max: 1000 }),
  cut: fc.nat(300),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const play = ({ jobs, mishaps, cut: _, ...options }: Scenario) => simulatedRun(jobs, { ...options, jitter: 0.5 }, mishaps);

/** A device that is lost stops two syntheses at one moment: both workers are free before either partition has failed. */
const lostDuringTwoSyntheses: Scenario = {
  jobs: [
    { partitions: 2, mode: 'pipelined', zkey: 'a.zkey', submitAt: 0, cancelAt: 0 },
    { partitions: 1, mode: 'pipelined', zkey: 'a.zkey', submitAt: 1, cancelAt: undefined },
    { partitions: 4, mode: 'pipelined', zkey: 'a.zkey', submitAt: 0, cancelAt: undefined },
  ],
  mishaps: [{ stage: 'kernels', job: 2, partition: 2, what: 'lost' }],
  ...{ devices: 2, sharesThreads: false, memoryBytes: 2000, seed: 175, cut: 0 },
};

/** `job/partition/attempt/phase` -> [start, end], of every span that a state ever told of. */
function told(started: EngineState, events: EngineEvent[]): Map<string, [number, number | undefined]> {
  const all = new Map<string, [number, number | undefined]>();
  const tell = (state: EngineState) => {
    for (const job of jobsOf(state))
      for (const [i, { attempt, spans }] of partitionsOf(job).entries())
        for (const [name, { startedAt, endedAt }] of Object.entries(spans))
          all.set(`${job.job}/${i}/${attempt}/${name}`, [startedAt, endedAt]);
  };
  let state = started;
  // The first event may be the retry that takes an attempt's spans out of the state.
  tell(state);
  for (const event of events) {
    state = reduce(state, event);
    // A retry leaves nothing of the attempt in the state: what was open has ended with it.
    if (event.type === 'partitionRetried')
      for (const [key, [start, end]] of all)
        if (key.startsWith(`${event.job}/${event.partition}/${event.attempt - 1}/`)) all.set(key, [start, end ?? state.at]);
    tell(state);
  }
  return all;
}

function* rows(ring: SpanRing) {
  for (let serial = ring.tail; serial < ring.head; serial++) {
    const row = serial & ring.mask;
    const { at } = ring;
    const end = at.endedAt[row]!;
    yield {
      ...{ phase: phases[at.phase[row]!]!, start: at.startedAt[row]!, end: end === Number.POSITIVE_INFINITY ? undefined : end },
      ...{ job: at.job[row]!, partition: at.partition[row]!, attempt: at.attempt[row]!, device: at.device[row]! },
    };
  }
}

/** The same of what was recorded, but without the phases that the contract does not have; fails where one stands twice. */
function recorded(recorder: SpanRecorder, rings: SpanRing[]): Map<string, [number, number | undefined]> {
  const all = new Map<string, [number, number | undefined]>();
  for (const ring of rings)
    for (const { phase, start, end, job: slot, partition, attempt } of rows(ring)) {
      if (phase === 'admitted' || phase === 'stopping' || phase === 'faulted') continue;
      const key = `${recorder.jobs.idOf(slot)}/${partition}/${attempt}/${phase}`;
      if (all.has(key)) expect.fail(`${key} stands twice`);
      all.set(key, [start, end]);
    }
  return all;
}

const drawn = ({ lanes }: SpanRecorder) => lanes.filter(({ about }) => about.kind !== 'device').flatMap(({ sublanes }) => sublanes);
const everything = (recorder: SpanRecorder) => [...drawn(recorder), ...Object.values(recorder.waits)];

describe('over random runs of the engine', () => {
  it('the recorded spans are those of the state, each once, at every attempt', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const { started, events } = await play(one);
        // Cut off in the middle of the run too: open spans are spans.
        for (const some of [events.slice(0, one.cut), events]) {
          const recorder = spansFromEvents(some, started);
          expect(recorded(recorder, everything(recorder))).toEqual(told(started, some));
        }
      }),
      runs,
    );
  });

  it('a lane is idle exactly when its worker is', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const { started, events } = await play(one);
        const recorder = new SpanRecorder(started);
        for (const event of events) {
          recorder.take(event);
          for (const { worker, phase } of recorder.state.workers) {
            const open = recorder
              .laneOfWorker(worker)!
              .sublanes.flatMap((ring) => [...rows(ring)].filter(({ end }) => end === undefined));
            const isBusy = open.some((span) => span.phase !== 'faulted');
            if (isBusy !== (phase === 'proving' || phase === 'synthesizing'))
              expect.fail(
                `worker ${worker} is ${phase}, drawn as ${open.map((span) => span.phase)}, after ${JSON.stringify(event)}`,
              );
            if (open.length > 1) expect.fail(`worker ${worker} does two things, after ${JSON.stringify(event)}`);
          }
          const finalizing = recorder.lanes
            .filter(({ about }) => about.kind === 'finalizer')
            .flatMap(({ sublanes }) => sublanes.flatMap((ring) => [...rows(ring)].filter(({ end }) => end === undefined)));
          expect(finalizing).toHaveLength(Object.keys(recorder.state.finalizers).length);
        }
      }),
      { ...runs, examples: [[lostDuringTwoSyntheses]] },
    );
  });

  it('spans of one sub-lane follow each other, none before its lane begins', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const { started, events } = await play(one);
        const { lanes } = spansFromEvents(events, started);
        for (const { about, sublanes } of lanes)
          for (const ring of sublanes) {
            let last = about.beginsAt;
            for (const { start, end } of rows(ring)) {
              expect(start).toBeGreaterThanOrEqual(last);
              last = end ?? Number.POSITIVE_INFINITY;
              expect(last).toBeGreaterThanOrEqual(start);
            }
          }
      }),
      runs,
    );
  });

  it('a device’s lane has the kernels of its workers', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const { started, events } = await play(one);
        const recorder = spansFromEvents(events, started);
        const ofDevices = recorder.lanes.filter(({ about }) => about.kind === 'device').flatMap(({ sublanes }) => sublanes);
        const kernels = [...recorded(recorder, drawn(recorder))].filter(([key]) => key.endsWith('/kernels'));
        expect(recorded(recorder, ofDevices)).toEqual(new Map(kernels));
      }),
      runs,
    );
  });

  it('a recorder that begins with a snapshot tells what the snapshot knows, and goes on from there', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const { started, events } = await play(one);
        const snapshot = events.slice(0, one.cut).reduce(reduce, started);
        const recorder = new SpanRecorder(snapshot);
        for (const event of events.slice(one.cut)) recorder.take(event);
        const expected = told(snapshot, events.slice(one.cut));
        if (one.cut >= events.length) return;
        expect(recorded(recorder, everything(recorder))).toEqual(expected);
        for (const { sublanes } of recorder.lanes)
          for (const ring of sublanes) {
            let last = 0;
            for (const { start, end } of rows(ring)) {
              expect(start).toBeGreaterThanOrEqual(last);
              last = end ?? Number.POSITIVE_INFINITY;
            }
          }
      }),
      runs,
    );
  });
});

describe('a job that is cancelled while its kernels run', () => {
  it('leaves its worker and device stopping, not idle, until the call has come back', async () => {
    const { started, events } = await simulatedRun([{ partitions: 3, cancelAt: 65 }], {});
    const recorder = spansFromEvents(events, started);
    const phasesOf = (kind: string) =>
      recorder.lanes
        .filter(({ about }) => about.kind === kind)
        .flatMap(({ sublanes }) => sublanes.flatMap((ring) => [...rows(ring)]));
    expect(phasesOf('pipelined').map(({ phase }) => phase)).toContain('stopping');
    expect(phasesOf('pipelined').every(({ end }) => end !== undefined)).toBe(true);
  });
});

it('a device that is lost is drawn as out of order', async () => {
  const { started, events } = await simulatedRun([{ partitions: 6 }], { devices: 2 }, [
    { stage: 'kernels', job: 0, partition: 1, what: 'lost' },
  ]);
  const recorder = spansFromEvents(events, started);
  const out = recorder.lanes.filter(({ sublanes }) =>
    sublanes.some((ring) => [...rows(ring)].some(({ phase }) => phase === 'faulted')),
  );
  expect(out.map(({ about }) => about.kind)).toEqual(['device', 'pipelined', 'pipelined', 'monolithic']);
});

it('a wait is of the device that took the partition, once one has', async () => {
  const { started, events } = await simulatedRun([{ partitions: 4 }], { devices: 2 });
  const recorder = spansFromEvents(events, started);
  const devices = [...rows(recorder.waits.deviceQueue)].map(({ device }) => device);
  expect(new Set(devices)).toEqual(new Set([0, 1]));
});

it('memory is bounded: the oldest spans go, and with their last span the names of their jobs', async () => {
  const jobs = Array.from({ length: 40 }, (_, i) => ({ partitions: 4, submitAt: i * 100 }));
  const { started, events } = await simulatedRun(jobs, {});
  const recorder = new SpanRecorder(started, 16);
  for (const event of events) recorder.take(event);
  expect(everything(recorder).every((ring) => ring.count <= 16)).toBe(true);
  expect(recorder.jobs.size).toBeLessThan(20);
  expect(recorder.jobs.slotOf('job-40')).toBeDefined();
});
