import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstFrom, neighbour, spanAt } from './hit-test.ts';
import { Lane } from './lanes.ts';
import { outcomeCode, phaseCode } from './phases.ts';
import { nobody, SpanRing } from './span-ring.ts';
import { phaseTotals, totalsOf } from './totals.ts';
import { sharesOf, workByBucket } from './utilisation.ts';
import { Boxes, visibleBoxes } from './visible.ts';

const about = { phase: phaseCode.kernels, job: 0, partition: 0, attempt: 1, worker: nobody, device: 0 };

/** Spans from their starts and ends. */
function fill(ring: SpanRing, spans: readonly (readonly [number, number])[]): SpanRing {
  for (const [startedAt, endedAt] of spans) ring.end(ring.push({ ...about, startedAt }), endedAt, outcomeCode.ok);
  return ring;
}
const ringOf = (spans: readonly (readonly [number, number])[]) => fill(new SpanRing(), spans);

/** Spans one after the other, as pauses and lengths. */
const sequence = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 60 }).map((parts) => {
  let at = 0;
  return parts.map(([pause, ms]): [number, number] => {
    const start = at + pause;
    at = start + ms;
    return [start, at];
  });
});

function boxesOf(ring: SpanRing, from: number, msPerPx: number, widthPx: number, now = 1e9, job = -1) {
  const boxes = new Boxes();
  visibleBoxes(ring, { from, msPerPx }, widthPx, now, job, boxes);
  return Array.from({ length: boxes.count }, (_, i) => ({
    ...{ x0: boxes.x0[i]!, x1: boxes.x1[i]!, filled: boxes.filled[i]!, serial: boxes.serial[i]! },
    ...{ outcome: boxes.outcome[i]!, isOfJob: boxes.isOfJob[i] === 1 },
  }));
}

it('spans in view are boxes at their pixels, and none outside of it is there', () => {
  expect(
    boxesOf(
      ringOf([
        [0, 5],
        [10, 30],
        [40, 50],
        [200, 300],
      ]),
      10,
      2,
      50,
    ).map(({ x0, x1, serial }) => [x0, x1, serial]),
  ).toEqual([
    [0, 10, 1],
    [15, 20, 2],
  ]);
});

it('an open span ends now', () => {
  const ring = ringOf([[0, 5]]);
  ring.push({ ...about, startedAt: 10 });
  expect(boxesOf(ring, 0, 1, 100, 42).at(-1)).toMatchObject({ x0: 10, x1: 42 });
});

it('100,000 narrow spans are no more boxes than pixels, and the work in them is kept', () => {
  const ring = new SpanRing();
  fill(
    ring,
    Array.from({ length: 100_000 }, (_, i) => [i, i + 0.25] as const),
  );
  const boxes = boxesOf(ring, 0, 100, 1000);
  expect(boxes).toHaveLength(1000);
  for (const { filled, x0, x1 } of boxes) {
    expect(filled).toBeCloseTo(0.25, 2);
    expect(x1 - x0).toBe(1);
  }
});

it('no work is lost or made up by merging', () => {
  fc.assert(
    fc.property(sequence, fc.double({ min: 0.5, max: 50, noNaN: true }), (spans, msPerPx) => {
      const ring = ringOf(spans);
      const drawn = boxesOf(ring, 0, msPerPx, 3000).reduce((sum, { x0, x1, filled }) => sum + (x1 - x0) * filled, 0) * msPerPx;
      const real = spans.reduce((sum, [from, to]) => sum + to - from, 0);
      // Of each box the rounding to 32 bits, of each column what is drawn of empty spans, and what stands over into the next pixel.
      expect(Math.abs(drawn - real)).toBeLessThan(1 + spans.length * msPerPx * 0.01 + msPerPx * 2);
    }),
  );
});

it('boxes go from left to right, and only columns may touch their neighbours’ pixel', () => {
  fc.assert(
    fc.property(sequence, fc.double({ min: 0.1, max: 50, noNaN: true }), (spans, msPerPx) => {
      const boxes = boxesOf(ringOf(spans), 0, msPerPx, 500);
      for (const [i, { x0 }] of boxes.entries()) if (i > 0) expect(x0).toBeGreaterThanOrEqual(boxes[i - 1]!.x1 - 1.001);
      expect(boxes.length).toBeLessThanOrEqual(2 * 502);
    }),
  );
});

