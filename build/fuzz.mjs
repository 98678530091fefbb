// The fuzzers of the file readers (clang's libFuzzer): `npm run fuzz [-- seconds [name]]`. Each starts from its committed corpus in
// native/formats/corpus/<name>/; what it finds on the way stays in native/build/fuzz/corpus/<name>/, a crash in native/build/fuzz/.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildNative, variantFolder } from './native.mjs';
import { root } from './paths.mjs';
import { main, run, say, step } from './say.mjs';
import { requireTools } from './tools.mjs';

/** The fuzzers, built: each with its name and a way to run it for some seconds. */
export async function fuzzers() {
  await requireTools(['fuzzer']);
  const sources = readdirSync(join(root, 'native', 'formats')).filter((file) => file.endsWith('.fuzz.cpp'));
  const names = sources.map((file) => file.replace('.fuzz.cpp', ''));
  await buildNative(
    'fuzz',
    names.map((name) => `fuzz_${name}`),
  );
  return names.map((name) => ({ name, run: (seconds) => runFuzzer(name, seconds) }));
}

function runFuzzer(name, seconds) {
  const folder = variantFolder('fuzz');
  const found = join(folder, 'corpus', name);
  const committed = join(root, 'native', 'formats', 'corpus', name);
  mkdirSync(found, { recursive: true });
  const args = [
    ...[`-max_total_time=${seconds}`, '-timeout=10', '-rss_limit_mb=2048', '-print_final_stats=1', '-verbosity=0'],
    ...[`-artifact_prefix=${join(folder, `${name}-`)}`, found, ...(existsSync(committed) ? [committed] : [])],
  ];
  return run(join(folder, `fuzz_${name}`), args, { cwd: folder, log: `fuzz-${name}` });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [seconds = '60', only] = process.argv.slice(2);
  await main(async () => {
    let failed = 0;
    for (const fuzzer of await fuzzers()) {
      if (only && fuzzer.name !== only) continue;
      await step(`fuzzing ${fuzzer.name} for ${seconds} s`, async () => {
        const { code, output } = await fuzzer.run(Number(seconds));
        if (code === 0) return;
        failed++;
        say(output);
      });
    }
    return failed ? 1 : 0;
  });
}
