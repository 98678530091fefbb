// A job's timeline as Chrome trace-event JSON, which Perfetto opens ("Trace Event Format", Google, 2016). Complete spans of one track must nest,
// so every worker has a track, and finalizers, which overlap, as many as run at a time; waits, which overlap too, are asynchronous spans.
import type { EngineEvent } from '../../contract/events.ts';
import { reduce } from '../../contract/reduce.ts';
import { emptyState, jobOf, type PartitionState, partitionOf, partitionsOf, type SpanName } from '../../contract/state.ts';

export interface TraceEvent {
  ph: 'X' | 'M' | 'C' | 'b' | 'e' | 's' | 't' | 'f';
  name: string;
  cat?: string;
  pid: number;
  tid?: number;
  /** Microseconds from the job's submission, to the nanosecond. */
  ts?: number;
  dur?: number;
  id?: number | string;
  bp?: 'e';
  args?: Record<string, unknown>;
}

export interface Trace {
  traceEvents: TraceEvent[];
  displayTimeUnit: 'ms';
  metadata: Record<string, unknown>;
}

const pids = { job: 1, synthesis: 2, devices: 3, finalizers: 4 };
const waits: readonly SpanName[] = ['queueWait', 'memoryWait', 'keyWait', 'deviceQueue'];
const ofSynthesis: readonly SpanName[] = ['witness', 'threadWait', 'synthesis'];
const ofDevice: readonly SpanName[] = ['lockWait', 'kernels'];
const ofFinalizer: readonly SpanName[] = ['finalizing', 'verify'];

/** One attempt at one partition when it was over. */
interface Attempt {
  partition: number;
  state: PartitionState;
  synthesizer: number | undefined;
  /** Of a monolithic worker, which finishes the proof itself. */
  isWhole: boolean;
}

/** `replay`: what replayOf() yields; `resources`: the run's events about memory up to the job's end. */
export function traceOf(
  id: string,
  replay: readonly EngineEvent[],
  resources: readonly EngineEvent[],
  metadata: Record<string, unknown>,
): Trace {
  const { attempts, workers, submittedAt, endedAt, queues } = attemptsIn(id, replay);
  const ns = (at: number) => Math.round((at - submittedAt) * 1e6);
  const events: TraceEvent[] = [];
  const span = (
    pid: number,
    tid: number,
    name: string,
    one: { startedAt: number; endedAt?: number },
    args: Record<string, unknown>,
  ) => {
    const [from, to] = [ns(one.startedAt), ns(one.endedAt ?? endedAt)];
    events.push({ ph: 'X', name, cat: 'phase', pid, tid, ts: from / 1000, dur: (to - from) / 1000, args });
    return from / 1000;
  };
  const lanes = new Lanes();
  for (const { partition, state, synthesizer, isWhole } of attempts.toSorted((a, b) => finalizedAt(a) - finalizedAt(b))) {
    const { spans, attempt, worker, phase } = state;
    const args = { job: id, partition, attempt, end: phase };
    const flow: { pid: number; tid: number; ts: number }[] = [];
    const draw = (names: readonly SpanName[], pid: number, tid: number | undefined) => {
      if (tid === undefined) return;
      const starts = names.flatMap((name) => (spans[name] ? [span(pid, tid, name, spans[name], args)] : []));
      if (starts.length > 0) flow.push({ pid, tid, ts: starts.at(-1)! });
    };
    for (const name of waits) {
      const wait = spans[name];
      if (!wait) continue;
      const at = { name, cat: 'wait', pid: pids.job, tid: 1, id: `${partition}.${attempt}` };
      events.push(
        { ph: 'b', ...at, ts: ns(wait.startedAt) / 1000, args },
        { ph: 'e', ...at, ts: ns(wait.endedAt ?? endedAt) / 1000 },
      );
    }
    draw(ofSynthesis, isWhole ? pids.devices : pids.synthesis, synthesizer);
    const device = state.assignment === undefined ? undefined : worker;
    draw(ofDevice, pids.devices, device);
    if (isWhole) draw(ofFinalizer, pids.devices, device);
    else if (spans.finalizing)
      draw(ofFinalizer, pids.finalizers, lanes.take(ns(spans.finalizing.startedAt), ns(lastOf(state, endedAt))));
    if (flow.length < 2) continue;
    const key = { name: 'partition', cat: 'flow', id: `${partition}.${attempt}` };
    for (const [i, at] of flow.entries()) {
      const ph = i === 0 ? ('s' as const) : i === flow.length - 1 ? ('f' as const) : ('t' as const);
      events.push({ ph, ...key, ...at, ...(ph === 'f' ? { bp: 'e' as const } : {}) });
    }
  }
  for (const { at, pending, ahead } of queues)
    events.push({
      ph: 'C',
      name: 'partitions that wait',
      pid: pids.job,
      ts: ns(at) / 1000,
      args: { synthesis: pending, device: ahead },
    });
  events.push(...memoryOf(resources, submittedAt, endedAt, ns));
  return { traceEvents: [...namesOf(id, workers, lanes.count), ...events], displayTimeUnit: 'ms', metadata };
}