it('a failure among merged spans is still seen, and so is the highlighted job', () => {
  const ring = ringOf([
    [0, 0.1],
    [0.2, 0.3],
  ]);
  ring.end(ring.push({ ...about, job: 7, startedAt: 0.4 }), 0.5, outcomeCode.failed);
  expect(boxesOf(ring, 0, 1, 10, 1e9, 7)).toMatchObject([{ outcome: outcomeCode.failed, isOfJob: true, serial: -1 }]);
});

it('the pointer finds the span that it is on, or one that is near', () => {
  const ring = ringOf([
    [0, 5],
    [10, 30],
    [32, 32],
  ]);
  expect(spanAt(ring, 12, 0, 100)?.serial).toBe(1);
  expect(spanAt(ring, 31.8, 0.5, 100)?.serial).toBe(2);
  expect(spanAt(ring, 7, 1, 100)).toBeUndefined();
});

it('every moment of a span finds it', () => {
  fc.assert(
    fc.property(sequence, (spans) => {
      const ring = ringOf(spans);
      for (const [serial, [from, to]] of spans.entries())
        if (to > from) expect(spanAt(ring, (from + to) / 2, 0, 1e9)?.serial).toBe(serial);
    }),
  );
});

it('the next span is the one after, as long as there is one', () => {
  const ring = ringOf([
    [0, 5],
    [10, 30],
  ]);
  const first = firstFrom(ring, 0)!;
  expect(neighbour(first, 1)?.serial).toBe(1);
  expect([neighbour(first, -1), neighbour(neighbour(first, 1)!, 1)]).toEqual([undefined, undefined]);
});

it('work, waits and idle time of a lane add up to the range, and its phases to its work', () => {
  fc.assert(
    fc.property(sequence, fc.nat(300), fc.integer({ min: 1, max: 500 }), (spans, from, ms) => {
      const lane = new Lane({ kind: 'device', device: 'cuda:0', beginsAt: 0 }, () => new SpanRing());
      fill(lane.sublanes[0]!, spans);
      const range = { from, to: from + ms };
      const [totals] = totalsOf([lane], range, 1e9);
      expect(totals!.workMs + totals!.waitMs + totals!.outMs + totals!.idleMs).toBeCloseTo(ms, 6);
      const real = spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, range.to) - Math.max(a, range.from)), 0);
      expect(totals!.workMs).toBeCloseTo(real, 6);
      expect(totals!.phases.reduce((sum, { sumMs }) => sum + sumMs, 0)).toBeCloseTo(real, 6);
      const buckets = new Float32Array(16);
      workByBucket(lane.sublanes[0]!, range, 1e9, buckets);
      expect((buckets.reduce((sum, share) => sum + share, 0) * ms) / 16).toBeCloseTo(real, 2);
    }),
  );
});

it('percentiles are of whole durations that were measured', () => {
  const lane = new Lane({ kind: 'device', device: 'cuda:0', beginsAt: 0 }, () => new SpanRing());
  fill(
    lane.sublanes[0]!,
    Array.from({ length: 20 }, (_, i) => [i * 100, i * 100 + i + 1] as const),
  );
  expect(phaseTotals([lane], { from: 0, to: 10_000 }, 1e9)).toMatchObject([{ count: 20, p50Ms: 10, p95Ms: 19 }]);
  expect(phaseTotals([lane], { from: 1_905, to: 10_000 }, 1e9)).toMatchObject([{ count: 1, sumMs: 15, p50Ms: 20 }]);
});

it('nothing is counted before there was such a lane, nor after now', () => {
  const lane = new Lane({ kind: 'device', device: 'cuda:0', beginsAt: 50 }, () => new SpanRing());
  lane.sublanes[0]!.push({ ...about, startedAt: 60 });
  expect(sharesOf(lane, { from: 0, to: 1000 }, 100)).toEqual({ workMs: 40, waitMs: 0, outMs: 0, totalMs: 50 });
});
