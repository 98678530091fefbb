// Every suite, one after the other, and what they come to in the last line. `--fuzz SECONDS` adds the fuzzers.

import { checkMutations } from './mutations.mjs';
import { proveSample } from './sample.mjs';
import { main, say, seconds } from './say.mjs';
import { electron, fuzz, kills, lint, native, pageTypes, types, vitest } from './suites.mjs';

const minutes = 60_000;
const fuzzAt = process.argv.indexOf('--fuzz');
const fuzzSeconds = fuzzAt < 0 ? 0 : Number(process.argv[fuzzAt + 1]);

const suites = [
  ['lint and format (biome)', lint],
  ['types (tsc)', types],
  ['types of the page (vue-tsc)', pageTypes],
  [
    'native tests',
    () => native('release', { targets: ['cuzk_addon', 'cuzk_test_addon', 'cuzk_native_tests'], timeoutMs: 5 * minutes }),
  ],
  ['TypeScript tests (vitest)', vitest],
  ['the app in a real Electron (vitest)', electron],
  ['the history of a proving process that is killed', kills],
  ['mistakes in the reducer and the engine, made on purpose, that the tests must see', checkMutations],
  ['the bundled sample, proved and verified', async () => (await proveSample({ quiet: true })).counts],
  [
    'native tests under ASan and UBSan',
    () => native('sanitize', { targets: ['cuzk_native_tests'], env: { ASAN_OPTIONS: 'detect_leaks=1' }, timeoutMs: 15 * minutes }),
  ],
  ...(fuzzSeconds > 0 ? [[`fuzzers, ${fuzzSeconds} s each`, () => fuzz(fuzzSeconds)]] : []),
];

await main(async () => {
  const total = { passed: 0, failed: 0, skipped: 0 };
  say('tests');
  for (const [title, suite] of suites) {
    const started = performance.now();
    process.stderr.write(`  ${title} ... `);
    let counts;
    try {
      counts = await suite();
    } catch (problem) {
      say(`\n${problem.message}`);
      counts = { passed: 0, failed: 1, skipped: 0 };
    }
    const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
    say(`${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds(performance.now() - started)})`);
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  return total.failed > 0 ? 1 : 0;
});