const finalizedAt = ({ state }: Attempt) => state.spans.finalizing?.startedAt ?? 0;
const lastOf = ({ spans }: PartitionState, endedAt: number) => {
  const last = spans.verify ?? spans.finalizing!;
  return last.endedAt ?? endedAt;
};

/** Tracks for spans that overlap: each takes the first that is free; to be asked in the order of their beginnings. */
class Lanes {
  readonly #freeAt: number[] = [];

  get count(): number {
    return this.#freeAt.length;
  }

  take(from: number, to: number): number {
    const free = this.#freeAt.findIndex((at) => at <= from);
    const lane = free < 0 ? this.#freeAt.length : free;
    this.#freeAt[lane] = to;
    return lane;
  }
}

function attemptsIn(id: string, replay: readonly EngineEvent[]) {
  const attempts: Attempt[] = [];
  const synthesizers = new Map<number, number>();
  const queues: { at: number; pending: number; ahead: number }[] = [];
  let state = emptyState;
  const finished = (partition: number, one: PartitionState) => {
    const kind = one.assignment === undefined ? undefined : state.workers[one.worker!]?.kind;
    attempts.push({ partition, state: one, synthesizer: synthesizers.get(partition), isWhole: kind === 'monolithic' });
    synthesizers.delete(partition);
  };
  for (const event of replay) {
    const before = jobOf(state, id);
    const next = reduce(state, event);
    const after = jobOf(next, id);
    if (event.type === 'witnessStarted' || event.type === 'synthesisStarted') synthesizers.set(event.partition, event.worker);
    if (event.type === 'partitionRetried' && before && after && before !== after) {
      const old = partitionOf(before, event.partition)!;
      // What was open ended with it.
      const spans = Object.fromEntries(Object.entries(old.spans).map(([name, span]) => [name, { endedAt: next.at, ...span }]));
      finished(event.partition, { ...old, spans });
    }
    state = next;
    if (after && after !== before) {
      const phases = partitionsOf(after).map(({ phase }) => phase);
      const count = (phase: string) => phases.filter((one) => one === phase).length;
      const queue = { at: next.at, pending: count('pending'), ahead: count('synth_done') };
      const last = queues.at(-1);
      if (!last || last.pending !== queue.pending || last.ahead !== queue.ahead) queues.push(queue);
    }
  }
  const job = jobOf(state, id);
  for (const [partition, one] of (job ? partitionsOf(job) : []).entries()) finished(partition, one);
  return { attempts, queues, workers: state.workers, submittedAt: job?.submittedAt ?? 0, endedAt: job?.endedAt ?? state.at };
}

/** What of the budget is held, while the job ran. */
function memoryOf(resources: readonly EngineEvent[], from: number, to: number, ns: (at: number) => number): TraceEvent[] {
  const held = new Map<string, number>();
  let total = 0;
  const points: TraceEvent[] = [];
  const point = (at: number) =>
    points.push({ ph: 'C', name: 'memory held', pid: pids.job, ts: ns(at) / 1000, args: { bytes: total } });
  let isOpen = false;
  for (const event of resources) {
    if (event.type !== 'memoryHeld' || event.at > to) continue;
    if (!isOpen && event.at > from) {
      point(from);
      isOpen = true;
    }
    total += event.bytes - (held.get(event.owner) ?? 0);
    held.set(event.owner, event.bytes);
    if (isOpen) point(event.at);
  }
  return points;
}

function namesOf(id: string, workers: ReturnType<typeof attemptsIn>['workers'], finalizers: number): TraceEvent[] {
  const name = (what: 'process_name' | 'thread_name', pid: number, tid: number, text: string): TraceEvent => ({
    ...{ ph: 'M', name: what, pid, tid, args: { name: text } },
  });
  return [
    name('process_name', pids.job, 0, `job ${id}`),
    name('process_name', pids.synthesis, 0, 'synthesis'),
    name('process_name', pids.devices, 0, 'devices'),
    name('process_name', pids.finalizers, 0, 'finalizers'),
    ...workers.map(({ worker, kind, device }) =>
      name(
        'thread_name',
        kind === 'synthesis' ? pids.synthesis : pids.devices,
        worker,
        `${device ? `${device} ` : ''}${kind} worker ${worker}`,
      ),
    ),
    ...Array.from({ length: finalizers }, (_, lane) => name('thread_name', pids.finalizers, lane, `finalizer ${lane}`)),
  ];
}
