// The bundled sample: a Merkle-inclusion circuit with sixteen inputs, each proved as one partition, then verified again by `cuzk verify`.

import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cliFile, projectNode, root } from './paths.mjs';
import { run, SetUpError } from './say.mjs';

const sample = join(root, 'samples', 'merkle');
export const proofsFolder = join(root, 'proofs', 'merkle');

/** The input files in the order of their numbers. */
function inputs() {
  const folder = join(sample, 'inputs');
  const number = (name) => Number(name.match(/\d+/)?.[0] ?? 0);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort((a, b) => number(a) - number(b)).map((name) => join(folder, name));
}

/** Proves all inputs and verifies each proof. Resolves with the counts of a suite; with `quiet` nothing is printed unless it fails. */
export async function proveSample({ quiet }) {
  rmSync(proofsFolder, { recursive: true, force: true });
  const files = inputs();
  const shown = (file) => relative(root, file);
  const wasm = ['--wasm', shown(join(sample, 'circuit.wasm')), '--input', ...files.map(shown)];
  const args = [cliFile, 'prove', shown(join(sample, 'circuit.zkey')), ...wasm, '-o', shown(proofsFolder)];
  if (quiet) {
    const { code, output } = await run(projectNode(), args, { cwd: root });
    if (code !== 0) throw new SetUpError(output);
  } else {
    const child = spawn(projectNode(), args, { cwd: root, stdio: 'inherit' });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) return { counts: { passed: 0, failed: files.length, skipped: 0 }, code };
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (let i = 0; i < files.length; i++) {
    const [publicFile, proofFile] = ['public.json', 'proof.json'].map((name) => join(proofsFolder, String(i), name));
    const { code } = await run(projectNode(), [cliFile, 'verify', join(sample, 'verification_key.json'), publicFile, proofFile]);
    if (code === 0) counts.passed++;
    else counts.failed++;
  }
  return { counts, code: counts.failed > 0 ? 1 : 0 };
}
