// A span as people read it, and all the spans of one partition: its way from the queue through the workers to its end.
import type { Lane } from './lanes.ts';
import { type Outcome, outcomes, type Phase, phases } from './phases.ts';
import { nobody, noJob, type SpanRef, type SpanRing } from './span-ring.ts';
import type { SpanRecorder } from './spans-from-events.ts';

export interface SpanDetails {
  ref: SpanRef;
  phase: Phase;
  outcome: Outcome;
  /** Undefined for a lane that is out of order. */
  job: string | undefined;
  partition: number;
  /** 0 where it is not known: of a worker that is stopping. */
  attempt: number;
  worker: number | undefined;
  device: string | undefined;
  /** Monotonic milliseconds. */
  startedAt: number;
  /** Undefined while it is open. */
  endedAt: number | undefined;
}

/** What is known of a span; undefined when it was overwritten. */
export function detailsOf({ devices, jobs }: SpanRecorder, ref: SpanRef): SpanDetails | undefined {
  const { ring, serial } = ref;
  if (!ring.has(serial)) return undefined;
  const row = serial & ring.mask;
  const { at } = ring;
  const ended = at.endedAt[row]!;
  return {
    ref,
    phase: phases[at.phase[row]!]!,
    outcome: outcomes[at.outcome[row]!]!,
    job: at.job[row] === noJob ? undefined : jobs.idOf(at.job[row]!),
    partition: at.partition[row]!,
    attempt: at.attempt[row]!,
    worker: at.worker[row] === nobody ? undefined : at.worker[row]!,
    device: devices[at.device[row]!],
    startedAt: at.startedAt[row]!,
    endedAt: ended === Number.POSITIVE_INFINITY ? undefined : ended,
  };
}

/** The lane that a sub-lane is of. */
export const laneOf = (lanes: readonly Lane[], ring: SpanRing): Lane | undefined =>
  lanes.find(({ sublanes }) => sublanes.includes(ring));

/**
 * All spans of one partition, its waits and earlier attempts included, in order of time; on the device's lane the kernels stand a second
 * time, and are left out. Looks at every span that is held: for one partition at a time.
 */
export function spansOfPartition(recorder: SpanRecorder, job: string, partition: number): SpanDetails[] {
  const slot = recorder.jobs.slotOf(job);
  if (slot === undefined) return [];
  const lanes = recorder.lanes.filter(({ about }) => about.kind !== 'device');
  const rings = [...lanes.flatMap(({ sublanes }) => sublanes), ...Object.values(recorder.waits)];
  const found = rings.flatMap((ring) => serialsOf(ring, slot, partition).map((serial) => detailsOf(recorder, { ring, serial })!));
  const end = ({ endedAt }: SpanDetails) => endedAt ?? Number.POSITIVE_INFINITY;
  // Waits of no length begin together with what they were for: what comes first is told by the order of phases.
  return found.sort((a, b) => a.startedAt - b.startedAt || a.attempt - b.attempt || end(a) - end(b) || order(a) - order(b));
}

const order = ({ phase }: SpanDetails) => (phase === 'admitted' ? phases.indexOf('keyWait') : phases.indexOf(phase));

function serialsOf(ring: SpanRing, slot: number, partition: number): number[] {
  const { job, partition: partitions } = ring.at;
  const serials: number[] = [];
  for (let serial = ring.tail; serial < ring.head; serial++) {
    const row = serial & ring.mask;
    if (job[row] === slot && partitions[row] === partition) serials.push(serial);
  }
  return serials;
}

/** The steps of a partition's way from lane to lane: from the end of one span to the beginning of the next on another sub-lane. */
export function flowOf(spans: readonly SpanDetails[], drawn: ReadonlySet<SpanRing>): { from: SpanDetails; to: SpanDetails }[] {
  const steps = spans.filter(({ ref, endedAt, startedAt }) => drawn.has(ref.ring) && endedAt !== startedAt);
  return steps.slice(1).flatMap((to, i) => {
    const from = steps[i]!;
    // What stops after its end leads nowhere.
    return from.ref.ring === to.ref.ring || to.phase === 'stopping' ? [] : [{ from, to }];
  });
}
