// For tests: compiles a circuit with circom2 (circom itself, as WebAssembly) into a folder that is removed after the test file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../package-root.ts';

export interface CompiledCircuit {
  folder: string;
  wasm: string;
  r1cs: string;
  sym: string;
  /** Writes an input file and returns its path. */
  input(json: unknown): string;
}

export function compileCircuit(source: string, prime: 'bn128' | 'bls12381' = 'bn128'): CompiledCircuit {
  const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'circuit.circom'), `pragma circom 2.0.0;\n${source}`);
  const circom = join(packageRoot, 'node_modules', 'circom2', 'cli.js');
  const args = [circom, 'circuit.circom', '--wasm', '--r1cs', '--sym', '--prime', prime, '-l', join(packageRoot, 'node_modules')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`circom2 failed:\n${stdout}${stderr}`);
  let inputs = 0;
  return {
    folder,
    wasm: join(folder, 'circuit_js', 'circuit.wasm'),
    r1cs: join(folder, 'circuit.r1cs'),
    sym: join(folder, 'circuit.sym'),
    input(json) {
      const file = join(folder, `input-${inputs++}.json`);
      writeFileSync(file, typeof json === 'string' ? json : JSON.stringify(json));
      return file;
    },
  };
}
