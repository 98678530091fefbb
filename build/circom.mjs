// Compiling circuits and making their keys with the ecosystem's own tools, for samples and tests: circom2 and snarkjs from npm.
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, parse, relative } from 'node:path';
import { nodeModules, projectNode } from './paths.mjs';
import { mustRun } from './say.mjs';

const primes = { bn254: 'bn128', 'bls12-381': 'bls12381' };

/** Compiles `source` (in `folder`) there to .r1cs, .wasm and .sym of the same stem. Includes may name packages, as in circomlib/... */
export async function compile(folder, source, { curve = 'bn254', level = 2 } = {}) {
  const stem = basename(source, '.circom');
  // circom2 runs in a sandbox that sees relative paths below the current folder only.
  const top = parse(folder).root;
  const [here, packages] = [folder, nodeModules].map((path) => relative(top, path));
  const program = join(nodeModules, 'circom2', 'cli.js');
  const args = [
    join(here, source),
    '--r1cs',
    '--wasm',
    '--sym',
    `--O${level}`,
    '--prime',
    primes[curve],
    '-l',
    packages,
    '-o',
    here,
  ];
  await mustRun(projectNode(), [program, ...args], { cwd: top });
  renameSync(join(folder, `${stem}_js`, `${stem}.wasm`), join(folder, `${stem}.wasm`));
  rmSync(join(folder, `${stem}_js`), { recursive: true });
}

/** snarkjs's command line. */
export const snarkjs = (args, cwd) => mustRun(projectNode(), [join(nodeModules, 'snarkjs', 'build', 'cli.cjs'), ...args], { cwd });

/** A verifiable, public "random" number, as a ceremony's last word. */
const beacon = ['0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '10'];

/** A powers-of-tau ceremony for circuits of up to 2^power constraints: two contributions and a beacon, prepared for phase 2. */
export async function powersOfTau(folder, curve, power) {
  mkdirSync(folder, { recursive: true });
  const names = ['0', '1', '2', 'beacon', 'final'].map((part) => `tau-${curve}-${power}-${part}.ptau`);
  const [none, first, second, last, final] = names;
  const contribute = (from, to, name) =>
    snarkjs(['powersoftau', 'contribute', from, to, `--name=${name}`, `-e=${randomBytes(32).toString('hex')}`], folder);
  await snarkjs(['powersoftau', 'new', primes[curve], String(power), none], folder);
  await contribute(none, first, 'first');
  await contribute(first, second, 'second');
  await snarkjs(['powersoftau', 'beacon', second, last, ...beacon, '-n=beacon'], folder);
  await snarkjs(['powersoftau', 'prepare', 'phase2', last, final], folder);
  for (const name of [none, first, second, last]) rmSync(join(folder, name));
  return join(folder, final);
}

/** The circuit's own phase: a key with one contribution and a beacon, and its verification key. `contributed: false` leaves both out. */
export async function groth16Keys(r1cs, ptau, { zkey, vkey, contributed = true }) {
  if (!contributed) {
    await snarkjs(['groth16', 'setup', r1cs, ptau, zkey]);
  } else {
    const [bare, once] = [`${zkey}.0`, `${zkey}.1`];
    await snarkjs(['groth16', 'setup', r1cs, ptau, bare]);
    await snarkjs(['zkey', 'contribute', bare, once, '--name=first', `-e=${randomBytes(32).toString('hex')}`]);
    await snarkjs(['zkey', 'beacon', once, zkey, ...beacon, '-n=beacon']);
    for (const name of [bare, once]) rmSync(name);
  }
  if (vkey) await snarkjs(['zkey', 'export', 'verificationkey', zkey, vkey]);
}
