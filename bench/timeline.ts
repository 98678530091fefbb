// What one picture of the timeline costs without its pixels, over 100,000 spans: `node bench/timeline.ts [spans]`. Prints milliseconds.
import { writeFileSync } from 'node:fs';
import { gapsOf } from '../renderer/timeline/gaps.ts';
import { sublanesOf } from '../renderer/timeline/lanes.ts';
import { spansOfPartition } from '../renderer/timeline/partition-spans.ts';
import { scaleOf } from '../renderer/timeline/scale.ts';
import { type RunJob, simulatedRun } from '../renderer/timeline/simulated-run.ts';
import { spansFromEvents } from '../renderer/timeline/spans-from-events.ts';
import { totalsOf } from '../renderer/timeline/totals.ts';
import { Boxes, visibleBoxes } from '../renderer/timeline/visible.ts';

const wanted = Number(process.argv[2] ?? 100_000);
const widthPx = 1200;
/** Spans that one partition has on lanes: synthesis, lock wait, kernels twice, finalizing, verify. */
const spansEach = 6;

const partitions = 1000;
const jobs: RunJob[] = Array.from({ length: Math.ceil(wanted / spansEach / partitions) }, () => ({ partitions }));
const { started, events } = await simulatedRun(jobs, { devices: 8, synthesisWorkers: 8, memoryBytes: 100_000, jitter: 0.5 });
const out = process.env.CUZK_BENCH_EVENTS;
if (out) writeFileSync(out, JSON.stringify({ started, events }));

const beganAt = performance.now();
const recorder = spansFromEvents(events, started);
const recordMs = performance.now() - beganAt;
const rings = sublanesOf(recorder.lanes);
const spans = rings.reduce((sum, { count }) => sum + count, 0);
const now = recorder.state.at;
console.log(`${spans} spans of ${events.length} events on ${rings.length} sub-lanes`);
console.log(`recording                ${recordMs.toFixed(0)} ms, ${((1000 * recordMs) / events.length).toFixed(1)} µs per event`);

function measure(what: string, work: () => void, times = 50): void {
  for (let i = 0; i < 5; i++) work();
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = performance.now();
    work();
    took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  const mean = took.reduce((sum, ms) => sum + ms, 0) / times;
  console.log(`${what.padEnd(24)} ${mean.toFixed(2)} ms on average, ${took[Math.floor(times * 0.95)]!.toFixed(2)} ms p95`);
}

const boxes = new Boxes();
const all = { from: 0, to: now };
for (const [what, part] of [
  ['all in view', 1],
  ['a tenth in view', 0.1],
  ['a thousandth in view', 0.001],
] as const) {
  const view = { from: now * 0.3, to: now * (0.3 + part * 0.7) };
  const scale = scaleOf(part === 1 ? all : view, widthPx);
  measure(`boxes, ${what}`, () => {
    for (const ring of rings) visibleBoxes(ring, scale, widthPx, now, 3, boxes);
  });
}
const device = recorder.lanes.find(({ about }) => about.kind === 'device')!;
measure('gaps of one device', () => gapsOf(recorder, device, all, now, (now / widthPx) * 10));
measure('totals of all', () => totalsOf(recorder.lanes, all, now));
measure('way of one partition', () => spansOfPartition(recorder, 'job-3', 17));
