// Makes everything in samples/ anew: `node build/samples.mjs`. The keys come out different each time, since a ceremony is random.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, groth16Keys, powersOfTau } from './circom.mjs';
import { root } from './paths.mjs';
import { fullRounds, partialRounds, poseidon, poseidonParameters } from './poseidon.mjs';
import { main, step } from './say.mjs';

const sample = join(root, 'samples', 'merkle');
const depth = 8;
const partitions = 16;
/** The hash takes two inputs. */
const width = 3;

function constantsFile() {
  const { constants, matrix } = poseidonParameters(width);
  const row = (values) => `        [${values.join(',\n         ')}]`;
  return `// Made by build/samples.mjs as the paper prescribes, for ${fullRounds} full and ${partialRounds[width]} partial rounds; do not edit.
pragma circom 2.0.0;

function round_constant(i) {
    var constants[${constants.length}] = [
        ${constants.join(',\n        ')}
    ];
    return constants[i];
}

function mixing_factor(row, column) {
    var matrix[${width}][${width}] = [
${matrix.map(row).join(',\n')}
    ];
    return matrix[row][column];
}
`;
}

/** A tree's nodes by height, over leaves that each are the hash of a made-up secret and its place. */
function tree() {
  const levels = [Array.from({ length: 2 ** depth }, (_, i) => poseidon(BigInt(i) * 0x1_0000_0001n + 7n, BigInt(i)))];
  for (let height = 0; height < depth; height++) {
    const below = levels[height];
    levels.push(Array.from({ length: below.length / 2 }, (_, i) => poseidon(below[2 * i], below[2 * i + 1])));
  }
  return levels;
}

/** The circuit's inputs for one leaf. */
function membership(levels, index) {
  const siblings = Array.from({ length: depth }, (_, height) => String(levels[height][(index >> height) ^ 1]));
  return { leaf: String(levels[0][index]), siblings, index: String(index), root: String(levels[depth][0]) };
}

await main(async () => {
  const file = (name) => join(sample, name);
  await step('constants of the hash', () => writeFileSync(file('poseidon-constants.circom'), constantsFile()));
  await step('compile the circuit', () => compile(sample, 'circuit.circom'));
  await step('inputs', () => {
    mkdirSync(file('inputs'), { recursive: true });
    const levels = tree();
    for (let i = 0; i < partitions; i++) {
      // Leaves from all over the tree, the first and the last included.
      const index = i === partitions - 1 ? 2 ** depth - 1 : (i * 2 ** depth) / partitions;
      writeFileSync(file(join('inputs', `${i}.json`)), `${JSON.stringify(membership(levels, index), null, 2)}\n`);
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'cuzk-samples-'));
  try {
    const ptau = await step('powers of tau', () => powersOfTau(folder, 'bn254', 11));
    const files = { zkey: file('circuit.zkey'), vkey: file('verification_key.json') };
    await step('keys', () => groth16Keys(file('circuit.r1cs'), ptau, files));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
