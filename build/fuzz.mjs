// The fuzzers of the file readers (clang's libFuzzer): `npm run fuzz -- [--seconds 60] [format...]`. Each starts from its committed corpus
// in native/formats/corpus/<format>/; what it finds on the way stays in native/build/fuzz/corpus/<format>/, a crash in native/build/fuzz/.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildNative, variantFolder } from './native.mjs';
import { root } from './paths.mjs';
import { main, run, SetUpError, say, step } from './say.mjs';
import { requireTools } from './tools.mjs';

const formatsFolder = join(root, 'native', 'formats');
const suffix = '.fuzz.cpp';

export const formats = readdirSync(formatsFolder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .sort();

/**
 * Builds the fuzzers of the named formats and runs each for some seconds, as many at a time as there are cores. Each is one check;
 * `report` gets a line about each when it is done.
 */
export async function fuzz({ seconds, names = formats, report = () => {} }) {
  await requireTools(['fuzzer']);
  await buildNative(
    'fuzz',
    formats.map((name) => `fuzz_${name}`),
  );
  const waiting = [...names];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const { failure, runs } = await runFuzzer(name, seconds);
      if (failure) {
        counts.failed++;
        say(`\n${failure}`);
        report(`${name}: failed`);
      } else {
        counts.passed++;
        report(`${name}: ${runs} inputs`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return counts;
}

async function runFuzzer(name, seconds) {
  const folder = variantFolder('fuzz');
  const found = join(folder, 'corpus', name);
  const committed = join(formatsFolder, 'corpus', name);
  mkdirSync(found, { recursive: true });
  // libFuzzer writes to the first folder alone, so the committed one stays as it is.
  const args = [
    ...[`-max_total_time=${seconds}`, '-timeout=10', '-rss_limit_mb=2048', '-print_final_stats=1', '-verbosity=0'],
    ...[`-artifact_prefix=${join(folder, `${name}-`)}`, found, ...(existsSync(committed) ? [committed] : [])],
  ];
  const { code, output } = await run(join(folder, `fuzz_${name}`), args, { cwd: folder, log: `fuzz-${name}` });
  if (code === 0) return { runs: output.match(/number_of_executed_units: (\d+)/)?.[1] ?? 'no' };
  const input = output.match(/Test unit written to (\S+)/)?.[1];
  const where = input ? `the input is ${relative(root, input)}` : 'it left no input';
  return { failure: `${output.trimEnd().split('\n').slice(-30).join('\n')}\nfuzzer ${name} found something: ${where}` };
}

function parse() {
  try {
    return parseArgs({ options: { seconds: { type: 'string', default: '60' } }, allowPositionals: true });
  } catch ({ message }) {
    throw new SetUpError(message);
  }
}

function readCommandLine() {
  const { values, positionals } = parse();
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1) throw new SetUpError(`--seconds needs a whole number, not '${values.seconds}'`);
  const unknown = positionals.find((name) => !formats.includes(name));
  if (unknown) throw new SetUpError(`there is no fuzzer for '${unknown}': choose from ${formats.join(', ')}`);
  return { seconds, names: positionals.length > 0 ? positionals : formats };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { seconds, names } = readCommandLine();
    const lines = [];
    const counts = await step(`fuzzing ${names.join(', ')} for ${seconds} s each`, () =>
      fuzz({ seconds, names, report: (line) => lines.push(line) }),
    );
    for (const line of lines) say(`  ${line}`);
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
    return counts.failed > 0 ? 1 : 0;
  });
}
