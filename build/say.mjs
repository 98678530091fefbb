// What the build scripts print: one line per step, its time behind it; a failed step's own output below it.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeBuild } from './paths.mjs';

/** A failure that the person can read as it is: no stack. */
export class SetUpError extends Error {}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} m ${String(Math.round((ms % 60_000) / 1000)).padStart(2, '0')} s`;
}

/** Runs a step and says what it is and how long it took. */
export async function step(title, work) {
  const started = performance.now();
  process.stderr.write(`  ${title} ... `);
  try {
    const result = await work();
    say(seconds(performance.now() - started));
    return result;
  } catch (problem) {
    say('failed');
    throw problem;
  }
}

/**
 * Runs a command to its end and resolves with its exit code and output (stdout and stderr together). With `log`, the output is
 * also kept in native/build/logs/<log>.log. Rejects only when the command cannot be started.
 */
export function run(command, args, { cwd, env, log, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', ({ code, message }) => {
      reject(new SetUpError(code === 'ENOENT' ? `${command} is not installed` : `${command} cannot be started: ${message}`));
    });
    child.on('close', (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      if (log) {
        mkdirSync(join(nativeBuild, 'logs'), { recursive: true });
        writeFileSync(join(nativeBuild, 'logs', `${log}.log`), output);
      }
      resolve({ code: code ?? 1, signal, output });
    });
  });
}

/** Like `run`, and a failure throws with the last lines of the output. */
export async function mustRun(command, args, options = {}) {
  const { code, signal, output } = await run(command, args, options);
  if (code === 0) return output;
  const tail = output.trimEnd().split('\n').slice(-30).join('\n');
  throw new SetUpError(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${code}`}:\n${tail}`);
}

/** Runs a script's main function; a SetUpError ends it with its message alone. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (problem) {
    say(problem instanceof SetUpError ? `error: ${problem.message}` : (problem?.stack ?? String(problem)));
    process.exitCode = 1;
  }
}
