// The engine as the command line runs it: the native prover, the machine's memory, and what the person asked for.
import { totalmem } from 'node:os';
import { CircuitWitnesses, type CircuitWitnessesOptions } from '../circuits/circuit-witnesses.ts';
import { FileKeys, type FileKeysOptions } from '../circuits/key-loader.ts';
import { Engine } from '../engine/engine.ts';
import type { Journal } from '../engine/journal.ts';
import type { Context } from './context.ts';

export interface OpenEngineOptions extends CircuitWitnessesOptions, Pick<FileKeysOptions, 'onOpen'> {
  /** All that keys and proofs may take together; most of the machine's memory if it is left out. */
  memoryBytes?: number | undefined;
  journal?: Journal | undefined;
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

/** An engine that is about to be started: whoever needs its first event subscribes before start(). */
export async function openEngine(context: Context, options: OpenEngineOptions = {}): Promise<OpenEngine> {
  const { memoryBytes = Math.floor(machineMemory() * shareOfMachine), journal, onOpen, ...witnessOptions } = options;
  const prover = await context.prover();
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
    // A witness is computed on one thread: the next one can be while the one before is synthesized.
    synthesisWorkers: 2,
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
