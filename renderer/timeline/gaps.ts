// When a device has nothing to compute, and why. A moment's cause is the nearest thing that the device waits for: first what stands right
// before the kernels, last what is furthest from them.
import { type Intervals, intersect, lengthOf, subtract, union, unionOfSorted } from './intervals.ts';
import type { Lane, LaneKind } from './lanes.ts';
import { type Phase, phaseCode } from './phases.ts';
import type { Range } from './scale.ts';
import { nobody, type SpanRing } from './span-ring.ts';
import { firstEndingAfter, firstStartingFrom } from './span-search.ts';
import type { SpanRecorder, Wait } from './spans-from-events.ts';

export const causes = ['fault', 'lock', 'worker', 'synthesis', 'key', 'memory', 'nothing'] as const;
export type Cause = (typeof causes)[number];

export const causeLabels: Record<Cause, string> = {
  fault: 'out of order',
  lock: 'waiting for the lock',
  worker: 'waiting for a worker',
  synthesis: 'waiting for synthesis',
  key: 'waiting for a key',
  memory: 'waiting for memory',
  nothing: 'no work',
};

/** For where there is little room. */
export const causeWords: Record<Cause, string> = {
  fault: 'fault',
  lock: 'lock',
  worker: 'worker',
  synthesis: 'synthesis',
  key: 'key',
  memory: 'memory',
  nothing: 'no work',
};

/** What the device waits for while a partition is in one of the phases: the nearest to the kernels first. */
const steps: readonly (readonly [Exclude<Cause, 'nothing'>, readonly Phase[]])[] = [
  ['fault', ['faulted']],
  ['lock', ['lockWait']],
  ['worker', ['deviceQueue']],
  ['synthesis', ['witness', 'synthesis']],
  // Nobody computes what this device needs next: another has the threads.
  ['lock', ['threadWait']],
  ['synthesis', ['admitted']],
  ['key', ['keyWait']],
  ['memory', ['memoryWait']],
  // In the queue with nothing else going on: its synthesis is what comes next.
  ['synthesis', ['queueWait']],
];

export interface Gap {
  /** Monotonic milliseconds. */
  from: number;
  to: number;
  /** What most of it was spent on. */
  cause: Cause;
  /** Milliseconds by cause; they add up to the gap. */
  byCause: Partial<Record<Cause, number>>;
}

export interface DeviceGaps {
  gaps: Gap[];
  /** Milliseconds by cause, of all gaps. */
  byCause: Record<Cause, number>;
  idleMs: number;
  totalMs: number;
}

/** A device's idle time in a range. Gaps shorter than `leastMs` count in the sums, but are not listed. */
export function gapsOf(recorder: SpanRecorder, lane: Lane, range: Range, now: number, leastMs = 0): DeviceGaps {
  const { device: name, beginsAt } = lane.about;
  const within = { from: Math.max(range.from, beginsAt), to: Math.min(range.to, now) };
  const device = recorder.devices.indexOf(name ?? '');
  const result: DeviceGaps = {
    gaps: [],
    byCause: { fault: 0, lock: 0, worker: 0, synthesis: 0, key: 0, memory: 0, nothing: 0 },
    idleMs: 0,
    totalMs: Math.max(0, within.to - within.from),
  };
  if (result.totalMs === 0) return result;
  const busy = lane.sublanes.reduce<Intervals>((all, ring) => union(all, timesOf([ring], working, within, now)), []);
  const idle = subtract([within.from, within.to], busy);
  result.idleMs = lengthOf(idle);
  const listed = idle.filter((_, i) => idle[i | 1]! - idle[i & ~1]! >= leastMs);
  result.gaps = Array.from({ length: listed.length / 2 }, (_, i) => ({
    ...{ from: listed[2 * i]!, to: listed[2 * i + 1]! },
    ...{ cause: 'nothing', byCause: {} },
  }));
  let unexplained: Intervals = idle;
  const explain = (cause: Cause, times: Intervals) => {
    const part = intersect(unexplained, times);
    result.byCause[cause] += lengthOf(part);
    attribute(result.gaps, cause, part);
    unexplained = subtract(unexplained, part);
  };
  for (const [cause, phases] of steps) {
    if (unexplained.length === 0) break;
    explain(cause, waitingFor(recorder, phases, device, within, now));
  }
  explain('nothing', unexplained);
  for (const gap of result.gaps) gap.cause = mostOf(gap.byCause);
  return result;
}

const working = (ring: SpanRing, row: number) => ring.at.phase[row] !== phaseCode.faulted;

/** When a partition of that device, or of none yet, was in one of the phases. */
function waitingFor(recorder: SpanRecorder, phases: readonly Phase[], device: number, range: Range, now: number): Intervals {
  const codes = phases.map((phase) => phaseCode[phase]);
  const isIt = (ring: SpanRing, row: number) => codes.includes(ring.at.phase[row]!);
  let all: Intervals = [];
  for (const phase of phases) {
    const ring = recorder.waits[phase as Wait];
    if (ring)
      all = union(
        all,
        timesOf([ring], () => true, range, now, device, true),
      );
  }
  const kinds = kindsOf[phases[0]!] ?? [];
  for (const { about, sublanes } of recorder.lanes) {
    if (!kinds.includes(about.kind) || (about.device !== undefined && about.device !== recorder.devices[device])) continue;
    all = union(all, timesOf(sublanes, isIt, range, now, device));
  }
  return all;
}

const synthesizers: LaneKind[] = ['synthesis', 'monolithic'];
/** Where a phase is drawn; a lost device's own lane says so, its workers' may say so one after the other. */
const kindsOf: Partial<Record<Phase, LaneKind[]>> = {
  faulted: ['device'],
  lockWait: ['pipelined', 'monolithic'],
  witness: synthesizers,
  synthesis: synthesizers,
  threadWait: synthesizers,
};

/** `overlap`: the spans are waits, whose ends are in no order. */
function timesOf(
  rings: readonly SpanRing[],
  isIt: (ring: SpanRing, row: number) => boolean,
  { from, to }: Range,
  now: number,
  device = nobody,
  overlap = false,
): Intervals {
  return rings.reduce<Intervals>((all, ring) => {
    const { startedAt, endedAt, device: devices } = ring.at;
    const times = unionOfSorted((add) => {
      const end = firstStartingFrom(ring, to);
      for (let serial = overlap ? ring.tail : firstEndingAfter(ring, from); serial < end; serial++) {
        const row = serial & ring.mask;
        const stop = Math.min(endedAt[row]!, now, to);
        if (stop <= from) continue;
        const whose = devices[row]!;
        if (device !== nobody && whose !== nobody && whose !== device) continue;
        if (isIt(ring, row)) add(Math.max(startedAt[row]!, from), stop);
      }
    });
    return all.length === 0 ? times : union(all, times);
  }, []);
}

/** Adds the parts to the gaps that they lie in; both are sorted. */
function attribute(gaps: Gap[], cause: Cause, parts: Intervals): void {
  let at = 0;
  for (let i = 0; i < parts.length; i += 2) {
    while (at < gaps.length && gaps[at]!.to <= parts[i]!) at++;
    const gap = gaps[at];
    if (!gap) return;
    if (parts[i]! < gap.from) continue;
    gap.byCause[cause] = (gap.byCause[cause] ?? 0) + parts[i + 1]! - parts[i]!;
  }
}

function mostOf(byCause: Gap['byCause']): Cause {
  return causes.reduce((most, cause) => ((byCause[cause] ?? 0) > (byCause[most] ?? 0) ? cause : most), 'nothing' as Cause);
}
