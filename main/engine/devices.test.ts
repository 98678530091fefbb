// Several devices: work shared between them, and what happens when one is lost, hangs, or is wrong.
import { describe, expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { type EngineState, jobOf, partitionsOf } from '../contract/state.ts';
import type { Mishap, Stage } from '../prover/simulated/simulated-prover.ts';
import { jobRequest, type SimulatedEngineOptions, simulatedEngine } from './simulated-engine.ts';

const lost = (device: string) => new CuzkError('DeviceLost', `the device ${device} is gone`);

async function run(options: SimulatedEngineOptions, partitions: number, more: Parameters<typeof jobRequest>[2] = {}) {
  const simulated = simulatedEngine(options);
  const { clock, engine } = simulated;
  const { job } = await clock.run(engine.submit(jobRequest('w', partitions, more)));
  const outcome = await clock.run(engine.await(job));
  return { ...simulated, job, outcome };
}

const phasesOn = ({ workers }: EngineState, device: string) =>
  workers.filter((worker) => worker.device === device).map(({ phase }) => phase);

it('the partitions of one job are spread over all devices', async () => {
  const { prover, clock } = await run({ devices: 4, memoryBytes: 10_000 }, 64);
  expect(Object.values(prover.busyMs)).toEqual([160, 160, 160, 160]);
  expect(clock.now()).toBeLessThan(50 + 9 + 160 * 1.1 + 15);
});

describe.each(['pipelined', 'monolithic'] as const)('a device that is lost in the middle of a %s job', (mode) => {
  const options: SimulatedEngineOptions = {
    devices: 2,
    synthesisWorkers: 2,
    onStage: (stage, name, device): Mishap =>
      stage === 'kernels' && device === 'sim:0' && name !== 'w0' ? lost(device) : undefined,
  };

  it('has its workers faulted and its partitions proved elsewhere, and shown so', async () => {
    const { engine, job, outcome, events, prover, clock } = await run(options, 12, { mode });
    expect(outcome.end).toBe('succeeded');
    expect(outcome.proofs.map(({ publicSignals }) => publicSignals[0])).toEqual(Array.from({ length: 12 }, (_, i) => `w${i}`));
    const state = engine.snapshot();
    expect(phasesOn(state, 'sim:0')).toEqual(['faulted', 'faulted', 'faulted']);
    expect(phasesOn(state, 'sim:1')).toEqual(['idle', 'idle', 'idle']);
    const retried = events.filter(({ type }) => type === 'partitionRetried');
    expect(retried.length).toBeGreaterThan(0);
    expect(retried[0]).toMatchObject({ attempt: 2, reason: { code: 'DeviceLost' } });
    expect(partitionsOf(jobOf(state, job)!).filter(({ attempt }) => attempt === 2)).toHaveLength(retried.length);
    expect([state.staleEnds, state.ignored, state.finalizers]).toEqual([0, 0, {}]);
    await clock.run(engine.shutdown());
    expect([engine.snapshot().memory, prover.open.size]).toEqual([{}, 0]);
  });

  it('takes nothing more', async () => {
    const { engine, clock, events } = await run(options, 12, { mode });
    const at = events.length;
    const { job } = await clock.run(engine.submit(jobRequest('later', 4, { mode })));
    await clock.run(engine.await(job));
    const takes = events.slice(at).flatMap((event) => (event.type === 'deviceStarted' ? [event.worker] : []));
    const { workers } = engine.snapshot();
    expect(takes.map((worker) => workers[worker]?.device)).toEqual(Array(4).fill('sim:1'));
  });
});

it('a partition that three devices failed fails, with the last device’s error', async () => {
  const onStage = (stage: Stage, _: string, device: string) => (stage === 'kernels' ? lost(device) : undefined);
  const { outcome, events, engine } = await run({ devices: 4, onStage, memoryBytes: 10_000 }, 1);
  expect(outcome).toMatchObject({ end: 'failed', error: { code: 'DeviceLost' } });
  expect(events.filter(({ type }) => type === 'partitionRetried')).toHaveLength(2);
  expect(engine.snapshot().workers.filter(({ phase }) => phase === 'faulted')).toHaveLength(9);
});

it('the last device’s loss fails what waits, and later jobs are refused with the reason', async () => {
  const onStage = (stage: Stage, _: string, device: string) => (stage === 'kernels' ? lost(device) : undefined);
  const { outcome, engine } = await run({ onStage }, 20);
  expect(outcome).toMatchObject({ end: 'failed', error: { code: 'DeviceLost' } });
  await expect(engine.submit(jobRequest('w', 1))).rejects.toMatchObject({ code: 'NoDevice' });
});

describe('a device that hangs', () => {
  const onStage = (stage: Stage, name: string, device: string): Mishap =>
    stage === 'kernels' && name === 'w0' && device === 'sim:0' ? 'hang' : undefined;

  it('is found out, and its partitions go to another one', async () => {
    const { outcome, engine, events } = await run({ devices: 2, onStage, hangMs: 1000 }, 8);
    expect(outcome.end).toBe('succeeded');
    expect(phasesOn(engine.snapshot(), 'sim:0')).toEqual(['faulted', 'faulted', 'faulted']);
    expect(events.find(({ type }) => type === 'partitionRetried')).toMatchObject({ reason: { code: 'DeviceHung' } });
  });

  it('is shown as proving until then, also after its job was cancelled', async () => {
    const { clock, engine } = simulatedEngine({ onStage, hangMs: 1000 });
    const { job } = await clock.run(engine.submit(jobRequest('w', 3)));
    await clock.run(clock.sleep(200));
    engine.cancel(job);
    await clock.run(clock.sleep(200));
    expect(phasesOn(engine.snapshot(), 'sim:0')).toEqual(['proving', 'idle', 'idle']);
  });

  it('keeps its memory reserved, since it may still be using it', async () => {
    const { engine } = await run({ devices: 2, onStage, hangMs: 1000 }, 8);
    expect(engine.snapshot().memory['key merkle.zkey on sim:0']).toBe(100);
  });

  it('cannot keep the engine from shutting down', async () => {
    const { clock, engine } = simulatedEngine({ onStage });
    await clock.run(engine.submit(jobRequest('w', 3)));
    await clock.run(clock.sleep(200));
    await clock.run(engine.shutdown({ graceMs: 500 }));
    expect(clock.now()).toBe(700);
  });
});

describe('a proof that does not verify', () => {
  const invalid = new CuzkError('ProofInvalid', 'the proof does not verify');
  it('is tried on another device, and the first one is at fault when that one’s verifies', async () => {
    const onStage = (stage: Stage, name: string, device: string) =>
      stage === 'verify' && name === 'w1' && device === 'sim:0' ? invalid : undefined;
    const { outcome, engine } = await run({ devices: 2, onStage, synthesisWorkers: 1, durations: { load: 0 } }, 8);
    const w1 = outcome.proofs[1]?.publicSignals[0];
    const faults = phasesOn(engine.snapshot(), 'sim:0').includes('faulted');
    // Whether the partition met the wrong device first depends on the order of devices.
    expect([outcome.end, w1]).toEqual(['succeeded', 'w1']);
    const retried = jobOf(engine.snapshot(), 'job-1')!;
    expect(faults).toBe(partitionsOf(retried)[1]?.attempt === 2);
  });

  it('is the witness’s fault when no device’s verifies: it fails, and no device is blamed', async () => {
    const onStage = (stage: Stage, name: string) => (stage === 'verify' && name === 'w1' ? invalid : undefined);
    const { outcome, engine } = await run({ devices: 3, onStage }, 4);
    expect(outcome).toMatchObject({ end: 'failed', error: { code: 'ProofInvalid' } });
    expect(engine.snapshot().workers.every(({ phase }) => phase !== 'faulted')).toBe(true);
  });

  it('fails at once where there is only one device', async () => {
    const onStage = (stage: Stage) => (stage === 'verify' ? invalid : undefined);
    const { outcome, events } = await run({ onStage }, 1);
    expect(outcome.error?.code).toBe('ProofInvalid');
    expect(events.some(({ type }) => type === 'partitionRetried')).toBe(false);
  });
});

describe('a job that asks for one device', () => {
  it('is proved there alone, and others go where there is room', async () => {
    const { engine, clock, events } = simulatedEngine({ devices: 3, memoryBytes: 10_000 });
    const [one, other] = await clock.run(
      Promise.all([engine.submit(jobRequest('a', 8, { device: 'sim:1' })), engine.submit(jobRequest('b', 8))]),
    );
    await clock.run(Promise.all([engine.await(one.job), engine.await(other.job)]));
    const { workers } = engine.snapshot();
    const devicesOf = (job: string) =>
      new Set(
        events.flatMap((event) => (event.type === 'deviceStarted' && event.job === job ? [workers[event.worker]!.device] : [])),
      );
    expect(devicesOf(one.job)).toEqual(new Set(['sim:1']));
    expect(devicesOf(other.job).size).toBeGreaterThan(1);
  });

  it('fails with the device, and is not tried elsewhere', async () => {
    const onStage = (stage: Stage, name: string, device: string): Mishap =>
      stage === 'kernels' && device === 'sim:1' && name === 'w2' ? lost(device) : undefined;
    const { outcome, events, engine, clock } = await run({ devices: 2, onStage }, 4, { device: 'sim:1' });
    expect([outcome.end, outcome.error?.code]).toEqual(['failed', 'DeviceLost']);
    expect(events.some(({ type }) => type === 'partitionRetried')).toBe(false);
    await expect(clock.run(engine.submit(jobRequest('x', 1, { device: 'sim:1' })))).rejects.toMatchObject({
      code: 'NoDevice',
      message: expect.stringContaining('sim:1 cannot prove any more'),
    });
    await clock.run(engine.submit(jobRequest('y', 1)));
  });

  it('is refused where there is no such device, with the names of those that there are', async () => {
    const { engine, clock, events } = simulatedEngine({ devices: 2 });
    await expect(clock.run(engine.submit(jobRequest('x', 1, { device: 'cuda:0' })))).rejects.toMatchObject({
      code: 'DeviceUnknown',
      remedy: expect.stringContaining('sim:0, sim:1'),
    });
    expect(events).toEqual([]);
  });
});
