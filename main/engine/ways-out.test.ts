// What an ended job, a lost device, or a proof in its finalizer leaves behind, and when.
import { describe, expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { jobOf, partitionsOf } from '../contract/state.ts';
import type { Mishap, Stage } from '../prover/simulated/simulated-prover.ts';
import type { WitnessPreparer } from './floor.ts';
import { jobRequest, type SimulatedEngine, simulatedEngine } from './simulated-engine.ts';

const submitted = async ({ clock, engine }: SimulatedEngine, ...args: Parameters<typeof jobRequest>) =>
  (await clock.run(engine.submit(jobRequest(...args)))).job;
const owners = ({ engine }: SimulatedEngine) => Object.keys(engine.snapshot().memory);

it('row 14: a key is held until the finalizer ends, also when no worker has the partition any more', async () => {
  const simulated = simulatedEngine({ durations: { finish: 500 } });
  const { clock, engine } = simulated;
  const job = await submitted(simulated, 'w', 1);
  await clock.run(clock.sleep(100));
  expect(partitionsOf(jobOf(engine.snapshot(), job)!)[0]?.phase).toBe('finalizing');
  expect(engine.evict('merkle.zkey')).toEqual([]);
  expect(owners(simulated)).toContain(`${job}/0`);
  await clock.run(engine.await(job));
  await clock.run(clock.sleep(1));
  expect([engine.evict('merkle.zkey'), owners(simulated)]).toEqual([['sim:0'], []]);
});

describe.each([
  ['a synthesis worker', { synthesize: 500 }, 'synthesizing', 'pending'],
  ['the device', { kernels: 500 }, 'gpu', 'synth_done'],
] as const)('row 5: what waits for %s', (_, durations, working, waiting) => {
  it('gives its memory back in the moment in which its job is cancelled, and not when a worker comes', async () => {
    const simulated = simulatedEngine({ durations, lookahead: 3, deviceWorkers: 1 });
    const { clock, engine } = simulated;
    const busy = await submitted(simulated, 'busy', 1);
    await clock.run(clock.sleep(70));
    const job = await submitted(simulated, 'waits', 2);
    await clock.run(clock.sleep(70));
    const phaseOf = (id: string) => partitionsOf(jobOf(engine.snapshot(), id)!)[0]?.phase;
    expect([phaseOf(busy), phaseOf(job)]).toEqual([working, waiting]);
    expect(owners(simulated)).toContain(`${job}/0`);
    engine.cancel(job);
    expect(owners(simulated).filter((owner) => owner.startsWith(`${job}/`))).toEqual([]);
    expect((await clock.run(engine.await(busy))).end).toBe('succeeded');
  });
});

it('a job of which nothing had begun fails with the reason when the last device is lost', async () => {
  const onStage = (stage: Stage, _: string, device: string): Mishap =>
    stage === 'kernels' ? new CuzkError('DeviceLost', `the device ${device} is gone`) : undefined;
  const simulated = simulatedEngine({ onStage });
  const { clock, engine } = simulated;
  await submitted(simulated, 'first', 20);
  const job = await submitted(simulated, 'waits', 3);
  expect(await clock.run(engine.await(job))).toMatchObject({ end: 'failed', error: { code: 'DeviceLost' } });
  expect(partitionsOf(jobOf(engine.snapshot(), job)!).map(({ phase }) => phase)).toEqual(['failed', 'cancelled', 'cancelled']);
});

it.each(['pipelined', 'monolithic'] as const)('a %s partition fails for its own reason when explaining it fails', async (mode) => {
  for (const stage of ['kernels', 'verify'] as const) {
    const witnesses: WitnessPreparer = {
      hasWork: () => false,
      prepare: async () => ({
        witness: 'w',
        explain: () => {
          throw new Error('a fault in explaining');
        },
      }),
    };
    const onStage = (at: Stage) => (at === stage ? new CuzkError('OutOfMemory', 'no memory') : undefined);
    const simulated = simulatedEngine({ witnesses, onStage });
    const { clock, engine, events } = simulated;
    const job = await submitted(simulated, 'w', 2, { mode });
    expect(await clock.run(engine.await(job))).toMatchObject({ end: 'failed', error: { code: 'OutOfMemory' } });
    await clock.run(engine.shutdown());
    expect(events.some(({ type }) => type === 'workerRestarted')).toBe(false);
  }
});

it.each(['pipelined', 'monolithic'] as const)('row 16: every proof of a %s job is verified before anybody has it', async (mode) => {
  const invalid = new CuzkError('ProofInvalid', 'the proof does not verify');
  for (const wrong of [undefined, 'w1']) {
    const onStage = (stage: Stage, name: string) => (stage === 'verify' && name === wrong ? invalid : undefined);
    const simulated = simulatedEngine({ onStage });
    const { clock, engine, events } = simulated;
    const handed: number[] = [];
    const onProof = (partition: number) => handed.push(partition);
    const { job } = await clock.run(engine.submit(jobRequest('w', 3, { mode }), { onProof }));
    const { end, proofs } = await clock.run(engine.await(job));
    expect([end, proofs.length, handed.includes(1)]).toEqual(wrong ? ['failed', 0, false] : ['succeeded', 3, true]);
    const verified = new Set<number>();
    for (const event of events) {
      if (event.type === 'verifyStarted') verified.add(event.partition);
      if (event.type === 'partitionDone') expect(verified).toContain(event.partition);
    }
  }
});

it('a fault in giving something back is told to whoever watches the engine, and everything else is given back', async () => {
  const broken: unknown[] = [];
  const simulated = simulatedEngine({ onBroken: (problem) => broken.push(problem) });
  const { clock, engine, prover } = simulated;
  const start = prover.proveStart.bind(prover);
  prover.proveStart = async (...call) => {
    const pending = await start(...call);
    const dispose = () => {
      pending.release();
      throw new Error('a fault in freeing');
    };
    return Object.assign(pending, { [Symbol.dispose]: dispose });
  };
  const job = await submitted(simulated, 'w', 2);
  expect((await clock.run(engine.await(job))).end).toBe('succeeded');
  await clock.run(engine.shutdown());
  expect(broken).toMatchObject([{ message: 'a fault in freeing' }, { message: 'a fault in freeing' }]);
  expect([engine.snapshot().memory, prover.open.size]).toEqual([{}, 0]);
});
