// Runs of the simulated engine for the tests, the benchmark and the screenshots: jobs of all modes on several devices, under memory
// pressure, with failures and cancels. Not part of the page.
import { CuzkError } from '../../main/contract/errors.ts';
import type { EngineEvent, Mode } from '../../main/contract/events.ts';
import type { EngineState } from '../../main/contract/state.ts';
import { jobRequest, type SimulatedEngineOptions, simulatedEngine } from '../../main/engine/simulated-engine.ts';
import type { Stage } from '../../main/prover/simulated/simulated-prover.ts';

export interface RunJob {
  partitions: number;
  mode?: Mode;
  zkey?: string;
  kind?: string;
  /** Virtual milliseconds from the start. */
  submitAt?: number;
  cancelAt?: number | undefined;
}

export interface RunMishap {
  stage: Stage;
  job: number;
  partition: number;
  what: 'fails' | 'lost' | 'invalid';
}

export interface Run {
  /** What the engine had told before the first of `events`: its devices and workers. */
  started: EngineState;
  events: EngineEvent[];
}

/** Plays `jobs` to their ends. Each mishap happens once. */
export async function simulatedRun(jobs: RunJob[], options: SimulatedEngineOptions = {}, mishaps: RunMishap[] = []): Promise<Run> {
  const left = new Set(mishaps);
  const { clock, engine, events, started } = simulatedEngine({
    ...options,
    onStage: (stage, name) => {
      for (const one of left) {
        if (one.stage !== stage || (stage !== 'load' && name !== `j${one.job}-${one.partition}`)) continue;
        left.delete(one);
        if (one.what === 'lost' && stage === 'kernels') return new CuzkError('DeviceLost', 'the device is gone');
        if (one.what === 'invalid' && stage === 'verify') return new CuzkError('ProofInvalid', 'the proof does not verify');
        return new CuzkError('WitnessWrong', 'constraint 41 does not hold');
      }
      return undefined;
    },
  });
  const deeds = jobs.map(async ({ partitions, submitAt = 0, cancelAt, ...more }, i) => {
    await clock.sleep(submitAt);
    const { job } = await engine.submit(jobRequest(`j${i}-`, partitions, more));
    if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => engine.cancel(job));
    await engine.await(job);
  });
  await clock.run(Promise.allSettled(deeds));
  await clock.run(engine.shutdown({ graceMs: 1000 }));
  return { started, events };
}
