// GET /metrics: the state as Prometheus text. What a state says is read from it at every scrape; only what leaves the state, the times of
// phases and the faults of workers, is added up while events pass, from the difference that each one makes.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineEvent } from '../contract/events.ts';
import {
  countersOf,
  type EngineState,
  isTerminalJob,
  jobOf,
  jobsOf,
  type PartitionPhase,
  partitionOf,
  partitionsOf,
  type Span,
  type SpanName,
  spanMs,
  type WorkerState,
} from '../contract/state.ts';
import { type ClosedSpan, closedBy, closedIn, endedBy } from './closed-spans.ts';
import type { HostedEngine } from './engine-face.ts';
import { KindLabels, type OwnerClass, ownerClassOf } from './metric-labels.ts';
import { ageMs } from './status-projection.ts';

/** From a small circuit's millisecond to a large one's hour. */
const secondsBuckets = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

const outcomes = ['succeeded', 'failed', 'cancelled', 'interrupted'] as const;
const livePhases = ['queued', 'running'] as const;
const partitionPhases: PartitionPhase[] = [
  ...(['pending', 'synthesizing', 'synth_done', 'gpu', 'finalizing'] as const),
  ...(['done', 'failed', 'cancelled'] as const),
];
const waits = ['queueWait', 'memoryWait', 'keyWait', 'threadWait', 'deviceQueue', 'lockWait'] as const satisfies SpanName[];
const workerPhases: WorkerState['phase'][] = ['idle', 'synthesizing', 'proving', 'faulted'];

export class Metrics implements Disposable {
  readonly #engine: HostedEngine;
  readonly #now: () => number;
  readonly #kinds = new KindLabels();
  readonly #registry = new Registry();
  readonly #unsubscribe: () => void;
  #before: EngineState;
  /** Seconds of closed spans by device. */
  readonly #closed = { kernels: new Map<string, number>(), lockWait: new Map<string, number>() };

  readonly #phaseSeconds = this.#histogram('phase_seconds', 'Seconds that partitions spent in each phase', ['kind', 'phase']);
  readonly #jobSeconds = this.#histogram('job_seconds', 'Seconds from submitting a job to its end', ['kind', 'outcome']);
  readonly #faults = this.#counter('worker_faults_total', 'Workers that went out of order', ['kind', 'device']);

  readonly #seq = this.#gauge('state_sequence', 'Number of the last event');
  readonly #age = this.#gauge('state_age_seconds', 'Seconds since the last event');
  readonly #uptime = this.#gauge('uptime_seconds', "Seconds since the engine's start");
  readonly #jobs = this.#gauge('jobs', 'Jobs that have not ended', ['kind', 'phase']);
  readonly #ended = this.#counter('jobs_ended_total', 'Jobs that have ended', ['kind', 'outcome']);
  readonly #partitions = this.#gauge('partitions', 'Partitions of jobs that have not ended', ['phase']);
  readonly #waiting = this.#gauge('partitions_waiting', 'Partitions that wait, by what they wait for', ['wait']);
  readonly #finalizers = this.#gauge('finalizers', 'Proofs that are finished while their worker is on another');
  readonly #memory = this.#gauge('memory_bytes', 'Bytes of the budget that are held', ['owner']);
  readonly #budget = this.#gauge('memory_budget_bytes', 'Bytes that keys and proofs may take together');
  readonly #rss = this.#gauge('process_resident_bytes', 'Bytes that the process takes, as the operating system says');
  readonly #busy = this.#counter('device_busy_seconds_total', 'Seconds in which kernels ran', ['device']);
  readonly #lockWait = this.#counter('device_lock_wait_seconds_total', "Seconds of waiting for a device's lock", ['device']);
  readonly #workers = this.#gauge('workers', 'Workers by how they stand', ['kind', 'device', 'state']);
  readonly #restarts = this.#counter('worker_restarts_total', "Workers' loops that broke and were begun again", ['kind', 'device']);
  readonly #staleEnds = this.#counter('stale_ends_total', 'Ends of assignments that were no longer on');
  readonly #ignored = this.#counter('ignored_events_total', 'Events that could not apply');

  constructor(engine: HostedEngine, now: () => number) {
    this.#engine = engine;
    this.#now = now;
    this.#before = engine.snapshot();
    this.#beginWith(this.#before);
    this.#unsubscribe = engine.subscribe((event, state) => this.#watch(event, state));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text of one scrape. */
  render(): Promise<string> {
    this.#read(this.#engine.snapshot(), this.#now());
    return this.#registry.metrics();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  /** What happened before anybody watched, as far as the state still has it. */
  #beginWith(state: EngineState): void {
    for (const job of jobsOf(state)) {
      const kind = this.#kinds.of(job.kind);
      if (isTerminalJob(job.phase))
        this.#jobSeconds.observe({ kind, outcome: job.phase }, ((job.endedAt ?? state.at) - job.submittedAt) / 1000);
    }
    for (const span of closedIn(state)) this.#observe(span);
    for (const worker of state.workers) if (worker.phase === 'faulted') this.#faults.inc(labelsOf(worker));
  }

  #watch(event: EngineEvent, state: EngineState): void {
    const before = this.#before;
    this.#before = state;
    for (const span of closedBy(event, before, state)) this.#observe(span);
    const ended = endedBy(event, before, state);
    if (ended) this.#jobSeconds.observe({ kind: this.#kinds.of(ended.job.kind), outcome: ended.job.phase }, ended.ms / 1000);
    if (event.type === 'workerFaulted') {
      const worker = state.workers[event.worker];
      if (worker && before.workers[event.worker]?.phase !== 'faulted') this.#faults.inc(labelsOf(worker));
    }
  }

