import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Phase } from '../prover/prover.ts';
import { JobProgress, phaseNames, timeLeftMs } from './progress-model.ts';

const anyReport = fc.record({
  phase: fc.constantFrom(...(Object.keys(phaseNames) as Phase[])),
  done: fc.nat(100),
  total: fc.nat(100),
  of: fc.option(fc.nat(4), { nil: undefined }),
  ends: fc.boolean(),
});

test('progress never goes back and never claims to be done, whatever is reported in whatever order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(anyReport, { maxLength: 50 }), (partitions, reports) => {
      const progress = new JobProgress(partitions);
      let before = 0;
      for (const { of, ends, ...report } of reports) {
        if (of !== undefined && ends) progress.done(of % partitions);
        const now = of === undefined ? progress.key(report) : progress.partition(of % partitions, report);
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThan(1);
        before = now;
      }
    }),
  );
});

test('half of the partitions is about half of the job', () => {
  const progress = new JobProgress(4);
  progress.key({ phase: 'load', done: 1, total: 1 });
  for (const i of [0, 2]) {
    for (const phase of Object.keys(phaseNames) as Phase[]) {
      if (phase !== 'load' && phase !== 'check') progress.partition(i, { phase, done: 1, total: 1 });
    }
    progress.done(i);
  }
  expect(progress.fraction).toBeGreaterThan(0.45);
  expect(progress.fraction).toBeLessThan(0.55);
});

test('the time left is told only once it can be known', () => {
  expect(timeLeftMs(0.5, 500)).toBeUndefined();
  expect(timeLeftMs(0.01, 5000)).toBeUndefined();
  expect(timeLeftMs(0.25, 5000)).toBe(15_000);
});
