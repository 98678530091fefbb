// Proofs, keys and witnesses cross over between cuzk and snarkjs in both directions, on real circuits.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../main/package-root.ts';
import { cuzk, temporaryFolder } from './cuzk.ts';
import { type CircuitName, type Fixture, fixture, type KeySource, type Keys, keysOf } from './fixtures.ts';
import { groth16 } from './snarkjs.ts';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** A small circuit's keys come from a ceremony and from `cuzk setup`; a large one's from `cuzk setup` alone. */
const cases: [CircuitName, Fixture['curve'], KeySource][] = [
  ['poseidon', 'bn254', 'ceremony'],
  ['poseidon', 'bn254', 'setup'],
  ['poseidon', 'bls12-381', 'ceremony'],
  ['poseidon', 'bls12-381', 'setup'],
  ['eddsa', 'bn254', 'setup'],
  ['sha256', 'bn254', 'setup'],
  ['sha256', 'bls12-381', 'setup'],
  ['linear', 'bn254', 'ceremony'],
  ['linear', 'bls12-381', 'setup'],
  ['secret', 'bn254', 'ceremony'],
  ['secret', 'bls12-381', 'setup'],
  ['single', 'bn254', 'setup'],
  ['single', 'bls12-381', 'ceremony'],
];

describe.each(cases)('%s over %s, its key from %s', (name, curve, source) => {
  const out = temporaryFolder();
  let circuit: Fixture;
  let keys: Keys;

  it('gets a key', async () => {
    circuit = await fixture(name, curve);
    keys = await keysOf(circuit, source);
  });

  it('a proof made here verifies under snarkjs', async () => {
    const { code, stderr } = await cuzk(['prove', keys.zkey, circuit.witness, '-o', out]);
    expect(code).toBe(0);
    if (source === 'setup') expect(stderr).toMatch(/^warning: INSECURE KEY: .*development setup/);
    else expect(stderr).toBe('');
    const { verify } = await groth16();
    const [proof, publicSignals] = [json(join(out, 'proof.json')), json(join(out, 'public.json'))];
    expect(await verify(json(keys.vkey), publicSignals, proof)).toBe(true);
    if (publicSignals.length > 0) {
      const others = [String(BigInt(publicSignals[0]) ^ 1n), ...publicSignals.slice(1)];
      expect(await verify(json(keys.vkey), others, proof)).toBe(false);
    }
  });

  it('a proof made by snarkjs verifies here, with the same public signals, and the files are written alike', async () => {
    const { proof, publicSignals } = await (await groth16()).prove(keys.zkey, circuit.witness);
    const [proofFile, publicFile] = [join(out, 'snarkjs-proof.json'), join(out, 'snarkjs-public.json')];
    // As its command line writes them.
    writeFileSync(proofFile, JSON.stringify(proof, null, 1));
    writeFileSync(publicFile, JSON.stringify(publicSignals, null, 1));
    expect((await cuzk(['verify', keys.vkey, publicFile, proofFile])).code).toBe(0);
    expect(readFileSync(join(out, 'public.json'), 'utf8')).toBe(readFileSync(publicFile, 'utf8'));
    const own = readFileSync(join(out, 'proof.json'), 'utf8');
    expect(own).toBe(JSON.stringify(JSON.parse(own), null, 1));
    expect(Object.keys(JSON.parse(own))).toEqual(Object.keys(proof));
  });

  it('`cuzk vkey` writes what snarkjs exports, byte for byte', async () => {
    const file = join(out, 'verification_key.json');
    expect((await cuzk(['vkey', keys.zkey, '-o', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(keys.vkey, 'utf8'));
    expect((await cuzk(['vkey', keys.zkey])).stdout).toBe(readFileSync(keys.vkey, 'utf8'));
  });

  it('`cuzk witness` computes what snarkjs computes, byte for byte', async () => {
    const file = join(out, 'witness.wtns');
    expect((await cuzk(['witness', circuit.wasm, circuit.input, '-o', file])).code).toBe(0);
    expect(readFileSync(file).equals(readFileSync(circuit.witness))).toBe(true);
    expect((await cuzk(['check', circuit.r1cs, file, circuit.sym])).code).toBe(0);
  });
});

it('two proofs of one witness differ, since each is blinded anew', async () => {
  const circuit = await fixture('poseidon');
  const { zkey } = await keysOf(circuit, 'setup');
  const out = temporaryFolder();
  for (const name of ['a', 'b']) {
    const files = [join(out, `${name}.json`), join(out, `${name}-public.json`)];
    expect((await cuzk(['prove', zkey, circuit.witness, ...files])).code).toBe(0);
  }
  const [a, b] = [json(join(out, 'a.json')), json(join(out, 'b.json'))];
  for (const part of ['pi_a', 'pi_b', 'pi_c']) expect(a[part]).not.toEqual(b[part]);
});

it('row 20: several inputs make several partitions of a small real circuit, through the whole engine, each proof with its own public signals', async () => {
  const sample = join(packageRoot, 'samples', 'merkle');
  const out = temporaryFolder();
  const inputs = [0, 7, 15].map((i) => join(sample, 'inputs', `${i}.json`));
  const wasm = join(sample, 'circuit.wasm');
  expect((await cuzk(['prove', join(sample, 'circuit.zkey'), '--wasm', wasm, '--input', ...inputs, '-o', out])).code).toBe(0);
  const { verify } = await groth16();
  for (const [i, input] of inputs.entries()) {
    const publicSignals = json(join(out, String(i), 'public.json'));
    expect(publicSignals).toEqual([json(input).root]);
    const proof = json(join(out, String(i), 'proof.json'));
    expect(await verify(json(join(sample, 'verification_key.json')), publicSignals, proof)).toBe(true);
  }
  expect(existsSync(join(out, '3'))).toBe(false);
});

it('a proof with one coordinate, one public signal or another key changed is not valid', async () => {
  const circuit = await fixture('poseidon');
  const [{ zkey, vkey }, other] = [await keysOf(circuit, 'setup'), await keysOf(circuit, 'ceremony')];
  const out = temporaryFolder();
  expect((await cuzk(['prove', zkey, circuit.witness, '-o', out])).code).toBe(0);
  const [proofFile, publicFile] = [join(out, 'proof.json'), join(out, 'public.json')];
  expect((await cuzk(['verify', vkey, publicFile, proofFile])).code).toBe(0);
  expect((await cuzk(['verify', other.vkey, publicFile, proofFile])).code).toBe(1);

  const [proof, publicSignals] = [json(proofFile), json(publicFile)];
  const changed = join(out, 'changed.json');
  writeFileSync(changed, JSON.stringify([String(BigInt(publicSignals[0]) + 1n)]));
  expect((await cuzk(['verify', vkey, changed, proofFile])).code).toBe(1);
  for (const part of ['pi_a', 'pi_c']) {
    writeFileSync(changed, JSON.stringify({ ...proof, [part]: proof[part === 'pi_a' ? 'pi_c' : 'pi_a'] }));
    expect((await cuzk(['verify', vkey, publicFile, changed])).code).toBe(1);
    writeFileSync(changed, JSON.stringify({ ...proof, [part]: ['1', '3', '1'] }));
    expect((await cuzk(['verify', vkey, publicFile, changed])).code).toBe(1);
  }
});
