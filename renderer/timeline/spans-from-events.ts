// Spans for the timeline, from the engine's events. What an event does is known to reduce() alone: the recorder compares the partitions and
// workers that an event touched with what it has recorded of them, so the timeline cannot say anything else than the state.
import type { EngineEvent } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import {
  type EngineState,
  emptyState,
  type FinalizerState,
  isTerminalJob,
  isTerminalPartition,
  jobOf,
  jobsOf,
  type PartitionState,
  partitionOf,
  partitionsOf,
  type SpanName,
  type WorkerState,
} from '../../main/contract/state.ts';
import { JobNames } from './job-names.ts';
import { Lane, type LaneKind } from './lanes.ts';
import { type Outcome, outcomeCode, type Phase, phaseCode } from './phases.ts';
import { type SnapshotSpan, snapshotSpans } from './snapshot-spans.ts';
import { nobody, noJob, type SpanRef, SpanRing } from './span-ring.ts';

/** Waits that belong to no worker: not drawn, but they say why a device has nothing to do. */
export const waits = ['queueWait', 'memoryWait', 'keyWait', 'admitted', 'threadWait', 'deviceQueue'] as const;
export type Wait = (typeof waits)[number];

/** A partition's current attempt. */
interface Track {
  attempt: number;
  open?: { phase: Phase; refs: SpanRef[]; startedAt: number } | undefined;
  /** All of the attempt's spans: their device is known only when a device worker has taken it. */
  refs: SpanRef[];
}

/** A span of a worker or finalizer that no partition has: `stopping` or `faulted`. */
interface Filler {
  phase: Phase;
  /** Whose time it is. */
  of: string;
  refs: SpanRef[];
}

const unchanging: ReadonlySet<string> = new Set([
  'partitionProgress',
  'keyProgress',
  'memoryHeld',
  'memoryMeasured',
  'circuitOpened',
]);
const laneOrder: LaneKind[] = ['device', 'pipelined', 'monolithic', 'finalizer'];

export class SpanRecorder {
  /** The state after the last event that was taken. */
  state: EngineState;
  /** Rises with every change of a span or lane: what was drawn with the same version needs no drawing. */
  version = 0;
  /** In the order in which they stand on the screen. */
  lanes: readonly Lane[] = [];
  readonly jobs = new JobNames();
  /** Devices by the number that spans hold. */
  readonly devices: string[] = [];
  readonly waits: Readonly<Record<Wait, SpanRing>>;
  readonly #most: number;
  readonly #tracks = new Map<string, Track[]>();
  readonly #workerLanes: Lane[] = [];
  readonly #deviceLanes = new Map<string, Lane>();
  readonly #finalizerLanes = new Map<string, Lane>();
  readonly #fillers = new Map<string, Filler>();
  #seated: Readonly<Record<number, unknown>> = {};
  #earlier: Lane | undefined;

