// The engine over the native prover, checked at every event, for tests with real circuits.

import { CheckedKeys } from '../main/circuits/checked-keys.ts';
import { CircuitWitnesses } from '../main/circuits/circuit-witnesses.ts';
import { FileKeys } from '../main/circuits/key-loader.ts';
import type { EngineEvent } from '../main/contract/events.ts';
import type { EngineState } from '../main/contract/state.ts';
import { Engine, type EngineOptions } from '../main/engine/engine.ts';
import { WorkerAccount } from '../main/engine/worker-account.ts';
import { NativeProver } from '../main/prover/native/native-prover.ts';

export interface CheckedEngine extends AsyncDisposable {
  engine: Engine;
  prover: NativeProver;
  /** What was not as it should be, as soon as it was not. */
  problems: unknown[];
  events: EngineEvent[];
  started: EngineState;
}

/** `memoryFolder`: where it is remembered which keys were checked. `keepEvents`: whether they are collected. */
export function checkedEngine(
  memoryFolder: string,
  { keepEvents = true, ...options }: Partial<EngineOptions> & { keepEvents?: boolean } = {},
): CheckedEngine {
  const prover = new NativeProver();
  const witnesses = new CircuitWitnesses(prover);
  const problems: unknown[] = [];
  const engine = new Engine({
    prover,
    keys: new FileKeys(prover, { memory: new CheckedKeys(memoryFolder) }),
    devices: [{ device: 'cpu', name: 'cpu', memoryBytes: 2 ** 32, usesHostThreads: true }],
    memoryBytes: 2 ** 32,
    witnesses,
    sharesThreads: true,
    synthesisWorkers: 2,
    onBroken: (problem) => problems.push(problem),
    ...options,
  });
  const started = engine.start().snapshot();
  const account = new WorkerAccount();
  const events: EngineEvent[] = [];
  let strays = 0;
  engine.subscribe((event, state) => {
    if (keepEvents) events.push(event);
    account.take(event, state);
    if (state.ignored + state.staleEnds > strays) problems.push(new Error(`ignored, or stale: ${JSON.stringify(event)}`));
    strays = state.ignored + state.staleEnds;
  });
  return {
    engine,
    prover,
    problems,
    events,
    started,
    [Symbol.asyncDispose]: async () => {
      await engine.shutdown();
      await witnesses[Symbol.asyncDispose]();
    },
  };
}
