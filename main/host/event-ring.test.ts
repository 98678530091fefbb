import { expect, test } from 'vitest';
import type { EngineEvent } from '../contract/events.ts';
import { EventRing } from './event-ring.ts';

const event = (seq: number): EngineEvent => ({ type: 'memoryMeasured', rssBytes: seq, seq, at: 0 });
const ringOf = (most: number, from: number, to: number) => {
  const ring = new EventRing(most, from, String);
  for (let seq = from + 1; seq <= to; seq++) ring.push(event(seq));
  return ring;
};
const seqsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));

test('who wants what is kept, or what comes next, misses nothing', () => {
  const ring = ringOf(10, 100, 130);
  expect([120, 121, 130, 131, 132].map((next) => ring.canContinueAt(next))).toEqual([false, true, true, true, false]);
  expect(seqsOf(ring.framesFrom(121, 1e6).text)).toEqual([121, 122, 123, 124, 125, 126, 127, 128, 129, 130]);
});

test('what was before the first event is not there', () => {
  const ring = ringOf(10, 100, 103);
  expect([0, 100, 101, 104].map((next) => ring.canContinueAt(next))).toEqual([false, false, true, true]);
  expect(ringOf(10, 100, 100).canContinueAt(101)).toBe(true);
  expect(ringOf(10, 100, 100).canContinueAt(100)).toBe(false);
});

test('goes out in pieces that follow one another', () => {
  const ring = ringOf(1000, 0, 50);
  const seqs: number[] = [];
  for (let next = 1; next <= 50; ) {
    const piece = ring.framesFrom(next, 200);
    expect(piece.text.length).toBeLessThan(400);
    seqs.push(...seqsOf(piece.text));
    next = piece.next;
  }
  expect(seqs).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

test('a gap in the numbers is not papered over', () => {
  const ring = ringOf(10, 0, 5);
  ring.push(event(8));
  expect([5, 6, 8, 9].map((next) => ring.canContinueAt(next))).toEqual([false, false, true, true]);
});