  #observe({ kind, span, ms, device }: ClosedSpan): void {
    this.#phaseSeconds.observe({ kind: this.#kinds.of(kind), phase: span }, ms / 1000);
    if (device === undefined || (span !== 'kernels' && span !== 'lockWait')) return;
    const seconds = this.#closed[span];
    seconds.set(device, (seconds.get(device) ?? 0) + ms / 1000);
  }

  /** Brings everything that a state says by itself up to date, in one go. */
  #read(state: EngineState, now: number): void {
    this.#seq.set(state.seq);
    this.#age.set(ageMs(state, now) / 1000);
    this.#uptime.set(Math.max(0, now - state.startedAt) / 1000);
    this.#budget.set(state.budgetBytes);
    this.#rss.set(state.rssBytes);
    this.#finalizers.set(Object.keys(state.finalizers).length);
    setTotal(this.#staleEnds, state.staleEnds);
    setTotal(this.#ignored, state.ignored);
    this.#readJobs(state);
    this.#readPartitions(state);
    this.#readMemory(state);
    this.#readWorkers(state);
    this.#readDevices(state, now);
  }

  #readJobs(state: EngineState): void {
    this.#jobs.reset();
    this.#ended.reset();
    for (const [name, phases] of Object.entries(countersOf(state))) {
      const kind = this.#kinds.of(name);
      for (const phase of livePhases) this.#jobs.inc({ kind, phase }, phases[phase]);
      for (const outcome of outcomes) this.#ended.inc({ kind, outcome }, phases[outcome]);
    }
  }

  #readPartitions(state: EngineState): void {
    for (const phase of partitionPhases) this.#partitions.set({ phase }, 0);
    for (const wait of waits) this.#waiting.set({ wait }, 0);
    for (const job of jobsOf(state)) {
      if (isTerminalJob(job.phase)) continue;
      for (const { phase, spans } of partitionsOf(job)) {
        this.#partitions.inc({ phase });
        for (const wait of waits) if (isOpen(spans[wait])) this.#waiting.inc({ wait });
      }
    }
  }

  #readMemory(state: EngineState): void {
    const held: Record<OwnerClass, number> = { keys: 0, proofs: 0 };
    for (const [owner, bytes] of Object.entries(state.memory)) held[ownerClassOf(owner)] += bytes;
    for (const [owner, bytes] of Object.entries(held)) this.#memory.set({ owner }, bytes);
  }

  #readWorkers(state: EngineState): void {
    this.#workers.reset();
    this.#restarts.reset();
    for (const worker of state.workers) {
      const labels = labelsOf(worker);
      for (const phase of workerPhases) this.#workers.inc({ ...labels, state: phase }, worker.phase === phase ? 1 : 0);
      this.#restarts.inc(labels, worker.restarts);
      this.#faults.inc(labels, 0);
    }
  }

  /** Closed times, and those of the partitions that are on a worker now: a long proof counts while it runs, not only at its end. */
  #readDevices(state: EngineState, now: number): void {
    this.#busy.reset();
    this.#lockWait.reset();
    for (const [device, seconds] of this.#closed.kernels) this.#busy.inc({ device }, seconds);
    for (const [device, seconds] of this.#closed.lockWait) this.#lockWait.inc({ device }, seconds);
    for (const { device, current } of state.workers) {
      if (device === undefined) continue;
      this.#busy.inc({ device }, 0);
      this.#lockWait.inc({ device }, 0);
      const job = current && jobOf(state, current.job);
      const partition = job && partitionOf(job, current.partition);
      if (partition?.assignment !== current?.assignment) continue;
      const { kernels, lockWait } = partition?.spans ?? {};
      if (isOpen(kernels)) this.#busy.inc({ device }, spanMs(kernels, now) / 1000);
      if (isOpen(lockWait)) this.#lockWait.inc({ device }, spanMs(lockWait, now) / 1000);
    }
  }

  #gauge<L extends string = never>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return new Gauge({ name: `cuzk_${name}`, help, labelNames, registers: [this.#registry] });
  }
  #counter<L extends string = never>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name: `cuzk_${name}`, help, labelNames, registers: [this.#registry] });
  }
  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name: `cuzk_${name}`, help, labelNames, buckets: secondsBuckets, registers: [this.#registry] });
  }
}

const labelsOf = ({ kind, device = '' }: WorkerState) => ({ kind, device });
const isOpen = (span: Span | undefined): span is Span => span !== undefined && span.endedAt === undefined;

/** A counter that mirrors what the state counts. */
function setTotal(counter: Counter<never>, value: number): void {
  counter.reset();
  counter.inc(value);
}
