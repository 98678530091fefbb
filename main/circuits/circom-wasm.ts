// Runs the witness calculator that circom 2 compiles a circuit to. Its ABI, from circom's code_producers: numbers cross through a
// shared buffer of getFieldNumLen32() words, little-endian; signals are named by the 64-bit FNV-1a hash of their name.
import { CuzkError } from '../contract/errors.ts';
import type { InputSignal } from './circuit-inputs.ts';

interface CircomExports {
  getVersion(): number;
  getFieldNumLen32(): number;
  getRawPrime(): void;
  readSharedRWMemory(word: number): number;
  writeSharedRWMemory(word: number, value: number): void;
  init(sanityCheck: number): void;
  getInputSize(): number;
  setInputSignal(hashHigh: number, hashLow: number, index: number): void;
  getWitnessSize(): number;
  getWitness(index: number): void;
  getMessageChar(): number;
  /** Since circom 2.0.6. Zero or negative for a name that is no input. */
  getInputSignalSize?(hashHigh: number, hashLow: number): number;
  getMinorVersion?(): number;
}

const needed = [
  ...['getVersion', 'getFieldNumLen32', 'getRawPrime', 'readSharedRWMemory', 'writeSharedRWMemory', 'init', 'getInputSize'],
  ...['setInputSignal', 'getWitnessSize', 'getWitness'],
];

/** The code that circom's calculator gives its exception handler. */
const exceptions: Record<number, string> = {
  1: 'a signal of the input is not in the circuit',
  2: 'more signals were set than the circuit has',
  3: 'a signal was set twice',
  4: 'an assertion of the circuit failed',
  5: 'the calculator ran out of memory',
  6: 'a signal was given more values than it has',
};

/** Thrown through the wasm by its exception handler, so that it is told from a trap. */
class CircomException extends Error {
  readonly exception: number;
  constructor(exception: number) {
    super(exceptions[exception] ?? `the calculator stopped with code ${exception}`);
    this.exception = exception;
  }
}

export interface CircomRun {
  wasmFile: string;
  inputFile: string;
  signals: InputSignal[];
  /** A circuit's log() lines. */
  onLog: (line: string) => void;
}

/** 64-bit FNV-1a, as two unsigned 32-bit halves. */
export function signalHash(name: string): [high: number, low: number] {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < name.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n);
  return [Number(hash >> 32n), Number(hash & 0xffffffffn)];
}

/** Compiles a circuit's .wasm; refuses what is not circom's. */
export async function compileCircom(bytes: Uint8Array<ArrayBuffer>, wasmFile: string): Promise<WebAssembly.Module> {
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(bytes);
  } catch (problem) {
    throw new CuzkError('WasmInvalid', `this is not a WebAssembly file: ${(problem as Error).message}`, {
      file: wasmFile,
      remedy: "name the circuit's .wasm, as circom --wasm writes it",
    });
  }
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  if (exported.has('getNVars') && exported.has('getFrLen')) {
    throw new CuzkError('WasmVersion', 'this .wasm was made by circom 1', {
      file: wasmFile,
      remedy: 'compile the circuit with circom 2',
    });
  }
  const missing = needed.find((name) => !exported.has(name));
  const foreign = WebAssembly.Module.imports(module).find(({ module: from, kind }) => from !== 'runtime' || kind !== 'function');
  if (missing || foreign) {
    const reason = missing ? `it lacks ${missing}` : `it asks for ${foreign?.module}.${foreign?.name}`;
    throw new CuzkError('WasmNotCircom', `this WebAssembly file is no circom 2 witness calculator: ${reason}`, {
      file: wasmFile,
      remedy: "name the circuit's .wasm, as circom --wasm writes it",
    });
  }
  return module;
}

/** One instance of a calculator. An instance that has thrown is not used again. */
export class CircomCalculator {
  readonly #exports: CircomExports;
  readonly #words: number;
  readonly #run: CircomRun;
  readonly #complaints: string[] = [];
  #logLine: string[] = [];
  readonly prime: bigint;

  constructor(module: WebAssembly.Module, run: CircomRun) {
    this.#run = run;
    const instance = new WebAssembly.Instance(module, {
      runtime: {
        exceptionHandler: (code: number) => {
          throw new CircomException(code);
        },
        printErrorMessage: () => this.#complaints.push(this.#message()),
        writeBufferMessage: () => this.#log(this.#message()),
        showSharedRWMemory: () => this.#log(String(this.#readShared())),
        // Older calculators import these; what they tell is only of use inside circom.
        error: () => {},
        log: () => {},
        printDebug: () => {},
        logSetSignal: () => {},
        logGetSignal: () => {},
        logFinishComponent: () => {},
        logStartComponent: () => {},
      },
    });
    this.#exports = instance.exports as unknown as CircomExports;
    this.#words = this.#exports.getFieldNumLen32();
    this.#exports.getRawPrime();
    this.prime = this.#readShared();
  }

