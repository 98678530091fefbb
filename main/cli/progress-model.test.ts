import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Phase } from '../prover/prover.ts';
import { JobProgress, phaseNames, timeLeftMs } from './progress-model.ts';

const anyReport = fc.record({
  phase: fc.constantFrom(...(Object.keys(phaseNames) as Phase[])),
  done: fc.nat(100),
  total: fc.nat(100),
  next: fc.boolean(),
});

test('progress never goes back and never claims to be done, whatever is reported in whatever order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(anyReport, { maxLength: 50 }), (partitions, reports) => {
      const progress = new JobProgress(partitions);
      let before = 0;
      for (const { next, ...report } of reports) {
        if (next) progress.nextPartition();
        const now = progress.update(report);
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThan(1);
        before = now;
      }
    }),
  );
});

test('half of the partitions is about half of the job', () => {
  const progress = new JobProgress(4);
  progress.update({ phase: 'load', done: 1, total: 1 });
  for (let i = 0; i < 2; i++) {
    progress.nextPartition();
    for (const phase of Object.keys(phaseNames) as Phase[]) {
      if (phase !== 'load' && phase !== 'check') progress.update({ phase, done: 1, total: 1 });
    }
  }
  expect(progress.fraction).toBeGreaterThan(0.45);
  expect(progress.fraction).toBeLessThan(0.55);
});

test('the time left is told only once it can be known', () => {
  expect(timeLeftMs(0.5, 500)).toBeUndefined();
  expect(timeLeftMs(0.01, 5000)).toBeUndefined();
  expect(timeLeftMs(0.25, 5000)).toBe(15_000);
});
