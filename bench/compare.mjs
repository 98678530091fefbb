// Runs provers in turn on one circuit and measures each run.
import { spawn } from 'node:child_process';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from '../build/say.mjs';
import { verifies } from './provers.mjs';

/** Runs a command under the stopwatch; resolves with its figures and output. */
async function measured(stopwatch, command, env) {
  const child = spawn(stopwatch, command, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const texts = ['', '', '', ''];
  for (const i of [1, 2, 3]) child.stdio[i].setEncoding('utf8').on('data', (text) => (texts[i] += text));
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (!texts[3]) throw new SetUpError(`${command[0]} could not be measured: ${texts[2]}`);
  return { ...JSON.parse(texts[3]), stdout: texts[1], stderr: texts[2] };
}

/** The end of what a failed command said, in one line. */
const reasonOf = (text) =>
  text
    .trim()
    .split('\n')
    .slice(-5)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' | ');

/** Brings a file into the page cache, so that no prover pays for the disk. */
async function warm(file) {
  for await (const _ of createReadStream(file, { highWaterMark: 4 << 20 }));
}

/**
 * Runs every prover `rounds` times, in turns, each in a process of its own, then verifies every proof. Rejects when a prover fails that
 * is not optional, or when any proof is invalid.
 */
export async function compare({ curve, name, files, provers, rounds, stopwatch, say }) {
  const folder = join(files.folder, 'runs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await warm(files.zkey);
  await warm(files.wtns);
  const results = provers.map((prover) => ({ name: prover.name, runs: [], proofs: [] }));

  const run = async (prover, label) => {
    const proof = join(folder, `${prover.name}-${label}.proof.json`);
    const publicFile = join(folder, `${prover.name}-${label}.public.json`);
    const { stdout, stderr, ...figures } = await measured(
      stopwatch,
      prover.command(files.zkey, files.wtns, proof, publicFile),
      prover.env,
    );
    if (figures.code !== 0) return { failure: reasonOf(stderr) || reasonOf(stdout) || `exit code ${figures.code}` };
    return { figures: { ...figures, timings: prover.timings?.(stdout) }, proof: { proof, publicFile } };
  };
  const must = async (prover, label) => {
    const result = await run(prover, label);
    if (result.failure && !prover.optional) throw new SetUpError(`${prover.name} failed on ${name} (${curve}): ${result.failure}`);
    return result;
  };

  // The first run checks the key's points, the second has them checked.
  const first = await must(provers[0], 'first');
  say(`  first run of ${provers[0].name}, with the check of the key: ${first.figures.wallSeconds.toFixed(2)} s`);
  await must(provers[0], 'second');
  for (let round = 0; round < rounds; round++) {
    const walls = [];
    for (const [i, prover] of provers.entries()) {
      const result = results[i];
      if (result.failure) continue;
      const { failure, figures, proof } = await must(prover, round);
      if (failure) {
        result.failure = failure;
        walls.push(`${prover.name} left out: ${failure}`);
        continue;
      }
      result.runs.push(figures);
      result.proofs.push(proof);
      walls.push(`${prover.name} ${figures.wallSeconds.toFixed(2)} s`);
    }
    say(`  round ${round + 1}: ${walls.join(', ')}`);
  }
  for (const result of results) {
    for (const { proof, publicFile } of result.proofs) {
      if (!(await verifies(files.vkey, publicFile, proof)))
        throw new SetUpError(`snarkjs does not accept a proof of ${result.name}: ${proof}`);
    }
    delete result.proofs;
  }
  return { name, curve, firstRunSeconds: first.figures.wallSeconds, provers: results };
}
