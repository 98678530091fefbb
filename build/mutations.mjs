// Breaks the reducer on purpose, one way after another, and sees the suite fail each time: `npm run check:mutations`. A mutation that
// survives means that the tests cannot see that mistake.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nativeBuild, nodeModules, projectNode, root } from './paths.mjs';
import { main, run, say, seconds } from './say.mjs';

const guard = 'worker?.current?.assignment === assignment';
const mutations = [
  ['the guard removed', 'reduce-assignment.ts', guard, 'worker?.current'],
  [
    'the guard comparing job and partition only',
    'reduce-assignment.ts',
    guard,
    'worker?.current?.job === job && worker.current.partition === partition',
  ],
  ...['monolithic', 'pipelined'].map((kind) => [
    `the guard dropped from the ${kind} loop`,
    'reduce-assignment.ts',
    guard,
    `worker?.current && (worker.kind === '${kind}' || worker.current.assignment === assignment)`,
  ]),
  [
    'a counter kept by hand',
    'reduce.ts',
    "    case 'jobEnded':\n      return endJob(state, event, at);",
    `    case 'jobEnded': {
      const job = state.jobs.rows.flat().find(({ job }) => job === event.job);
      const ends = job && state.forgotten[job.kind];
      const counted = job ? { ...state, forgotten: { ...state.forgotten, [job.kind]: { ...ends, [event.end]: (ends?.[event.end] ?? 0) + 1 } } } : state;
      return endJob(counted, event, at) ?? counted;
    }`,
  ],
  ['a late end not counted', 'reduce-assignment.ts', 'staleEnds: next.staleEnds + 1', 'staleEnds: next.staleEnds'],
  [
    'a job that can end twice',
    'reduce-job.ts',
    'if (!old || isTerminalJob(old.phase)) return undefined;',
    'if (!old) return undefined;',
  ],
  ['a partition that can go back', 'reduce-job.ts', 'if (order[phase] <= order[partition.phase]) return undefined;', ''],
  ['a retry with any number', 'reduce-job.ts', 'if (event.attempt !== old.attempt + 1) return undefined;', ''],
  ['a frozen time begun again', 'reduce-job.ts', 'if (partition.spans[span]) return partition;', ''],
];

/** Runs the reducer's tests over a copy with one change; resolves with whether they failed, as they should. */
async function isSeen([name, file, from, to], index) {
  const folder = join(nativeBuild, 'mutations', String(index));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'main', 'contract'), join(folder, 'contract'), { recursive: true });
  symlinkSync(nodeModules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {};\n');
  const path = join(folder, 'contract', file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) {
    say(`    ${name}: its place in ${file} is not there, or not once; mend build/mutations.mjs`);
    return false;
  }
  writeFileSync(path, source.replace(from, to));
  const started = performance.now();
  const args = [join(nodeModules, 'vitest', 'vitest.mjs'), 'run', '--root', folder, 'contract/reduce'];
  const { code, output } = await run(projectNode(), args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    log: `mutation-${index}`,
  });
  // A suite that could not even be loaded would "fail" too.
  const seen = code !== 0 && /Tests +\d+ failed/.test(output);
  say(`    ${name}: ${seen ? 'seen' : 'NOT SEEN'} (${seconds(performance.now() - started)})`);
  rmSync(folder, { recursive: true, force: true });
  return seen;
}

/** Tries every mutation; resolves with how many were seen and how many survived. */
export async function checkMutations() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [index, mutation] of mutations.entries()) counts[(await isSeen(mutation, index)) ? 'passed' : 'failed']++;
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { passed, failed } = await checkMutations();
    console.log(`${passed} passed, ${failed} failed`);
    return failed ? 1 : 0;
  });
}
