import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cause, gapsOf } from './gaps.ts';
import { type Run, type RunJob, type RunMishap, simulatedRun } from './simulated-run.ts';
import { spansFromEvents } from './spans-from-events.ts';

/** The gaps of each device over a whole run. */
function gapsIn({ started, events }: Run) {
  const recorder = spansFromEvents(events, started);
  const now = recorder.state.at;
  const range = { from: recorder.beginsAt, to: now };
  return recorder.lanes.filter(({ about }) => about.kind === 'device').map((lane) => gapsOf(recorder, lane, range, now));
}

describe('a device that is idle', () => {
  const mostly = (run: Run, device = 0): Cause => {
    const { byCause } = gapsIn(run)[device]!;
    return (Object.keys(byCause) as Cause[]).reduce((most, cause) => (byCause[cause] > byCause[most] ? cause : most));
  };

  it('waits for a key while the first one is loaded', async () => {
    const run = await simulatedRun([{ partitions: 2 }], { durations: { load: 500 } });
    expect(gapsIn(run)[0]!.gaps[0]).toMatchObject({ cause: 'key' });
    expect(gapsIn(run)[0]!.byCause.key).toBeCloseTo(500, 3);
  });
  it('waits for synthesis when that is slow', async () => {
    expect(mostly(await simulatedRun([{ partitions: 8 }], { durations: { synthesize: 90 } }))).toBe('synthesis');
  });
  it('waits for memory while a finalizer holds what the next partition needs', async () => {
    const sizes = { keyBytes: 100, synthesisBytes: 50, finishBytes: 50 };
    const run = await simulatedRun([{ partitions: 8 }], { sizes, memoryBytes: 160, durations: { finish: 200 } });
    expect(mostly(run)).toBe('memory');
  });
  it('waits for the lock when threads are shared and another has it', async () => {
    const run = await simulatedRun([{ partitions: 12 }], { devices: 2, sharesThreads: true, durations: { kernels: 90 } });
    expect(gapsIn(run).reduce((sum, { byCause }) => sum + byCause.lock, 0)).toBeGreaterThan(100);
  });
  it('has no work between two jobs', async () => {
    const run = await simulatedRun([{ partitions: 1 }, { partitions: 1, submitAt: 2_000 }]);
    expect(gapsIn(run)[0]!.gaps.find(({ from, to }) => to - from > 1_500)).toMatchObject({ cause: 'nothing' });
  });
  it('is out of order once it is lost', async () => {
    const run = await simulatedRun([{ partitions: 30 }], { devices: 2 }, [
      { stage: 'kernels', job: 0, partition: 1, what: 'lost' },
    ]);
    expect(gapsIn(run).some(({ gaps }) => gaps.at(-1)?.cause === 'fault')).toBe(true);
  });
});

const job: fc.Arbitrary<RunJob> = fc.record({
  partitions: fc.integer({ min: 1, max: 6 }),
  mode: fc.constantFrom('pipelined', 'monolithic'),
  submitAt: fc.nat(150),
  cancelAt: fc.option(fc.nat(200), { nil: undefined }),
});
const mishap: fc.Arbitrary<RunMishap> = fc.record({
  stage: fc.constantFrom('kernels', 'finish'),
  job: fc.nat(2),
  partition: fc.nat(5),
  what: fc.constantFrom('fails', 'lost'),
});

it('every idle moment has one cause, and idle and busy time add up to the whole', async () => {
  const runs = fc.record({
    jobs: fc.array(job, { minLength: 1, maxLength: 3 }),
    mishaps: fc.array(mishap, { maxLength: 2 }),
    devices: fc.integer({ min: 1, max: 3 }),
    memoryBytes: fc.constantFrom(150, 2000),
  });
  await fc.assert(
    fc.asyncProperty(runs, async ({ jobs, mishaps, ...options }) => {
      for (const { gaps, byCause, idleMs, totalMs } of gapsIn(await simulatedRun(jobs, { ...options, jitter: 0.5 }, mishaps))) {
        expect(Object.values(byCause).reduce((a, b) => a + b, 0)).toBeCloseTo(idleMs, 6);
        expect(gaps.reduce((sum, { from, to }) => sum + to - from, 0)).toBeCloseTo(idleMs, 6);
        expect(idleMs).toBeLessThanOrEqual(totalMs + 1e-9);
        for (const gap of gaps) {
          const parts = Object.values(gap.byCause).reduce((a, b) => a + b, 0);
          expect(parts).toBeCloseTo(gap.to - gap.from, 6);
        }
      }
    }),
    { numRuns: 100 },
  );
});
