// The benchmark's circuits, made with circom2 from circomlib and kept in a folder outside version control:
// `node bench/circuits.mjs [--circuits sha16,pos18] [--curve bn254] [--no-keys]` makes what is missing.
//
// `sha<k>` hashes SHA-256 blocks: nearly every value of its witness is 0 or 1. `pos<k>` is a chain of Poseidon hashes: nearly
// every value fills the field. Both have a little less than 2^k constraints, so that their domain is 2^k.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { cliFile, nativeBuild, nodeModules, projectNode } from '../build/paths.mjs';
import { copyR1cs, joinWitnesses } from './copies.mjs';

export const curves = ['bn254', 'bls12-381'];
export const circuitNames = ['sha16', 'pos16', 'sha18', 'pos18', 'sha20', 'pos20'];

/** SHA-256 blocks that fit: one is about 30 k constraints. */
const shaBlocks = { 16: 2, 18: 8, 20: 34 };
/** Poseidon hashes of two inputs that fit: one is 240 constraints. */
const poseidonHashes = { 16: 254, 18: 1020 };
/** pos20 takes more memory than circom2 has: it is this many chains like pos18's, side by side. */
const pos20Copies = 4;
const seed = 1234567890123456789012345678901234567890n;

/** Where the circuits and keys lie: $CUZK_BENCH_DATA, or native/build/bench. */
export const dataFolder = resolve(process.env.CUZK_BENCH_DATA ?? join(nativeBuild, 'bench'));

/** The files of one circuit; they may not exist yet. */
export function circuitFiles(curve, name) {
  const folder = join(dataFolder, curve, name);
  const file = (base) => join(folder, base);
  return {
    folder,
    circom: file('circuit.circom'),
    r1cs: file('circuit.r1cs'),
    wasm: file('circuit.wasm'),
    input: file('input.json'),
    wtns: file('witness.wtns'),
    // Not the stem of the .r1cs, beside which the command line would check the witness against the constraints: no other prover does.
    zkey: file('key.zkey'),
    vkey: file('verification_key.json'),
  };
}

/** A circuit's source and input by its name, such as `sha18`. The input is the same every time. */
function sources(name) {
  const size = Number(name.slice(3));
  if (name.startsWith('sha')) {
    const bits = shaBlocks[size] * 512 - 65;
    let state = 1;
    const message = Array.from({ length: bits }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 16) & 1;
    });
    return { circom: shaSource(bits), input: { in: message } };
  }
  return { circom: poseidonSource(poseidonHashes[size]), input: { seed: String(seed) } };
}

function shaSource(bits) {
  return `pragma circom 2.0.0;
include "circomlib/circuits/sha256/sha256.circom";
include "circomlib/circuits/bitify.circom";

// The digest as two numbers of 128 bits.
template Digest(bits) {
    signal input in[bits];
    signal output out[2];
    component hash = Sha256(bits);
    hash.in <== in;
    component half[2];
    for (var h = 0; h < 2; h++) {
        half[h] = Bits2Num(128);
        for (var i = 0; i < 128; i++) half[h].in[i] <== hash.out[128 * h + 127 - i];
        out[h] <== half[h].out;
    }
}

component main = Digest(${bits});
`;
}

function poseidonSource(hashes) {
  return `pragma circom 2.0.0;
include "circomlib/circuits/poseidon.circom";

template Chain(n) {
    signal input seed;
    signal output out;
    component hash[n];
    for (var i = 0; i < n; i++) {
        hash[i] = Poseidon(2);
        hash[i].inputs[0] <== i == 0 ? seed : hash[i - 1].out;
        hash[i].inputs[1] <== seed + i;
    }
    out <== hash[n - 1].out;
}

component main = Chain(${hashes});
`;
}

