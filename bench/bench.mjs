// `npm run bench -- [option...]`: this prover against others on the same keys and witnesses, each run a process from a cold start.
import { rmSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildNative, variantFolder } from '../build/native.mjs';
import { main, SetUpError, say, step } from '../build/say.mjs';
import { circuitNames, curves, dataFolder, makeCircuit } from './circuits.mjs';
import { compare } from './compare.mjs';
import { micro } from './micro.mjs';
import { endVerification, peerProver, snarkjsProver, thisProver } from './provers.mjs';
import { comparisonTable, machineLine, microTable } from './tables.mjs';

const usage = `usage: npm run bench -- [option...]
  --circuits LIST   which of ${circuitNames.join(', ')} (default: sha16,pos16)
  --curve LIST      which of ${curves.join(', ')} (default: both)
  --rounds N        how often each prover runs (default: 5)
  --peer COMMAND    another prover: COMMAND circuit.zkey witness.wtns proof.json public.json
  --no-snarkjs      without snarkjs, which takes a while from 2^18 on
  --micro           time the kernels beside their arithmetic limits instead; sizes are those of --circuits
  --json            one JSON object per line
The circuits and keys are made once and kept in native/build/bench, or $CUZK_BENCH_DATA.`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        circuits: { type: 'string', default: 'sha16,pos16' },
        curve: { type: 'string', default: curves.join(',') },
        rounds: { type: 'string', default: '5' },
        peer: { type: 'string' },
        'no-snarkjs': { type: 'boolean', default: false },
        micro: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const listed = (text, known) => {
      const names = text.split(',');
      const wrong = names.find((name) => !known.includes(name));
      if (wrong !== undefined) throw new Error(`'${wrong}' is none of ${known.join(', ')}`);
      return names;
    };
    if (!/^[1-9]\d?$/.test(values.rounds)) throw new Error('--rounds needs a number from 1 to 99');
    return {
      ...values,
      rounds: Number(values.rounds),
      circuits: listed(values.circuits, circuitNames),
      curves: listed(values.curve, curves),
    };
  } catch (problem) {
    throw new SetUpError(`${problem.message}\n${usage}`);
  }
}

await main(async () => {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const print = (value) => process.stdout.write(`${options.json ? JSON.stringify(value) : value}\n`);
  const machine = { event: 'machine', cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memoryBytes: totalmem() };
  print(options.json ? machine : `${machine.cpu}, ${machine.cores} cores, ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB`);

  if (options.micro) {
    await step('building the kernels', () => buildNative('release', ['cuzk_bench_micro']));
    const sizes = [...new Set(options.circuits.map((name) => Number(name.slice(3))))];
    for (const curve of options.curves) {
      const results = await micro(join(variantFolder('release'), 'cuzk_bench_micro'), curve, sizes);
      if (options.json) results.forEach(print);
      else print(`\n${microTable(results)}`);
    }
    return 0;
  }

  await step('building the stopwatch', () => buildNative('release', ['cuzk_bench_measure']));
  const stopwatch = join(variantFolder('release'), 'cuzk_bench_measure');
  // Which keys were checked is remembered here, so that the first run of each circuit shows what the check costs.
  const home = join(dataFolder, 'home');
  rmSync(home, { recursive: true, force: true });
  const provers = [thisProver(home)];
  if (options.peer) provers.push(peerProver(options.peer));
  if (!options['no-snarkjs']) provers.push(snarkjsProver());

  const results = [];
  try {
    for (const curve of options.curves) {
      for (const name of options.circuits) {
        const files = await makeCircuit(curve, name);
        say(`${name} (${curve})`);
        const result = await compare({ curve, name, files, provers, rounds: options.rounds, stopwatch, say });
        results.push(result);
        if (options.json) print(machineLine(result));
      }
    }
  } finally {
    await endVerification();
  }
  if (!options.json) print(`\n${comparisonTable(results)}`);
  return 0;
});
