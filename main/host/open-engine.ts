// The engine as the app and the command line run it: the native prover, the machine's memory, and what the person asked for.
import { totalmem } from 'node:os';
import { CircuitWitnesses, type CircuitWitnessesOptions } from '../circuits/circuit-witnesses.ts';
import { FileKeys, type FileKeysOptions } from '../circuits/key-loader.ts';
import { Engine } from '../engine/engine.ts';
import type { Journal } from '../engine/journal.ts';
import type { Prover } from '../prover/prover.ts';

export interface OpenEngineOptions extends CircuitWitnessesOptions, Pick<FileKeysOptions, 'onOpen'> {
  /** All that keys and proofs may take together; most of the machine's memory if it is left out. */
  memoryBytes?: number | undefined;
  journal?: Journal | undefined;
  /** Two if it is left out: a witness is computed on one thread, and the next one can be while the one before is synthesized. */
  synthesisWorkers?: number | undefined;
  /** For each device; two if it is left out. */
  deviceWorkers?: number | undefined;
}

export interface OpenEngine extends AsyncDisposable {
  engine: Engine;
}

/** What the process may use: the machine's memory, or the limit that it runs under (a container's). */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Some is left for everything else on the machine, and for what the ledger does not count: the process itself. */
const shareOfMachine = 0.9;

/** What keys and proofs may take together unless the person says otherwise, in bytes. */
export const defaultMemory = (): number => Math.floor(machineMemory() * shareOfMachine);

/** An engine that is about to be started: whoever needs its first event subscribes before start(). */
export function openEngine(prover: Prover, options: OpenEngineOptions = {}): OpenEngine {
  const { memoryBytes = defaultMemory(), journal, onOpen, synthesisWorkers = 2, deviceWorkers = 2, ...witnessOptions } = options;
  const witnesses = new CircuitWitnesses(prover, witnessOptions);
  const devices = prover
    .devices()
    .map(({ id, name, memoryBytes: bytes, usesHostThreads }) => ({ device: id, name, memoryBytes: bytes, usesHostThreads }));
  const engine = new Engine({
    prover,
    keys: new FileKeys(prover, onOpen ? { onOpen } : {}),
    devices,
    memoryBytes,
    witnesses,
    journal,
    // Each native computation uses all threads, so that beside each other they would only be in each other's way.
    sharesThreads: true,
    synthesisWorkers,
    deviceWorkers,
    measureRss: () => process.memoryUsage.rss(),
    onBroken: (problem) => process.emitWarning(problem instanceof Error ? problem : String(problem)),
  });
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine.shutdown();
      await witnesses[Symbol.asyncDispose]();
    },
  };
}
