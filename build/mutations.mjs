// Breaks the reducer and the engine on purpose, one way after another, and sees the suite fail each time: `npm run check:mutations`. A mutation that
// survives means that the tests cannot see that mistake.
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nativeBuild, nodeModules, projectNode, root } from './paths.mjs';
import { main, run, say, seconds } from './say.mjs';

const guard = 'worker?.current?.assignment === assignment';
const inReducer = [
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

const settled = (with_) => `settle(floor, entry, line, ${with_}, explained(prepared, problem));`;
const takes =
  'lease = floor.tracker.partitionGpuStart(worker, refOf(entry));\n  try {\n    const pending = await kernels(floor, attempt, ';
/** Each: what it is, and in which files of main/engine what becomes what. */
const inEngine = [
  [
    'a pipelined loop that does not end its lease when the device phase throws',
    ['loops.ts', `using ${takes}synthesis`, `const ${takes}synthesis`],
    [
      'loops.ts',
      `holds.move()));\n  } catch (problem) {\n    ${settled('lease')}`,
      `holds.move()));\n  } catch (problem) {\n    ${settled('undefined')}`,
    ],
  ],
  [
    'a monolithic loop that does not end its lease when it throws',
    ['loops.ts', `using ${takes}made`, `const ${takes}made`],
    [
      'loops.ts',
      'settle(floor, entry, line, lease, explained(made.prepared',
      'settle(floor, entry, line, undefined, explained(made.prepared',
    ],
  ],
  [
    'a finalizer that does not end its lease when it throws',
    ['loops.ts', 'using lease = half;', 'const lease = half;'],
    [
      'loops.ts',
      `pending, signal);\n  } catch (problem) {\n    ${settled('lease')}`,
      `pending, signal);\n  } catch (problem) {\n    ${settled('undefined')}`,
    ],
  ],
  [
    'a lease that ends its worker, whatever that one is on',
    [
      'gpu-lease.ts',
      'this.ended = true;\n    this.emit(body);',
      "this.ended = true;\n    this.emit(body);\n    this.emit({ type: 'workerRestarted', worker: this.take.worker, error: leaseDropped });",
    ],
  ],
  [
    'what a synthesis holds kept when it fails',
    ['loops.ts', 'using holds = attempt.holds.move();\n  try {', 'const holds = attempt.holds.move();\n  try {'],
  ],
  ['what a finalizer holds kept', ['loops.ts', 'using _holds = held;', 'const _holds = held;']],
  ['what was queued for an ended job kept', ['engine.ts', 'for (const { holds } of queued) holds.dispose();', '']],
  ['memory not given back after the device phase', ['residency.ts', 'memory.shrinkTo(finishBytes);', '']],
  ['the key not held by a pending proof', ['loops.ts', 'use.deviceDone();', 'use[Symbol.dispose]();']],
  ['a cancel that stops no call', ['job.ts', 'for (const attempt of this.underWay) attempt.abort();', '']],
  ['waiting partitions of an ended job kept', ['engine.ts', 'scheduler.remove((entry) => entry.job === job);', '']],
  ['admitted partitions of an ended job kept', ['engine.ts', '...admitted.remove(({ entry }) => entry.job === job),', '']],
  [
    'synthesized partitions of an ended job kept',
    ['engine.ts', 'synthesized.remove(({ attempt }) => attempt.entry.job === job)', 'synthesized.remove(() => false)'],
  ],
  ['a retry that may go to the device that failed', ['settle.ts', 'entry.avoid.add(line.device);', '']],
  [
    'a proof told before it is kept',
    [
      'loops.ts',
      '  await floor.keep(entry, proof);\n  signal.throwIfAborted();\n  lease.done(proof.timings);',
      '  lease.done(proof.timings);\n  await floor.keep(entry, proof);',
    ],
  ],
  [
    'what is under way to a lost device not stopped',
    ['device-line.ts', 'for (const attempt of this.underWay) attempt.abort();', ''],
  ],
  [
    'what waits for a lost device left waiting',
    ['engine.ts', 'scheduler.remove((one) => scheduler.linesFor(one).length === 0)', 'scheduler.remove(() => false)'],
  ],
  [
    'a hang that is not watched',
    ['device-watch.ts', 'if (line.hangMs !== undefined) watch', 'if (Number.isNaN(line.hangMs)) watch'],
  ],
  ['request keys not compared by content', ['requests.ts', 'known.content === text', 'known']],
  [
    'a lock handed over before its holder can come back',
    ['device-lock.ts', 'process.nextTick(() => {', '(() => {'],
    ['device-lock.ts', '      }),\n    );', '      })(),\n    );'],
  ],
  [
    'a waiting worker only as urgent as what it has',
    ['device-lock.ts', 'const other = behind();', 'const other = behind() && undefined;'],
  ],
  ['a device kept alive by workers of another kind', ['supervise.ts', 'one.kind !== kind || ', '']],
  [
    'a large request passed by small ones',
    [
      'budget.ts',
      'if (first.need() > this.#free) return;',
      'if (first.need() > this.#free) { this.#waiting.push(this.#waiting.shift()); return; }',
    ],
  ],
];

const all = [
  ...inReducer.map(([name, file, from, to]) => ({ name, edits: [[join('contract', file), from, to]], tests: ['contract/reduce'] })),
  ...inEngine.map(([name, ...edits]) => ({
    name,
    edits: edits.map(([file, from, to]) => [join('engine', file), from, to]),
    tests: ['engine/'],
  })),
];

/** Runs the tests over a copy with one change; resolves with whether they failed, as they should. */
async function isSeen({ name, edits, tests }, index) {
  const folder = join(nativeBuild, 'mutations', String(index));
  rmSync(folder, { recursive: true, force: true });
  for (const part of ['contract', 'engine', 'prover']) cpSync(join(root, 'main', part), join(folder, part), { recursive: true });
  symlinkSync(nodeModules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {};\n');
  for (const [file, from, to] of edits) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) {
      say(`    ${name}: its place in ${file} is not there, or not once; mend build/mutations.mjs`);
      return false;
    }
    // As a function: `$` in what comes in its place is only a character.
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
  }
  const started = performance.now();
  const args = [join(nodeModules, 'vitest', 'vitest.mjs'), 'run', '--root', folder, '--bail', '1', ...tests];
  const { code, output } = await run(projectNode(), args, {
    cwd: folder,
    // Few runs of the random mixes: a mistake that only one in thousands shows would need a test of its own.
    env: { ...process.env, NO_COLOR: '1', CUZK_RUNS: '200' },
    log: `mutation-${index}`,
  });
  // A suite that could not even be loaded would "fail" too.
  const seen = code !== 0 && /Tests +\d+ failed/.test(output);
  const [, by = ''] = output.match(/FAIL +(.*)/) ?? [];
  say(`    ${name}: ${seen ? `seen by ${by}` : 'NOT SEEN'} (${seconds(performance.now() - started)})`);
  rmSync(folder, { recursive: true, force: true });
  return seen;
}

/** Tries every mutation; resolves with how many were seen and how many survived. */
export async function checkMutations() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const left = [...all.entries()];
  // Two at a time: a good part of each is the start of its processes.
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, mutation] = next;
      counts[(await isSeen(mutation, index)) ? 'passed' : 'failed']++;
    }
  };
  await Promise.all([lane(), lane()]);
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { passed, failed } = await checkMutations();
    console.log(`${passed} passed, ${failed} failed`);
    return failed ? 1 : 0;
  });
}
