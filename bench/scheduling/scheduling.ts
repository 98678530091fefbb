// `npm run bench:scheduling [-- --json]`: the engine's schedule against the least time that the work can take, on virtual time, and what
// tracking costs, in real time.
import { parseArgs } from 'node:util';
import { reduceRate, snapshotCost } from './tracking.ts';
import { type CaseResult, cases, play } from './virtual.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const scheduled: CaseResult[] = [];
for (const one of cases()) scheduled.push(await play(one));
const rates = [
  [1, 4096],
  [64, 64],
  [1000, 16],
].map(([jobs, partitions]) => reduceRate(jobs!, partitions!));
const snapshot = snapshotCost(4096);

const ms = (value: number) => value.toFixed(0);
const percent = (ratio: number | undefined) => (ratio === undefined ? '' : `${((ratio - 1) * 100).toFixed(1)} %`);
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

if (values.json) {
  process.stdout.write(`${JSON.stringify({ scheduled, rates, snapshot })}\n`);
} else {
  const lines = [
    'Over the lower bound, which is the busiest resource’s total work; virtual time, one kernel region is 100 ms. "raw" is from submit to the',
    'last proof, with the ramp: the key’s load (500 ms), the first synthesis, the last finalizer (150 ms). "steady" is from that resource’s',
    'first work to its last. "over line": over a line of the same durations with any number of places between synthesis and device.',
    '',
    row('case', 'busiest', 'bound ms', 'raw', 'steady', 'over line'),
    row('---', '---', '---:', '---:', '---:', '---:'),
    ...scheduled.map(({ name, busiest, boundMs, raw, steady, overLine }) =>
      row(name, busiest, ms(boundMs), percent(raw), percent(steady), percent(overLine)),
    ),
    '',
    'What partitions of critical jobs wait beyond their own work, at most: for a synthesis worker and the threads, and for the device.',
    '',
    row('case', 'before synthesis', 'longest synthesis', 'before kernels', 'longest kernel region'),
    row('---', '---:', '---:', '---:', '---:'),
    ...scheduled.flatMap(({ name, critical }) =>
      critical
        ? [row(name, ...[critical.synthesisWaitMs, critical.synthesisMs, critical.deviceWaitMs, critical.kernelsMs].map(ms))]
        : [],
    ),
    '',
    'Tracking, in this machine’s time.',
    '',
    ...rates.map(
      ({ jobs, partitions, events, eventsPerSecond }) =>
        `reduce: ${ms(eventsPerSecond)} events a second (${jobs} jobs of ${partitions} partitions, ${events} events)`,
    ),
    `snapshot of ${snapshot.workers} workers and ${snapshot.partitions} partitions: ${snapshot.snapshotMs.toFixed(4)} ms; ` +
      `structuredClone ${ms(snapshot.structuredCloneMs)} ms; JSON ${ms(snapshot.jsonMs)} ms, ${ms(snapshot.jsonBytes / 1024)} KiB`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
