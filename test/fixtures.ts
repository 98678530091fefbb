// Real circuits for the end-to-end tests: compiled with circom2 and given keys when a test first asks, then kept in native/build/fixtures.
// Nothing of them is committed, since circomlib's license is not ours.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { packageRoot } from '../main/package-root.ts';
import { cuzk } from './cuzk.ts';
import { signedMessage } from './eddsa.ts';

// Whichever test comes first makes the files, which takes a while on a slow machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

type Curve = 'bn254' | 'bls12-381';
export type CircuitName = 'poseidon' | 'sha256' | 'eddsa' | 'linear' | 'secret' | 'single' | 'shifted' | 'powers';
/** Where a key comes from: a snarkjs ceremony, the same without a phase 2 contribution, or `cuzk setup`. */
export type KeySource = 'ceremony' | 'uncontributed' | 'setup';

export interface Fixture {
  curve: Curve;
  folder: string;
  r1cs: string;
  wasm: string;
  sym: string;
  input: string;
  witness: string;
}
export interface Keys {
  zkey: string;
  /** As snarkjs exports it. */
  vkey: string;
}

interface Tools {
  compile(folder: string, source: string, options: { curve: Curve; level: number }): Promise<void>;
  snarkjs(args: string[], cwd?: string): Promise<string>;
  powersOfTau(folder: string, curve: Curve, power: number): Promise<string>;
  groth16Keys(r1cs: string, ptau: string, options: { zkey: string; vkey?: string; contributed?: boolean }): Promise<void>;
}
// The build scripts are plain JavaScript, outside the type check.
export const tools = (): Promise<Tools> => import(join(packageRoot, 'build', 'circom.mjs'));

const cache = join(packageRoot, 'native', 'build', 'fixtures');
/** 2^8 constraints are enough for every circuit whose keys come from a ceremony. */
const tauPower = 8;

const inputs: Record<CircuitName, () => unknown> = {
  poseidon: () => ({ inputs: ['1', '21888242871839275222246405745257275088548364400416034343698204186575808495616'] }),
  sha256: () => ({ in: Array.from({ length: 64 }, (_, i) => ((i * i + i) % 3) & 1) }),
  eddsa: () => signedMessage(),
  linear: () => ({ a: 3, b: '7' }),
  secret: () => ({ a: 17, b: 23 }),
  single: () => ({ a: 6, b: 7 }),
  shifted: () => ({ a: 6, b: 7 }),
  powers: () => ({ x: 3 }),
};

/** Makes a folder by `make` unless it is there. Two test files that make it at once both succeed, and one of the results stays. */
async function once(folder: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  const part = `${folder}.${process.pid}`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  await make(part);
  try {
    renameSync(part, folder);
  } catch (problem) {
    if (!existsSync(folder)) throw problem;
    rmSync(part, { recursive: true });
  }
  return folder;
}

/** What the files are made of: another source or another tool makes another folder. */
function fingerprint(source: string): string {
  const versions = ['circom2', 'circomlib', 'snarkjs'].map((name) =>
    readFileSync(join(packageRoot, 'node_modules', name, 'package.json'), 'utf8'),
  );
  const recipes = ['build/circom.mjs', 'test/fixtures.ts'].map((name) => readFileSync(join(packageRoot, name), 'utf8'));
  const hash = createHash('sha256').update(source);
  for (const part of [...versions, ...recipes]) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}

/** A compiled circuit with an input and its witness. */
export async function fixture(name: CircuitName, curve: Curve = 'bn254'): Promise<Fixture> {
  const source = join(packageRoot, 'test', 'circuits', `${name}.circom`);
  const input = JSON.stringify(inputs[name]());
  const folder = join(cache, `${name}-${curve}-${fingerprint(readFileSync(source, 'utf8') + input)}`);
  await once(folder, async (part) => {
    const { compile, snarkjs } = await tools();
    copyFileSync(source, join(part, 'circuit.circom'));
    writeFileSync(join(part, 'input.json'), input);
    await compile(part, 'circuit.circom', { curve, level: name === 'linear' ? 0 : 2 });
    await snarkjs(['wtns', 'calculate', 'circuit.wasm', 'input.json', 'witness.wtns'], part);
  });
  const file = (base: string) => join(folder, base);
  return {
    curve,
    folder,
    r1cs: file('circuit.r1cs'),
    wasm: file('circuit.wasm'),
    sym: file('circuit.sym'),
    input: file('input.json'),
    witness: file('witness.wtns'),
  };
}

/** A key of a fixture. The names differ from the circuit's, so that the .r1cs is not found beside it unless a test gives it. */
export async function keysOf({ folder, curve, r1cs }: Fixture, source: KeySource): Promise<Keys> {
  const keys = join(folder, source);
  await once(keys, async (part) => {
    const { groth16Keys, powersOfTau, snarkjs } = await tools();
    const [zkey, vkey] = [join(part, 'key.zkey'), join(part, 'verification_key.json')];
    if (source === 'setup') {
      const { code, stderr } = await cuzk(['setup', r1cs, '-o', zkey, '--insecure']);
      if (code !== 0) throw new Error(`cuzk setup: ${stderr}`);
      await snarkjs(['zkey', 'export', 'verificationkey', zkey, vkey]);
    } else {
      const tau = await once(join(cache, `tau-${curve}-${fingerprint('tau')}`), async (to) => {
        await powersOfTau(to, curve, tauPower);
      });
      const ptau = join(tau, `tau-${curve}-${tauPower}-final.ptau`);
      await groth16Keys(r1cs, ptau, { zkey, vkey, contributed: source === 'ceremony' });
    }
  });
  return { zkey: join(keys, 'key.zkey'), vkey: join(keys, 'verification_key.json') };
}
