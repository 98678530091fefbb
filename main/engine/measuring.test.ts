import { expect, it } from 'vitest';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Measuring } from './measuring.ts';

function measuring() {
  const clock = new VirtualClock();
  const toldAt: number[] = [];
  const measured = new Measuring(
    clock,
    () => 1,
    () => toldAt.push(clock.now()),
  );
  const pass = (ms: number) => clock.run(clock.sleep(ms));
  return { clock, measured, toldAt, pass };
}

it('measures once a second while anything is at work, once after the last, and again with the next', async () => {
  const { clock, measured, toldAt, pass } = measuring();
  measured.busy(clock.sleep(1500));
  measured.busy(clock.sleep(2500));
  await pass(10_000);
  expect(toldAt).toEqual([0, 1000, 2000, 3000]);
  measured.busy(clock.sleep(10));
  await pass(10_000);
  expect(toldAt.slice(4)).toEqual([10_000, 11_000]);
});

it('ends when it is stopped', async () => {
  const { measured, toldAt, pass } = measuring();
  measured.busy(new Promise(() => {}));
  await pass(500);
  measured.stop();
  await pass(5000);
  expect(toldAt).toEqual([0]);
});
