import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaleOf, toMs, toPx } from './scale.ts';
import { clamp, fitTo, follow, leastMs, pan, reveal, type Viewport, zoom } from './viewport.ts';

const content = { from: 1_000, to: 61_000 };
const view: Viewport = { from: 10_000, to: 20_000, following: false };

const anyView = fc
  .record({ from: fc.double({ min: 0, max: 60_000, noNaN: true }), ms: fc.double({ min: leastMs, max: 60_000, noNaN: true }) })
  .map(({ from, ms }) => clamp({ from, to: from + ms, following: false }, content));

it('the time under the cursor stays there while zooming, unless that would leave the content', () => {
  const at = 12_500;
  const before = toPx(scaleOf(view, 1000), at);
  const closer = zoom(view, 0.5, at, content);
  expect(toPx(scaleOf(closer, 1000), at)).toBeCloseTo(before, 6);
  expect(closer.to - closer.from).toBeCloseTo(5_000, 6);
});

it('zooming in and out again gives the same view', () => {
  fc.assert(
    fc.property(anyView, fc.double({ min: 0.2, max: 0.9, noNaN: true }), (one, factor) => {
      if ((one.to - one.from) * factor < leastMs) return;
      const at = (one.from + one.to) / 2;
      // At the content's edges the view is held back.
      if (at < content.from || at > content.to) return;
      const back = zoom(zoom(one, factor, at, content), 1 / factor, at, content);
      expect(back.from).toBeCloseTo(one.from, 3);
      expect(back.to).toBeCloseTo(one.to, 3);
    }),
  );
});

it('no view is narrower than the least, wider than twice the content, or without content', () => {
  fc.assert(
    fc.property(
      anyView,
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      (one, by, move) => {
        const { from, to } = pan(zoom(one, by, one.from, content), move, content);
        expect(to - from).toBeGreaterThanOrEqual(leastMs * 0.999999);
        expect(to - from).toBeLessThanOrEqual(120_000.001);
        expect(from).toBeLessThan(content.to);
        expect(to).toBeGreaterThan(content.from);
      },
    ),
  );
});

it('what is fitted is in view, with a little room', () => {
  const { from, to, following } = fitTo({ from: 5_000, to: 6_000 }, content);
  expect([from, to, following]).toEqual([4_980, 6_020, false]);
});

it('following keeps the width and the newest time just inside the right edge', () => {
  const { from, to } = follow(view, 50_000);
  expect([to - from, to]).toEqual([10_000, 50_300]);
});

it('zooming while following keeps following; panning ends it', () => {
  const followed = follow(view, 50_000);
  expect(zoom(followed, 0.5, 12_000, content)).toMatchObject({ to: followed.to, following: true });
  expect(pan(followed, -1, content).following).toBe(false);
});

it('a span outside is brought into view, one inside moves nothing', () => {
  expect(reveal(view, { from: 11_000, to: 12_000 }, content)).toBe(view);
  const moved = reveal(view, { from: 30_000, to: 31_000 }, content);
  expect(moved.from).toBeLessThan(30_000);
  expect(moved.to - moved.from).toBe(10_000);
});

it('pixels and times convert back and forth', () => {
  const scale = scaleOf(view, 800);
  expect(toMs(scale, toPx(scale, 17_777))).toBeCloseTo(17_777, 9);
});
