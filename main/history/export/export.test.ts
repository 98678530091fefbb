// Exports of jobs that the simulated engine ran: retried, cancelled, pipelined and monolithic.
import type { Database } from 'better-sqlite3';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { CuzkError } from '../../contract/errors.ts';
import { spanNames } from '../../contract/state.ts';
import { jobRequest, simulatedEngine } from '../../engine/simulated-engine.ts';
import { isKept } from '../event-streams.ts';
import { memoryDatabase } from '../own-history.ts';
import { preambleOf } from '../preamble.ts';
import { eventsOfRun, replayOf } from '../replay.ts';
import { attemptsOf, detailsOf, summariesOf } from '../summaries.ts';
import { totalsOf } from '../totals.ts';
import { changes, numberOf } from '../upkeep.ts';
import { Writer } from '../writer.ts';
import { csvHeader, csvLine } from './csv.ts';
import { exportJob, importJob } from './job-json.ts';
import { type TraceEvent, traceOf } from './trace.ts';

let db: Database;
const ids: string[] = [];
beforeAll(async () => {
  db = memoryDatabase();
  const writer = new Writer(db, { file: ':memory:', app: 'cuzk test' });
  let left = 2;
  const onStage = (stage: string, _: string, device: string) =>
    stage === 'kernels' && device === 'sim:1' && left-- === 1 ? new CuzkError('DeviceLost', 'gone') : undefined;
  const { clock, engine, started } = simulatedEngine({ devices: 2, jitter: 0.4, seed: 7, onStage });
  writer.write([{ do: 'events', events: preambleOf(started) }]);
  engine.subscribe((event) => {
    if (isKept(event)) writer.write([{ do: 'events', events: [event] }]);
  });
  // The last goes first, and is cancelled in the middle.
  for (const [mode, priority] of [
    ['pipelined', 'low'],
    ['monolithic', 'low'],
    ['pipelined', 'critical'],
  ] as const)
    ids.push((await clock.run(engine.submit(jobRequest(mode, 9, { mode, priority })))).job);
  clock.sleep(120).then(() => engine.cancel(ids[2]!));
  await clock.run(Promise.all(ids.map((id) => engine.await(id))));
  await clock.run(engine.shutdown());
});

const traced = (id: string) => {
  const job = numberOf(db, id);
  const replay = replayOf(db, job);
  return traceOf(id, replay, eventsOfRun(db, 1, 'resources', 0, replay.at(-1)!.seq), { app: 'cuzk test' });
};

const micro = z.number().nonnegative();
/** What the trace-event format demands of the kinds of events that are used. */
const eventSchema = z.discriminatedUnion('ph', [
  z.strictObject({
    ph: z.literal('X'),
    name: z.string(),
    cat: z.string(),
    pid: z.int(),
    tid: z.int(),
    ts: micro,
    dur: micro,
    args: z.looseObject({ job: z.string(), partition: z.int() }),
  }),
  z.strictObject({
    ph: z.literal('M'),
    name: z.enum(['process_name', 'thread_name']),
    pid: z.int(),
    tid: z.int(),
    args: z.strictObject({ name: z.string() }),
  }),
  z.strictObject({ ph: z.literal('C'), name: z.string(), pid: z.int(), ts: micro, args: z.record(z.string(), z.number()) }),
  ...(['b', 'e'] as const).map((ph) =>
    z.strictObject({
      ph: z.literal(ph),
      name: z.string(),
      cat: z.string(),
      pid: z.int(),
      tid: z.int(),
      ts: micro,
      id: z.string(),
      args: z.unknown().optional(),
    }),
  ),
  ...(['s', 't', 'f'] as const).map((ph) =>
    z.strictObject({
      ph: z.literal(ph),
      name: z.string(),
      cat: z.string(),
      pid: z.int(),
      tid: z.int(),
      ts: micro,
      id: z.string(),
      bp: z.literal('e').optional(),
    }),
  ),
]);

it('traces are of the format, and the spans of each track nest', () => {
  for (const id of ids) {
    const { traceEvents } = JSON.parse(JSON.stringify(traced(id))) as { traceEvents: TraceEvent[] };
    for (const event of traceEvents) eventSchema.parse(event);
    const tracks = Map.groupBy(
      traceEvents.filter(({ ph }) => ph === 'X'),
      ({ pid, tid }) => `${pid}.${tid}`,
    );
    // The monolithic worker of the device that is left does all by itself.
    expect(tracks.size).toBeGreaterThanOrEqual(id === ids[1] ? 1 : 3);
    for (const spans of tracks.values()) {
      const open: number[] = [];
      for (const { ts, dur } of spans.toSorted((a, b) => a.ts! - b.ts! || b.dur! - a.dur!)) {
        while (open.length > 0 && open.at(-1)! <= ts! + 1e-6) open.pop();
        if (open.length > 0) expect(ts! + dur!).toBeLessThanOrEqual(open.at(-1)! + 1e-6);
        open.push(ts! + dur!);
      }
    }
    const names = new Set(traceEvents.filter(({ ph }) => ph === 'M').map(({ pid, tid }) => `${pid}.${tid}`));
    for (const track of tracks.keys()) expect(names).toContain(track);
  }
});