  /** From a snapshot, or from before the first event. `most`: spans held per sub-lane, a power of two. */
  constructor(state: EngineState = emptyState, most?: number) {
    this.state = state;
    this.#most = most ?? 1 << 17;
    this.waits = Object.fromEntries(waits.map((wait) => [wait, this.#newRing()])) as Record<Wait, SpanRing>;
    this.#addWorkers(state.startedAt);
    for (const span of snapshotSpans(state)) this.#addFromSnapshot(span);
    for (const { job, phase } of jobsOf(state)) {
      if (isTerminalJob(phase)) this.#tracks.delete(job);
      else this.#followJob(job);
    }
    this.#settle();
  }

  /** When the engine began, in monotonic milliseconds; what is earlier has no meaning on the timeline. */
  get beginsAt(): number {
    return this.state.startedAt;
  }

  /** Applies the next event; `after` is the state after it, when the caller has it already. */
  take(event: EngineEvent, after: EngineState = reduce(this.state, event)): void {
    this.state = after;
    if (unchanging.has(event.type)) return;
    this.version++;
    if (event.type === 'engineStarted' || event.type === 'workersRegistered') this.#addWorkers(after.at);
    if (event.type === 'jobForgotten') this.#tracks.delete(event.job);
    else if (event.type === 'jobSubmitted' || event.type === 'jobEnded') this.#followJob(event.job);
    else if ('partition' in event) this.#follow(event.job, event.partition);
    this.#settle();
    if (event.type === 'jobEnded') this.#tracks.delete(event.job);
  }

  laneOfWorker(worker: number): Lane | undefined {
    return this.#workerLanes[worker];
  }

  #newRing = (): SpanRing => new SpanRing(this.#most, (job) => this.jobs.drop(job));

  /** `beginsAt`: since when there are those that are new here. */
  #addWorkers(beginsAt: number): void {
    const { workers } = this.state;
    for (const { worker, kind, device } of workers.slice(this.#workerLanes.length)) {
      if (device !== undefined && !this.#deviceLanes.has(device)) {
        this.devices.push(device);
        this.#deviceLanes.set(device, new Lane({ kind: 'device', device, beginsAt }, this.#newRing));
        this.#finalizerLanes.set(device, new Lane({ kind: 'finalizer', device, beginsAt }, this.#newRing));
      }
      const about = { kind, worker, beginsAt, ...(device === undefined ? {} : { device }) };
      this.#workerLanes.push(new Lane(about, this.#newRing));
    }
    this.#order();
  }

  #order(): void {
    const place = ({ about: { kind, device } }: Lane) =>
      kind === 'synthesis' ? -1 : this.devices.indexOf(device!) * laneOrder.length + laneOrder.indexOf(kind);
    const all = [...this.#workerLanes, ...this.#deviceLanes.values(), ...this.#finalizerLanes.values()];
    this.lanes = [...(this.#earlier ? [this.#earlier] : []), ...all.toSorted((a, b) => place(a) - place(b))];
  }

  #followJob(id: string): void {
    const job = jobOf(this.state, id);
    if (!job) return;
    const count = partitionsOf(job).length;
    for (let partition = 0; partition < count; partition++) this.#follow(id, partition);
  }

  /** Brings what is recorded of a partition up to the state. */
  #follow(id: string, index: number): void {
    const job = jobOf(this.state, id);
    const partition = job && partitionOf(job, index);
    if (!partition) return;
    const tracks = this.#tracksOf(id);
    let track = tracks[index];
    if (track && track.attempt !== partition.attempt) {
      this.#close(track, this.state.at, 'retried');
      track = undefined;
    }
    track ??= { attempt: partition.attempt, refs: [] };
    tracks[index] = track;
    const phase = openPhaseOf(partition);
    if (phase === track.open?.phase) return;
    const ended = track.open && partition.spans[track.open.phase as SpanName]?.endedAt;
    this.#close(track, ended ?? this.state.at, outcomeOf(partition));
    if (!phase) return;
    // What stops must make room for what begins.
    if (this.#fillers.size > 0) this.#settle();
    const startedAt = phase === 'admitted' ? this.state.at : partition.spans[phase as SpanName]!.startedAt;
    this.#open(track, { job: id, partition: index, attempt: partition.attempt, phase, startedAt }, partition);
  }

  #tracksOf(job: string): Track[] {
    const tracks = this.#tracks.get(job) ?? [];
    this.#tracks.set(job, tracks);
    return tracks;
  }

  #open(
    track: Track,
    span: { job: string; partition: number; attempt: number; phase: Phase; startedAt: number },
    partition: PartitionState,
  ): void {
    const { phase, startedAt } = span;
    const places = this.#placesOf(phase, partition);
    const worker = places.length === 0 ? nobody : (partition.worker ?? nobody);
    const device = this.#deviceNumber(this.state.workers[partition.worker ?? nobody]);
    const row = () => ({ ...span, phase: phaseCode[phase], job: this.jobs.use(span.job), worker, device });
    const refs: SpanRef[] = [];
    for (const { lane, seat } of places) refs.push(lane.open(row(), seat));
    if (places.length === 0) {
      const ring = this.waits[phase as Wait] ?? this.waits.admitted;
      refs.push({ ring, serial: ring.push(row()) });
    }
    track.open = { phase, refs, startedAt };
    track.refs.push(...refs);
    // Whom it waited for is known from now on.
    if (phase === 'lockWait') for (const { ring, serial } of track.refs) ring.setDevice(serial, device);
  }

  #close(track: Track, at: number, outcome: Outcome): void {
    if (!track.open) return;
    for (const { ring, serial } of track.open.refs) ring.end(serial, at, outcomeCode[outcome]);
    track.open = undefined;
  }

  /** The lanes on which an open phase of a partition is drawn; none for a wait that is no worker's. */
  #placesOf(phase: Phase, { phase: stage, worker: id, assignment }: PartitionState): { lane: Lane; seat?: number }[] {
    const worker = id === undefined ? undefined : this.state.workers[id];
    const lane = id === undefined ? undefined : this.#workerLanes[id];
    if (!worker || !lane) return [];
    switch (phase) {
      case 'threadWait':
        return stage === 'synthesizing' ? [{ lane }] : [];
      case 'witness':
      case 'synthesis':
      case 'lockWait':
        return [{ lane }];
      case 'kernels':
        return [{ lane }, ...this.#deviceLaneOf(worker)];
      case 'finalizing':
      case 'verify':
        if (assignment === undefined || !this.state.finalizers[assignment]) return [{ lane }];
        return [{ lane: this.#finalizerLanes.get(worker.device!)!, seat: assignment }];
      default:
        return [];
    }
  }

  #deviceLaneOf({ device }: WorkerState): { lane: Lane }[] {
    const lane = device === undefined ? undefined : this.#deviceLanes.get(device);
    return lane ? [{ lane }] : [];
  }

  #deviceNumber(worker: WorkerState | undefined): number {
    return worker?.device === undefined ? nobody : this.devices.indexOf(worker.device);
  }

  /** Workers and finalizers that are at it without a partition's open span: their own span begins, or ends. */
  #settle(): void {
    const { workers, finalizers } = this.state;
    let isAnyOut = false;
    for (const worker of workers) {
      this.#settleWorker(worker);
      if (worker.phase === 'faulted') isAnyOut = true;
    }
    if (this.#seated !== finalizers)
      for (const assignment in this.#seated) {
        if (finalizers[assignment]) continue;
        this.#fill(`finalizer:${assignment}`, undefined, []);
        for (const lane of this.#finalizerLanes.values()) lane.leave(Number(assignment));
      }
    this.#seated = finalizers;
    for (const key in finalizers) this.#settleFinalizer(finalizers[key]!);
    if (isAnyOut || this.#fillers.size > 0) for (const [device, lane] of this.#deviceLanes) this.#settleDevice(device, lane);
  }

  #settleFinalizer({ job, partition, assignment, worker: id }: FinalizerState): void {
    const isOwn = this.#isOn(job, partition, ({ assignment: own }) => own === assignment);
    // With every event this is asked of all; nearly always there is nothing to do.
    if (isOwn && this.#fillers.size === 0) return;
    const worker = this.state.workers[id]!;
    const place = { lane: this.#finalizerLanes.get(worker.device!)!, seat: assignment };
    this.#fill(`finalizer:${assignment}`, isOwn ? undefined : { phase: 'stopping', job, partition, worker }, [place]);
  }

  /** A device none of whose workers takes anything is out of order. */
  #settleDevice(device: string, lane: Lane): void {
    const { workers, at } = this.state;
    const key = `device:${device}`;
    const isOut = workers.every((one) => one.device !== device || one.phase === 'faulted');
    if (!isOut && !this.#fillers.has(key)) return;
    const worker = workers.find((one) => one.device === device)!;
    const isFree = this.#fillers.has(key) || lane.sublanes.every((ring) => ring.isFreeAt(at));
    this.#fill(key, isOut && isFree ? { phase: 'faulted', worker, since: worker.since } : undefined, [{ lane }]);
  }

  #settleWorker(worker: WorkerState): void {
    const { current, synthesis, phase } = worker;
    if (phase === 'idle' && this.#fillers.size === 0) return;
    const lane = this.#workerLanes[worker.worker]!;
    const on = current ?? synthesis;
    const key = `worker:${worker.worker}`;
    if (!on) {
      const isFree = this.#fillers.has(key) || lane.sublanes.every((ring) => ring.isFreeAt(this.state.at));
      const isOut = phase === 'faulted' && isFree;
      this.#fill(key, isOut ? { phase: 'faulted', worker, since: worker.since } : undefined, [{ lane }]);
      return;
    }
    const isOwn = current
      ? this.#isOn(on.job, on.partition, ({ assignment }) => assignment === current.assignment)
      : this.#isOn(on.job, on.partition, (one) => one.phase === 'synthesizing' && one.worker === worker.worker);
    if (isOwn && this.#fillers.size === 0) return;
    const places = current?.kernelsAt === undefined ? [{ lane }] : [{ lane }, ...this.#deviceLaneOf(worker)];
    const { job, partition } = on;
    const of = `${current?.assignment ?? ''}/${job}/${partition}`;
    this.#fill(key, isOwn ? undefined : { phase: 'stopping', job, partition, worker, of }, places);
  }

  /** Whether a partition is under way, and as `check` says. */
  #isOn(id: string, index: number, check: (partition: PartitionState) => boolean): boolean {
    const job = jobOf(this.state, id);
    const partition = job && partitionOf(job, index);
    return partition !== undefined && !isTerminalPartition(partition.phase) && check(partition);
  }

  /** Makes the filler of that name be `span`, or none. */
  #fill(
    key: string,
    span: { phase: Phase; job?: string; partition?: number; worker: WorkerState; since?: number; of?: string } | undefined,
    places: { lane: Lane; seat?: number }[],
  ): void {
    const old = this.#fillers.get(key);
    const of = span?.of ?? key;
    if (old?.phase === span?.phase && (!old || old.of === of)) return;
    if (old) {
      for (const { ring, serial } of old.refs) ring.end(serial, this.state.at, outcomeCode.ok);
      this.#fillers.delete(key);
    }
    if (!span) return;
    const { phase, job, partition = 0, worker, since = this.state.at } = span;
    const about = { startedAt: since, phase: phaseCode[phase], partition, attempt: 0 };
    const whose = { worker: worker.worker, device: this.#deviceNumber(worker) };
    const refs = places.map(({ lane, seat }) =>
      lane.open({ ...about, ...whose, job: job === undefined ? noJob : this.jobs.use(job) }, seat),
    );
    this.#fillers.set(key, { phase, of, refs });
  }

  #addFromSnapshot({ job, index, partition, name, span }: SnapshotSpan): void {
    const tracks = this.#tracksOf(job.job);
    const track = tracks[index] ?? { attempt: partition.attempt, refs: [] };
    tracks[index] = track;
    const row = { job: job.job, partition: index, attempt: partition.attempt, phase: name, startedAt: span.startedAt };
    if (span.endedAt === undefined) {
      this.#open(track, row, partition);
      return;
    }
    const worker = this.state.workers[partition.worker ?? nobody];
    if (worker?.kind === 'pipelined') {
      // Which synthesis worker had it a snapshot does not say any more, nor where its finalizer was drawn.
      const isEarlier = name === 'witness' || name === 'synthesis';
      const isFinalizers = name === 'finalizing' || name === 'verify';
      if (isEarlier || isFinalizers) {
        const lane = isEarlier ? this.#earlierLane() : this.#finalizerLanes.get(worker.device!)!;
        const whose = { worker: isEarlier ? nobody : worker.worker, device: this.#deviceNumber(worker) };
        const ref = lane.open({ ...row, ...whose, phase: phaseCode[name], job: this.jobs.use(job.job) });
        ref.ring.end(ref.serial, span.endedAt, outcomeCode[name === lastOf(partition) ? outcomeOf(partition) : 'ok']);
        return;
      }
    }
    this.#open(track, row, partition);
    this.#close(track, span.endedAt, name === lastOf(partition) ? outcomeOf(partition) : 'ok');
  }

  #earlierLane(): Lane {
    if (!this.#earlier) {
      this.#earlier = new Lane({ kind: 'synthesis', beginsAt: this.state.startedAt }, this.#newRing);
      this.#order();
    }
    return this.#earlier;
  }
}

/** All spans of a past job's, or a past engine's, events, from the first one on. */
export function spansFromEvents(events: Iterable<EngineEvent>, from: EngineState = emptyState): SpanRecorder {
  const recorder = new SpanRecorder(from);
  for (const event of events) recorder.take(event);
  return recorder;
}

/** What a partition is in: its open span, or `admitted` where the contract has no name for it. */
function openPhaseOf({ phase, spans }: PartitionState): Phase | undefined {
  if (isTerminalPartition(phase)) return undefined;
  for (const name in spans) if (spans[name as SpanName]!.endedAt === undefined) return name as SpanName;
  return phase === 'pending' ? 'admitted' : undefined;
}

function outcomeOf({ phase }: PartitionState): Outcome {
  return phase === 'failed' || phase === 'cancelled' ? phase : 'ok';
}

/** The span that began last. */
function lastOf({ spans }: PartitionState): string | undefined {
  return Object.entries(spans).reduce<[string, number] | undefined>(
    (last, [name, { startedAt }]) => (last && last[1] > startedAt ? last : [name, startedAt]),
    undefined,
  )?.[0];
}
