// Runs the command line as a person does, in a process of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../main/package-root.ts';

export const cliFile = join(packageRoot, 'dist', 'cuzk.mjs');

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Killed after this time, so that a hang is a failure and not a wait. */
  limitMs?: number;
  /** Called once the process runs; the timer that it returns is cleared when the process ends. */
  meanwhile?: (pid: number) => NodeJS.Timeout;
}

/** `cuzk` with these arguments. What it remembers goes to the test's own folder. */
export async function cuzk(args: string[], { cwd, env, limitMs = 60_000, meanwhile }: RunOptions = {}): Promise<Finished> {
  const started = performance.now();
  const child = spawn(process.execPath, [cliFile, ...args], {
    cwd,
    env: { ...process.env, CUZK_HOME: memoryFolder(), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const timer = child.pid === undefined ? undefined : meanwhile?.(child.pid);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject).on('close', (...end) => resolve(end));
  });
  clearTimeout(timer);
  return { code, signal, stdout, stderr, ms: performance.now() - started };
}

/** The lines that --json prints. */
export const eventsOf = ({ stdout }: Finished): ({ event: string } & Record<string, unknown>)[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The last error that --json prints. */
export function errorOf(finished: Finished): { code: string; message: string; file?: string; offset?: number; remedy?: string } {
  const error = eventsOf(finished).findLast(({ event }) => event === 'error');
  if (!error)
    throw new Error(`no error was printed (exit code ${finished.code}, ${finished.signal}):\n${finished.stdout}${finished.stderr}`);
  return error as never;
}

let own: string | undefined;
function memoryFolder(): string {
  own ??= temporaryFolder();
  return own;
}

/** A folder that is gone after the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cuzk-e2e-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
