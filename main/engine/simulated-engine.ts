// An engine over the simulated prover on virtual time, for tests and for the scheduling benchmark.
import type { JobRequest } from '../contract/commands.ts';
import type { EngineEvent } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';
import { type SimulatedOptions, SimulatedProver, type Stage } from '../prover/simulated/simulated-prover.ts';
import { VirtualClock } from '../prover/simulated/virtual-clock.ts';
import { Engine, type EngineDevice, type EngineOptions } from './engine.ts';

export const durations: Record<Stage, number> = { load: 50, synthesize: 9, kernels: 10, finish: 12, verify: 3 };

export type SimulatedEngineOptions = Partial<Omit<EngineOptions, 'devices' | 'clock'>> &
  Partial<Pick<SimulatedOptions, 'durations' | 'sizes' | 'jitter' | 'stopMs' | 'seed' | 'scale' | 'onStage' | 'insecure'>> & {
    /** How many there are: `sim:0`, `sim:1`, ... */
    devices?: number;
    hangMs?: number;
  };

export interface SimulatedEngine {
  clock: VirtualClock;
  prover: SimulatedProver;
  engine: Engine;
  /** All that happened after the start. */
  events: EngineEvent[];
  /** The state right after the start. */
  started: EngineState;
}

export function simulatedEngine(options: SimulatedEngineOptions = {}): SimulatedEngine {
  const {
    devices: count = 1,
    hangMs,
    durations: own,
    sizes,
    jitter,
    stopMs,
    seed,
    scale,
    onStage,
    insecure,
    ...engineOptions
  } = options;
  const clock = new VirtualClock();
  const prover = new SimulatedProver({
    clock,
    durations: { ...durations, ...own },
    ...(sizes ? { sizes } : {}),
    ...(jitter === undefined ? {} : { jitter }),
    ...(stopMs === undefined ? {} : { stopMs }),
    ...(seed === undefined ? {} : { seed }),
    ...(scale ? { scale } : {}),
    ...(onStage ? { onStage } : {}),
    ...(insecure ? { insecure } : {}),
    ...(options.sharesThreads ? { sharesThreads: true } : {}),
  });
  const devices = Array.from({ length: count }, (_, i): EngineDevice => {
    const usesHostThreads = options.sharesThreads ?? false;
    return { device: `sim:${i}`, name: 'simulated', memoryBytes: 1000, usesHostThreads, hangMs };
  });
  const engine = new Engine({ prover, keys: prover, devices, memoryBytes: 1000, clock, ...engineOptions });
  const events: EngineEvent[] = [];
  const started = engine.start().snapshot();
  engine.subscribe((event) => events.push(event));
  return { clock, prover, engine, events, started };
}

/** A job of so many partitions, whose witnesses are named by `name` and their number. */
export const jobRequest = (name: string, partitions: number, more: Partial<JobRequest> & { zkey?: string } = {}): JobRequest => {
  const { zkey = 'merkle.zkey', ...rest } = more;
  return { circuit: { zkey }, partitions: Array.from({ length: partitions }, (_, i) => ({ witness: `${name}${i}` })), ...rest };
};
