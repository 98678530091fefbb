// The test suites: each runs, prints its failures, and resolves with how many checks passed, failed and were skipped.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildNative, variantFolder } from './native.mjs';
import { nativeBuild, projectNode, root } from './paths.mjs';
import { run, say } from './say.mjs';

const node = projectNode();
const script = (...path) => join(root, 'node_modules', ...path);

/** One program that passes or fails as a whole. */
async function single(title, args) {
  const { code, output } = await run(node, args, { cwd: root });
  if (code !== 0) say(`\n${output.trimEnd()}`);
  return { title, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

export const lint = () =>
  single('biome', [script('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '--colors=off']);
export const types = () => single('tsc', [script('typescript', 'bin', 'tsc'), '--noEmit']);
/** The page without Node's types, then its tests with them. */
export async function pageTypes() {
  const check = (project) => single('vue-tsc', [script('vue-tsc', 'bin', 'vue-tsc.js'), '--noEmit', '-p', project]);
  const page = await check('renderer');
  return page.failed > 0 ? page : await check('renderer/tsconfig.test.json');
}

/** A few of what `npm run check:kill` does. */
export const kills = () => single('kills', [join(root, 'test', 'kill', 'check.ts'), '--times', '6']);

/** The native tests of one build variant; a build that fails is one failed check. */
export async function native(variant, { targets, env = {}, timeoutMs }) {
  await buildNative(variant, targets);
  const program = join(variantFolder(variant), 'cuzk_native_tests');
  const { output, signal, code } = await run(program, [], {
    cwd: root,
    env: { ...process.env, ...env },
    log: `tests-${variant}`,
    timeoutMs,
  });
  const [, passed, failed] = output.match(/^(\d+) passed, (\d+) failed$/m) ?? [undefined, 0, 0];
  const broken = passed === 0 || (code !== 0 && failed === '0');
  if (code !== 0 || broken) {
    const lines = output.split('\n');
    say(`\n${(broken ? lines.slice(-40) : lines.filter((line) => /^(FAILED|\s{8})/.test(line))).join('\n')}`);
    if (broken) say(`the native tests (${variant}) ended with ${signal ?? `exit code ${code}`}`);
  }
  return { passed: Number(passed), failed: Number(failed) + (broken ? 1 : 0), skipped: 0 };
}

/** Everything that vitest finds; with `config`, what that configuration names. */
async function vitestOf(log, config = []) {
  const report = join(nativeBuild, 'logs', `${log}.json`);
  rmSync(report, { force: true });
  const args = [
    script('vitest', 'vitest.mjs'),
    'run',
    ...config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await run(node, args, { cwd: root, env: { ...process.env, NO_COLOR: '1', TZ: 'UTC' }, log });
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
    counts = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    // No report: vitest itself fell over, which its exit code tells.
  }
  if (code !== 0) {
    say(`\n${output.trimEnd()}`);
    // A file that cannot be loaded fails without any test in it.
    if (counts.failed === 0) counts.failed = 1;
  } else if (counts.skipped > 0) {
    // What is skipped says why.
    const reasons = output.split('\n').filter((line) => /\b(is|are) not tested\b/.test(line));
    if (reasons.length > 0) say(`\n${[...new Set(reasons)].join('\n')}`);
  }
  return counts;
}

export const vitest = () => vitestOf('vitest');
/** The app in a real Electron. */
export const electron = () => vitestOf('electron', ['--config', join('test', 'electron', 'vitest.config.ts')]);

/** Every fuzzer for `seconds`. */
export async function fuzz(seconds) {
  const { fuzz: fuzzFormats } = await import('./fuzz.mjs');
  return await fuzzFormats({ seconds });
}
