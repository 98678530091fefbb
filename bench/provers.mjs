// The provers under comparison: how each is called, and the check of what it made.
import { readFile } from 'node:fs/promises';
import { cliFile, projectNode } from '../build/paths.mjs';
import { snarkjsCli } from './circuits.mjs';

/**
 * @typedef {object} ProverUnderTest
 * @property {string} name
 * @property {boolean} optional whether the comparison goes on without it where it fails
 * @property {Record<string, string>} [env] added to the environment
 * @property {(zkey: string, wtns: string, proof: string, publicFile: string) => string[]} command
 * @property {(stdout: string) => Record<string, number> | undefined} [timings] milliseconds by phase, from what it printed
 */

/** This repository's command line. `home`: where it remembers checked keys. @returns {ProverUnderTest} */
export function thisProver(home) {
  return {
    name: 'cuzk',
    optional: false,
    env: { CUZK_HOME: home },
    command: (...files) => [projectNode(), cliFile, 'prove', ...files, '--json'],
    timings: (stdout) => {
      const events = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return events.find(({ event }) => event === 'proof')?.timings;
    },
  };
}

/** Any program with rapidsnark's arguments; `command` may hold arguments of its own, parted by spaces. @returns {ProverUnderTest} */
export function peerProver(command) {
  return { name: 'peer', optional: true, command: (...files) => [...command.split(/\s+/).filter(Boolean), ...files] };
}

/** @returns {ProverUnderTest} */
export function snarkjsProver() {
  return { name: 'snarkjs', optional: false, command: (...files) => [projectNode(), snarkjsCli, 'groth16', 'prove', ...files] };
}

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/** Whether snarkjs accepts a proof. */
export async function verifies(vkey, publicFile, proof) {
  const { groth16 } = await import('snarkjs');
  return groth16.verify(await readJson(vkey), await readJson(publicFile), await readJson(proof));
}

/** Ends the threads that snarkjs keeps for verification, which would keep the process. */
export async function endVerification() {
  for (const curve of [globalThis.curve_bn128, globalThis.curve_bls12381]) await curve?.terminate();
}
