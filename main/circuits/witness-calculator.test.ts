// Witnesses computed here against snarkjs's own calculator, and every way for an input not to fit its circuit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CuzkError } from '../contract/errors.ts';
import { type CompiledCircuit, compileCircuit } from './circom-fixture.ts';
import { WitnessCalculator } from './witness-calculator.ts';

const source = `
template Main() {
  signal input a;
  signal input b[2][2];
  signal input small;
  signal output out;
  signal inverse;
  log("a is", a);
  inverse <-- a != 0 ? 1/a : 0;
  a * inverse === 1;
  small * (small - 1) === 0;
  out <== a * b[0][1] + b[1][0];
}
component main {public [a]} = Main();`;

const good = {
  a: '0x10',
  b: [
    [1, '2'],
    ['-3', 4],
  ],
  small: 1,
};

let circuit: CompiledCircuit;
let calculator: WitnessCalculator;
beforeAll(() => {
  circuit = compileCircuit(source);
  calculator = new WitnessCalculator(circuit.wasm, { symFile: circuit.sym });
});
afterAll(() => calculator.close());

const refusal = (json: unknown) =>
  calculator.compute(circuit.input(json)).then(
    () => expect.fail('it was accepted'),
    (problem: CuzkError) => ({ code: problem.code, message: problem.message, file: problem.file, remedy: problem.remedy }),
  );

describe('the witness', () => {
  test.each(['bn128', 'bls12381'] as const)('is byte for byte the one that snarkjs computes (%s)', async (prime) => {
    const compiled = compileCircuit(source, prime);
    await using own = new WitnessCalculator(compiled.wasm);
    const input = compiled.input(good);
    const expected = join(compiled.folder, 'expected.wtns');
    // @ts-expect-error snarkjs has no types
    const { wtns } = await import('snarkjs');
    await wtns.calculate(JSON.parse(readFileSync(input, 'utf8')), compiled.wasm, expected);
    expect(Buffer.compare(await own.compute(input), readFileSync(expected))).toBe(0);
  });

  test('is the same after a refused input in between', async () => {
    const before = await calculator.compute(circuit.input(good));
    expect((await refusal({ ...good, small: 7 })).code).toBe('InputAssertFailed');
    expect(Buffer.compare(await calculator.compute(circuit.input(good)), before)).toBe(0);
  });

  test('takes values modulo the field, as snarkjs does', async () => {
    const r = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
    const [plain, above] = [good, { ...good, a: String(16n + r) }].map((json) => circuit.input(json));
    expect(await calculator.compute(above!)).toEqual(await calculator.compute(plain!));
  });

  test("comes with the circuit's log lines", async () => {
    const lines: string[] = [];
    await calculator.compute(circuit.input(good), { onLog: (line) => lines.push(line) });
    expect(lines).toEqual(['a is 16']);
  });
});

describe('an input is refused', () => {
  test('that lacks signals, naming them', async () => {
    expect(await refusal({ a: 1 })).toMatchObject({
      code: 'InputMissingSignal',
      message: 'the circuit has 6 input values, and this file gives 1; missing: b (4 values), small',
    });
  });

  test('that lacks signals when there is no .sym, saying how to see their names', async () => {
    await using nameless = new WitnessCalculator(circuit.wasm);
    const problem = await nameless.compute(circuit.input({ a: 1 })).catch((error: CuzkError) => error);
    expect(problem).toMatchObject({ code: 'InputMissingSignal', remedy: expect.stringContaining('--sym') });
  });

  test('that has a signal which the circuit has not', async () => {
    expect(await refusal({ ...good, c: 1 })).toMatchObject({
      code: 'InputUnknownSignal',
      message: 'the circuit has no input signal c',
    });
  });

  test.each([
    [[1, 2, 3], 'the signal b has 4 values, and this file gives 3'],
    [[1, 2, 3, 4, 5], 'the signal b has 4 values, and this file gives 5'],
    [7, 'the signal b has 4 values, and this file gives 1'],
  ])('that gives %j for four values', async (b, message) => {
    expect(await refusal({ ...good, b })).toMatchObject({ code: 'InputCount', message });
  });

  test('that an assertion of the circuit refuses, with template and line', async () => {
    const { code, message } = await refusal({ ...good, small: 2 });
    expect(code).toBe('InputAssertFailed');
    expect(message).toMatch(/template Main_\d+ line: 12/);
  });

  test('that is no JSON, or is not there', async () => {
    expect((await refusal('{')).code).toBe('JsonSyntax');
    await expect(calculator.compute('/nowhere.json')).rejects.toMatchObject({ code: 'FileNotFound', file: '/nowhere.json' });
  });
});

describe('a circuit is refused', () => {
  const compute = (bytes: Uint8Array | string) => {
    const wasm = join(circuit.folder, 'other.wasm');
    writeFileSync(wasm, bytes);
    return new WitnessCalculator(wasm).compute(circuit.input(good));
  };

  test('that is no WebAssembly', async () => {
    await expect(compute('hello')).rejects.toMatchObject({ code: 'WasmInvalid' });
    await expect(compute('')).rejects.toMatchObject({ code: 'WasmInvalid' });
    await expect(compute(readFileSync(circuit.wasm).subarray(0, 2000))).rejects.toMatchObject({ code: 'WasmInvalid' });
  });

  test('that is WebAssembly, but no calculator', async () => {
    await expect(compute(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).rejects.toMatchObject({ code: 'WasmNotCircom' });
  });

  test('that asks for more memory than it may', async () => {
    const limited = new WitnessCalculator(circuit.wasm, { memoryBytes: 65_536 });
    await expect(limited.compute(circuit.input(good))).rejects.toMatchObject({ code: 'WasmMemory' });
  });
});

describe('an endless circuit', () => {
  let endless: CompiledCircuit;
  beforeAll(() => {
    endless = compileCircuit(`
template Main() {
  signal input a;
  signal output out;
  var i = 0;
  while (a != i + 1) { i = 0; }
  out <-- i;
  out * 1 === a;
}
component main = Main();`);
  });

  test('is ended by its time limit', async () => {
    await using limited = new WitnessCalculator(endless.wasm, { timeoutMs: 300 });
    await expect(limited.compute(endless.input({ a: 5 }))).rejects.toMatchObject({ code: 'WitnessTimeout' });
  });

  test('is ended by its signal at once, and the calculator can be used again', async () => {
    await using stoppable = new WitnessCalculator(endless.wasm);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const started = performance.now();
    await expect(stoppable.compute(endless.input({ a: 5 }), { signal: stop.signal })).rejects.toMatchObject({ code: 'Aborted' });
    expect(performance.now() - started).toBeLessThan(1000);
    await expect(stoppable.compute(endless.input({}))).rejects.toMatchObject({ code: 'InputMissingSignal' });
  });
});