  /** How many values the named input signal has; undefined when there is no such signal, or this circom cannot say. */
  sizeOf(name: string): number | undefined {
    const size = this.#exports.getInputSignalSize?.(...signalHash(name));
    return size === undefined || size <= 0 ? undefined : size;
  }

  get inputSize(): number {
    return this.#exports.getInputSize();
  }

  /** Sets the inputs and computes; afterwards the witness can be read. */
  compute(): void {
    const { signals, inputFile } = this.#run;
    this.#guard(() => this.#exports.init(1));
    let set = 0;
    for (const { name, values } of signals) {
      this.#checkSize(name, values.length);
      const [high, low] = signalHash(name);
      for (let i = 0; i < values.length; i++) {
        this.#writeShared(values[i]!);
        this.#guard(() => this.#exports.setInputSignal(high, low, i), name);
        set++;
      }
    }
    if (set < this.inputSize) {
      throw new CuzkError('InputMissingSignal', `the circuit has ${this.inputSize} input values, and this file gives ${set}`, {
        file: inputFile,
      });
    }
  }

  /** The computed assignment as a whole .wtns file. */
  toWtns(): Uint8Array<ArrayBuffer> {
    const count = this.#exports.getWitnessSize();
    const words = this.#words;
    const bytes = words * 4;
    const out = new Uint8Array(12 + 12 + 8 + bytes + 12 + count * bytes);
    const view = new DataView(out.buffer);
    out.set(new TextEncoder().encode('wtns'));
    view.setUint32(4, 2, true);
    view.setUint32(8, 2, true);
    // Section 1: the header.
    view.setUint32(12, 1, true);
    view.setBigUint64(16, BigInt(8 + bytes), true);
    view.setUint32(24, bytes, true);
    for (let i = 0, rest = this.prime; i < words; i++, rest >>= 32n) view.setUint32(28 + 4 * i, Number(rest & 0xffffffffn), true);
    view.setUint32(28 + bytes, count, true);
    // Section 2: the values.
    const section = 32 + bytes;
    view.setUint32(section, 2, true);
    view.setBigUint64(section + 4, BigInt(count * bytes), true);
    let at = section + 12;
    for (let i = 0; i < count; i++) {
      this.#exports.getWitness(i);
      for (let j = 0; j < words; j++, at += 4) view.setInt32(at, this.#exports.readSharedRWMemory(j), true);
    }
    return out;
  }

  #checkSize(name: string, given: number): void {
    if (!this.#exports.getInputSignalSize) return;
    const size = this.sizeOf(name);
    // An input of no values looks like one that is not there.
    if (size === undefined && given === 0) return;
    if (size === undefined) {
      throw new CuzkError('InputUnknownSignal', `the circuit has no input signal ${name}`, {
        file: this.#run.inputFile,
        remedy: 'remove it, or check its spelling',
      });
    }
    if (size !== given) {
      throw new CuzkError('InputCount', `the signal ${name} has ${count(size)}, and this file gives ${given}`, {
        file: this.#run.inputFile,
        remedy: 'correct the input file',
      });
    }
  }

  /** Runs a call into the wasm and says what its ways to fail mean. */
  #guard(work: () => void, signal?: string): void {
    try {
      work();
    } catch (problem) {
      const { inputFile, wasmFile } = this.#run;
      if (problem instanceof CircomException) {
        const where = this.#complaints.join('; ').replace(/\s+/g, ' ').trim();
        const about = problem.exception === 4 || !signal ? '' : ` (${signal})`;
        const code = problem.exception === 4 ? 'InputAssertFailed' : 'InputRefused';
        throw new CuzkError(code, `${problem.message}${about}${where ? `: ${where}` : ''}`, {
          file: inputFile,
          remedy: 'the circuit accepts other values only: correct the input file',
        });
      }
      throw new CuzkError('WasmTrap', `the witness calculator failed: ${(problem as Error).message}`, {
        file: wasmFile,
        remedy: 'compile the circuit again with a current circom',
        cause: problem,
      });
    }
  }

  #readShared(): bigint {
    let value = 0n;
    for (let i = this.#words - 1; i >= 0; i--) value = (value << 32n) | BigInt(this.#exports.readSharedRWMemory(i) >>> 0);
    return value;
  }

  #writeShared(value: bigint): void {
    let rest = value % this.prime;
    if (rest < 0n) rest += this.prime;
    for (let i = 0; i < this.#words; i++, rest >>= 32n) this.#exports.writeSharedRWMemory(i, Number(rest & 0xffffffffn));
  }

  #message(): string {
    let text = '';
    for (let char = this.#exports.getMessageChar(); char !== 0; char = this.#exports.getMessageChar())
      text += String.fromCharCode(char);
    return text;
  }

  /** log() hands over its parts one by one and a line end after the last. */
  #log(part: string): void {
    if (part !== '\n') {
      this.#logLine.push(part.trimEnd());
      return;
    }
    this.#run.onLog(this.#logLine.join(' '));
    this.#logLine = [];
  }
}

const count = (values: number) => (values === 1 ? '1 value' : `${values} values`);
