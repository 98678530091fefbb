import { expect, it } from 'vitest';
import { EngineClock } from './engine-clock.ts';

it('takes the age of a snapshot into account', () => {
  const clock = new EngineClock();
  clock.reset(1000, 60_000, 5);
  expect(clock.at(5)).toBe(61_000);
  expect(clock.at(105)).toBe(61_100);
});

it('believes the message that was on its way the least', () => {
  const clock = new EngineClock();
  clock.saw(1000, 500);
  clock.saw(1100, 590);
  clock.saw(1200, 900);
  expect(clock.at(1000)).toBe(1510);
});

it('begins anew with a snapshot, also when the engine is younger than the one before', () => {
  const clock = new EngineClock();
  clock.saw(900_000, 10);
  clock.reset(40, 2, 20);
  expect(clock.at(20)).toBe(42);
});

it('is 0 before anything was seen', () => expect(new EngineClock().at(1234)).toBe(0));