it('every flow begins, goes on and ends inside spans of its partition; memory and queues are counted', () => {
  const { traceEvents } = traced(ids[0]!);
  const flows = Map.groupBy(
    traceEvents.filter(({ ph }) => 'stf'.includes(ph)),
    ({ id }) => `${id}`,
  );
  expect(flows.size).toBeGreaterThanOrEqual(9);
  for (const [id, steps] of flows) {
    expect(steps.map(({ ph }) => ph).join('')).toMatch(/^st*f$/);
    for (const { pid, tid, ts } of steps) {
      const within = traceEvents.filter(
        (one) => one.ph === 'X' && one.pid === pid && one.tid === tid && one.ts! <= ts! && one.ts! + one.dur! >= ts!,
      );
      expect(within.map(({ args }) => `${args!.partition}.${args!.attempt}`)).toContain(id);
    }
  }
  const counters = traceEvents.filter(({ ph }) => ph === 'C');
  expect(new Set(counters.map(({ name }) => name))).toEqual(new Set(['memory held', 'partitions that wait']));
  expect(Math.max(...counters.map(({ args }) => Number(args!.bytes ?? 0)))).toBeGreaterThan(100);
});

it('a trace’s spans are the database’s times, attempt by attempt', () => {
  expect(
    attemptsOf(db, 1)
      .concat(attemptsOf(db, 2))
      .some(({ phase }) => phase === 'retried'),
  ).toBe(true);
  for (const id of ids) {
    const { traceEvents } = traced(id);
    for (const { partition, attempt, times } of attemptsOf(db, numberOf(db, id))) {
      const mine = (name: string) => (one: TraceEvent) =>
        one.name === name &&
        ((one.args?.partition === partition && one.args.attempt === attempt) || one.id === `${partition}.${attempt}`);
      for (const name of spanNames) {
        const [first, second] = traceEvents.filter(({ ph }) => 'Xbe'.includes(ph)).filter(mine(name));
        const us = first?.ph === 'b' ? second!.ts! - first.ts! : first?.dur;
        if (times[name] === undefined) expect(us).toBeUndefined();
        else expect(Math.abs(us! - times[name])).toBeLessThanOrEqual(0.5001);
      }
    }
  }
});

it('an exported job is read on another machine as it was, outside of the totals there, and only once', () => {
  changes.note(db, { job: ids[0]!, note: 'look at this' });
  changes.tag(db, { job: ids[0]!, add: ['odd'] });
  const other = memoryDatabase();
  for (const id of ids) {
    const exported = JSON.parse(JSON.stringify(exportJob(db, id)));
    expect(other.transaction(() => importJob(other, exported, 'rig-2'))()).toBe(id);
    const { bytes: _, ...rest } = detailsOf(other, id);
    const { bytes: __, ...original } = detailsOf(db, id);
    expect(rest).toEqual({ ...original, origin: 'rig-2' });
    expect(replayOf(other, numberOf(other, id))).toEqual(replayOf(db, numberOf(db, id)));
    expect(() => importJob(other, exported, 'rig-2')).toThrow(expect.objectContaining({ code: 'ImportKnown' }));
  }
  expect(totalsOf(other)).toEqual([]);
  changes.remove(other, { job: ids[0]! });
  expect(totalsOf(other)).toEqual([]);
});

it.each([
  ['no object', 7],
  ['another format', { format: 'other' }],
  ['a version that is not known', { format: 'cuzk-job', version: 2 }],
])('an import of %s is refused, and leaves nothing', (_, exported) => {
  const other = memoryDatabase();
  expect(() => other.transaction(() => importJob(other, exported, 'x'))()).toThrow(
    expect.objectContaining({ code: 'ImportInvalid' }),
  );
});

it('an import whose events are cut off or damaged is refused, and leaves nothing', () => {
  const whole = exportJob(db, ids[0]!);
  const other = memoryDatabase();
  for (const events of [
    [],
    whole.events.slice(0, -5),
    whole.events.map((event) => (event.type === 'workersRegistered' ? { ...event, workers: 7 } : event)),
  ]) {
    const broken = { ...whole, events };
    expect(() => other.transaction(() => importJob(other, broken, 'x'))()).toThrow(
      expect.objectContaining({ code: 'ImportInvalid' }),
    );
    expect(other.prepare('SELECT count(*) FROM jobs').pluck().get()).toBe(0);
  }
});

it('the table’s CSV has a line per job, quoted where it must be', () => {
  changes.note(db, { job: ids[1]!, note: 'a "quoted", note\nof two lines' });
  const [job] = summariesOf(db, [2]);
  const line = csvLine(job!);
  expect(csvHeader.split(',')).toHaveLength(14);
  expect(line).toContain('"a ""quoted"", note\nof two lines"');
  expect(line.endsWith('\r\n')).toBe(true);
});
