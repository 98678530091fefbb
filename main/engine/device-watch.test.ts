import { expect, it } from 'vitest';
import type { CallOptions, Progress } from '../prover/prover.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { DeviceLine } from './device-line.ts';
import { DeviceLock } from './device-lock.ts';
import { onDevice } from './device-watch.ts';

const step: Progress = { phase: 'ntt', done: 1, total: 2 } as unknown as Progress;

/** What a call holds, and what became of it: `kept` while it may still be using it. */
function watching(hangMs?: number) {
  const clock = new VirtualClock();
  const line = new DeviceLine({ device: 'x', lookahead: 1, lock: new DeviceLock(), hangMs });
  const told: string[] = [];
  const holds = new DisposableStack();
  holds.defer(() => told.push('given back'));
  const abandon = () => {
    told.push('abandoned');
    return () => told.push('recovered');
  };
  const run = (call: (options: CallOptions) => Promise<Disposable>) => onDevice(clock, line, {}, { holds, abandon }, call);
  return { clock, line, told, holds, run };
}
const handle = (told: string[]) => ({ [Symbol.dispose]: () => void told.push('released') });

it('a call that answers is its answer, and what it holds stays with the caller', async () => {
  const { clock, told, holds, run } = watching(100);
  const answer = handle(told);
  const call = () => clock.sleep(90).then(() => answer);
  expect(await clock.run(run(call))).toBe(answer);
  await expect(clock.run(run(() => Promise.reject(new Error('out of memory'))))).rejects.toThrow('out of memory');
  expect([told, holds.disposed]).toEqual([[], false]);
});

it('a call that goes on is not hung, however long it takes', async () => {
  const { clock, told, run } = watching(100);
  const call = async ({ onProgress }: CallOptions) => {
    for (let i = 0; i < 10; i++) {
      await clock.sleep(90);
      onProgress?.(step);
    }
    return handle(told);
  };
  await clock.run(run(call));
  expect(clock.now()).toBe(900);
});

it('a hung call keeps what it holds until it answers after all, and its answer is released', async () => {
  const { clock, told, holds, run } = watching(100);
  const { promise, resolve } = Promise.withResolvers<Disposable>();
  await expect(clock.run(run(() => promise))).rejects.toMatchObject({ code: 'DeviceHung' });
  expect([told, holds.disposed, clock.now()]).toEqual([['abandoned'], true, 100]);
  resolve(handle(told));
  await clock.run(clock.sleep(1));
  expect(told).toEqual(['abandoned', 'released', 'given back', 'recovered']);
});

it('a call on a device that is found at fault is not waited for, whether or not hangs are watched', async () => {
  const { clock, line, told, run } = watching();
  const { promise, reject } = Promise.withResolvers<Disposable>();
  const running = run(() => promise);
  line.breakDown(new Error('wrong proofs'));
  await expect(clock.run(running)).rejects.toMatchObject({ code: 'Aborted' });
  reject(new Error('late'));
  await clock.run(clock.sleep(1));
  expect(told).toEqual(['abandoned', 'given back', 'recovered']);
});
