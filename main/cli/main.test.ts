// The command line as a process: exit codes, what goes where, Ctrl-C. Nothing here needs the native prover.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCircuit } from '../circuits/circom-fixture.ts';
import { packageRoot } from '../package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(args: string[]) {
  const child = spawn(process.execPath, [join(packageRoot, 'main/cli/main.ts'), ...args], { cwd: folder });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...output })),
  );
  return { child, ended };
}

const cuzk = (...args: string[]) => start(args).ended;

describe('wrong usage ends with 2 and says what is wrong', () => {
  test.each([
    [[], 'Usage: cuzk'],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['prov'], 'Did you mean prove?'],
    [['prove'], "missing required argument 'circuit.zkey'"],
    [['prove', 'c.zkey'], 'name a witness'],
    [['prove', 'c.zkey', 'w.wtns', '--threads', '-1'], 'a whole number is needed'],
    [['prove', 'c.zkey', 'w.wtns', '--threads', '1025'], 'from 1 to 1024'],
    [['prove', '--wasm', 'c.wasm', '--input', 'a.json', 'key'], 'all that follow --input are inputs (a.json, key)'],
    [['prove', 'c.zkey', 'w.wtns', '--nonsense'], "unknown option '--nonsense'"],
    [['verify', 'a.json', 'b.json'], "missing required argument 'proof.json'"],
    [['setup', 'c.r1cs', '-o', 'c.zkey'], 'Say --insecure'],
    [['setup', 'c.r1cs', '--insecure'], 'not specified'],
    [['witness', 'c.wasm', 'i.json', '--timeout', '0'], 'a number of seconds is needed'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await cuzk(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('wrong usage with --json is one line on standard output, and words on standard error', () => {
  test.each([
    [['--json'], "unknown option '--json'"],
    [['frobnicate', '--json'], "unknown command 'frobnicate'"],
    [['prove', '--json'], "missing required argument 'circuit.zkey'"],
    [['prove', 'c.zkey', '--json'], 'name a witness (.wtns), or give --wasm and --input'],
    [['prove', '--threads', '-1', '--json', 'c.zkey'], 'a whole number is needed'],
    [['verify', '--json', 'a', 'b', 'c', '--nonsense'], "unknown option '--nonsense'"],
  ])('%j', async (args, message) => {
    const { code, out, err } = await cuzk(...args);
    expect(code).toBe(2);
    expect(out.split('\n')).toHaveLength(2);
    expect(JSON.parse(out)).toEqual({
      event: 'error',
      code: 'Usage',
      message: expect.stringContaining(message),
      remedy: expect.stringMatching(/^cuzk .*--help$/),
    });
    expect(JSON.parse(out).message).not.toMatch(/^error/);
    expect(err).not.toBe('');
  });

  test('a file of that name is no wish for it', async () => {
    expect(await cuzk('prove', '--', 'c.zkey', 'a.json', '--json')).toMatchObject({ code: 2, out: '' });
  });
});

test('wrong usage shows what would steer the terminal as text', async () => {
  for (const args of [['\x1b[2J'], ['prove', 'c.zkey', 'a\x1b[2J.json'], ['verify', '--a\x1b[2J']]) {
    const { code, err } = await cuzk(...args);
    expect(code).toBe(2);
    expect(err).toContain('\\x1b[2J');
    expect(err).not.toContain('\x1b');
  }
});

test('a key that stands after the inputs is the key', async () => {
  writeFileSync(join(folder, 'c.wasm'), '');
  writeFileSync(join(folder, 'in.json'), '');
  expect(await cuzk('prove', '--wasm', 'c.wasm', '--input', 'in.json', 'last.zkey')).toMatchObject({
    code: 1,
    err: expect.stringContaining('file: last.zkey'),
  });
});

describe('an output over an input is wrong usage, and the input stays', () => {
  test.each([
    ['setup', 'own', '--insecure', '-o', 'own'],
    ['vkey', 'own', '-o', './own'],
    ['witness', 'own', 'in.json', '-o', 'own'],
    ['witness', 'c.wasm', 'own', '-o', 'own'],
    ['prove', 'own', 'w.wtns', 'own.json', 'public.json'],
    ['prove', 'c.zkey', 'w.wtns', 'p.json', 'p.json'],
  ])('%s %s %s %s %s', async (...args) => {
    writeFileSync(join(folder, 'own'), 'content');
    if (!existsSync(join(folder, 'own.json'))) symlinkSync('own', join(folder, 'own.json'));
    expect(await cuzk(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/ an input, |for two outputs/) });
    expect(readFileSync(join(folder, 'own'), 'utf8')).toBe('content');
  });
});

test('help and version are results', async () => {
  expect(await cuzk('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
  expect(await cuzk('prove', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: cuzk prove'), err: '' });
});

describe('a refused file ends with 1', () => {
  test('and says what, which file and what to do, without a stack', async () => {
    expect(await cuzk('verify', 'absent.json', 'b.json', 'c.json')).toEqual({
      code: 1,
      out: '',
      err: 'error: there is no such file\n  file: absent.json\n  try: check the path\n',
    });
  });

  test('and with --json says it to programs', async () => {
    const { code, out } = await cuzk('verify', 'absent.json', 'b.json', 'c.json', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ event: 'error', code: 'FileNotFound', file: 'absent.json' });
  });

  test('and with --debug shows where it came from', async () => {
    writeFileSync(join(folder, 'list.json'), '[]');
    const { code, err } = await cuzk('verify', 'list.json', 'b.json', 'c.json', '--debug');
    expect(code).toBe(1);
    expect(err).toMatch(/code: JsonShape\n.*\n\s+at /s);
  });
});

test('a pipe is refused instead of waited for', async () => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const { child, ended } = start(['inspect', pipe]);
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
  expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining('a device or a pipe') });
  clearTimeout(limit);
});

describe('Ctrl-C', () => {
  let wasm: string;
  let input: string;
  beforeAll(() => {
    const endless = compileCircuit(
      'template T() { signal input a; signal output b; var i = 0; while (a != i + 1) { i = 0; } b <-- i; b * 1 === a; } component main = T();',
    );
    wasm = endless.wasm;
    input = endless.input({ a: 5 });
  });

  test('ends a computation at once with 130 and leaves nothing behind', async () => {
    const before = readdirSync(folder);
    const { child, ended } = start(['witness', wasm, input, '-o', 'w.wtns']);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const interruptedAt = performance.now();
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect(performance.now() - interruptedAt).toBeLessThan(1000);
    expect({ code, err }).toEqual({ code: 130, err: 'error: interrupted\n' });
    expect(readdirSync(folder)).toEqual(before);
  });

  test('a termination ends it with 143', async () => {
    const { child, ended } = start(['witness', wasm, input, '-o', 'w.wtns']);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  test('a terminal that closes ends it with 129 and leaves nothing behind, although nobody reads what it says', async () => {
    const before = readdirSync(folder);
    const { child, ended } = start(['witness', wasm, input, '-o', 'w.wtns']);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill('SIGHUP');
    expect((await ended).code).toBe(129);
    expect(readdirSync(folder)).toEqual(before);
  });
});

test('a reader that closes the pipe early is no failure', async () => {
  const { child, ended } = start(['--help']);
  child.stdout.destroy();
  expect((await ended).err).toBe('');
});

test.runIf(existsSync('/dev/full'))('an output on a full disk is an error, without a stack', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [join(packageRoot, 'main/cli/main.ts'), '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: the output cannot be written: the disk is full\n' });
});