/** Runs a Node script to its end; throws with its output when it fails. */
export async function runScript(script, args, cwd) {
  const child = spawn(projectNode(), ['--max-old-space-size=12000', script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  const output = Buffer.concat(chunks).toString();
  if (code !== 0)
    throw new Error(`${relative(process.cwd(), script)} ${args.join(' ')} ended with ${code}:\n${output.slice(-2000)}`);
  return output;
}

export const snarkjsCli = join(nodeModules, 'snarkjs', 'build', 'cli.cjs');

/** Makes a file by `make(temporary name)` unless it is there; a broken-off run leaves nothing behind under the final name. */
async function once(path, what, make) {
  if (existsSync(path)) return;
  const started = performance.now();
  process.stderr.write(`  ${what} ... `);
  await make();
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Compiles a circuit's source. */
async function compile(curve, files, { circom, input }) {
  writeFileSync(files.circom, circom);
  writeFileSync(files.input, JSON.stringify(input));
  const output = join(files.folder, 'compiled');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  // circom2 runs in a WASI sandbox that sees relative paths only, and below the current folder only.
  const top = parse(files.folder).root;
  const seen = (path) => relative(top, path);
  const prime = curve === 'bn254' ? 'bn128' : 'bls12381';
  const args = [seen(files.circom), '--r1cs', '--wasm', '--O2', '--prime', prime, '-l', seen(nodeModules), '-o', seen(output)];
  writeFileSync(join(files.folder, 'circom.log'), await runScript(join(nodeModules, 'circom2', 'cli.js'), args, top));
  renameSync(join(output, 'circuit_js', 'circuit.wasm'), files.wasm);
  renameSync(join(output, 'circuit.r1cs'), files.r1cs);
  rmSync(output, { recursive: true });
}

const calculateWitness = (wasm, input, wtns) => runScript(snarkjsCli, ['wtns', 'calculate', wasm, input, wtns], dataFolder);

/** Writes pos20's constraints and witness. */
async function makePos20(curve, files, title) {
  if (existsSync(files.r1cs) && existsSync(files.wtns)) return;
  const part = await makeCircuit(curve, 'pos18', { keys: false });
  await once(files.r1cs, `constraints of ${title}`, async () => {
    await copyR1cs(part.r1cs, `${files.r1cs}.part`, pos20Copies);
    renameSync(`${files.r1cs}.part`, files.r1cs);
  });
  await once(files.wtns, `witness of ${title}`, async () => {
    const witnesses = [];
    for (let copy = 0; copy < pos20Copies; copy++) {
      const file = (name) => join(files.folder, `copy-${copy}.${name}`);
      writeFileSync(file('json'), JSON.stringify({ seed: String(seed + BigInt(copy)) }));
      await calculateWitness(part.wasm, file('json'), file('wtns'));
      witnesses.push(file('wtns'));
    }
    await joinWitnesses(part.r1cs, witnesses, `${files.wtns}.part`);
    renameSync(`${files.wtns}.part`, files.wtns);
  });
}

/** Makes a circuit's missing files; with `keys`, its key and verification key too, by the command line's own development setup. */
export async function makeCircuit(curve, name, { keys = true } = {}) {
  const files = circuitFiles(curve, name);
  mkdirSync(files.folder, { recursive: true });
  const title = `${name} (${curve})`;
  if (name === 'pos20') {
    await makePos20(curve, files, title);
  } else {
    await once(files.r1cs, `compile ${title}`, () => compile(curve, files, sources(name)));
    await once(files.wtns, `witness of ${title}`, async () => {
      await calculateWitness(files.wasm, files.input, `${files.wtns}.part`);
      renameSync(`${files.wtns}.part`, files.wtns);
    });
  }
  if (!keys) return files;
  await once(files.zkey, `key of ${title}`, () =>
    runScript(cliFile, ['setup', files.r1cs, '-o', files.zkey, '--insecure'], files.folder),
  );
  await once(files.vkey, `verification key of ${title}`, () =>
    runScript(cliFile, ['vkey', files.zkey, '-o', files.vkey], files.folder),
  );
  return files;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      circuits: { type: 'string', default: circuitNames.join(',') },
      curve: { type: 'string', default: curves.join(',') },
      'no-keys': { type: 'boolean', default: false },
    },
  });
  for (const curve of values.curve.split(',')) {
    for (const name of values.circuits.split(',')) await makeCircuit(curve, name, { keys: !values['no-keys'] });
  }
}
