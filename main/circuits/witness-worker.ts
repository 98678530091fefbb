// The worker thread that computes witnesses: one circuit per worker, its .wasm compiled once, one input after the other.
// What a circuit's author wrote runs here, with nothing but circom's own imports; the parent ends the thread when it takes too long.
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { asCuzkError } from '../contract/errors.ts';
import { CircomCalculator, compileCircom } from './circom-wasm.ts';
import { parseInputs } from './circuit-inputs.ts';
import { namedMissingSignals } from './missing-signals.ts';
import { checkWasmMemory } from './wasm-limits.ts';

export interface WorkerData {
  wasmFile: string;
  symFile: string | undefined;
  memoryBytes: number;
}

/** What the parent asks: the witness of one input file. */
export interface WitnessRequest {
  inputFile: string;
}

/** What it hears: log lines, and at the end the witness or the refusal as plain data. */
export type WitnessReply =
  | { log: string }
  | { wtns: Uint8Array<ArrayBuffer> }
  | { refusal: { code: string; message: string; file?: string; offset?: number; remedy?: string } };

const { wasmFile, symFile, memoryBytes } = workerData as WorkerData;
const port = parentPort!;
const reply = (message: WitnessReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const bytes = new Uint8Array(await readFile(wasmFile));
  if (WebAssembly.validate(bytes.subarray(0, 8))) checkWasmMemory(bytes, memoryBytes, wasmFile);
  return compileCircom(bytes, wasmFile);
}

async function compute(inputFile: string): Promise<Uint8Array<ArrayBuffer>> {
  compiled ??= compile();
  const module = await compiled;
  const signals = parseInputs(await readFile(inputFile, 'utf8'), inputFile);
  const calculator = new CircomCalculator(module, { wasmFile, inputFile, signals, onLog: (log) => reply({ log }) });
  try {
    calculator.compute();
  } catch (problem) {
    throw await namedMissingSignals(problem, calculator, signals, symFile);
  }
  return calculator.toWtns();
}

port.on('message', async ({ inputFile }: WitnessRequest) => {
  try {
    const wtns = await compute(inputFile);
    reply({ wtns }, [wtns.buffer]);
  } catch (problem) {
    const { code, message, file, offset, remedy } = asCuzkError(problem, wasmFile);
    const known = { code, message, ...(file && { file }), ...(offset !== undefined && { offset }), ...(remedy && { remedy }) };
    reply({ refusal: known });
  }
});
