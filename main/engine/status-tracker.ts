// The one owner of the live state. Each method numbers an event, applies reduce(), and hands the event on; it decides nothing by itself.
import type {
  AssignmentRef,
  EngineEvent,
  EngineEventBody,
  Failure,
  JobEnd,
  PartitionRef,
  WorkerRegistration,
} from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { type EngineState, emptyState } from '../contract/state.ts';
import { type Clock, systemClock } from './clock.ts';
import { GpuLease } from './gpu-lease.ts';

export type Listener = (event: EngineEvent, state: EngineState) => void;

/** A registration without its id, which the tracker gives. */
export type NewWorker = Omit<WorkerRegistration, 'worker'>;
export type NewJob = Omit<EngineEventBody & { type: 'jobSubmitted' }, 'type' | 'wallMs'>;

export class StatusTracker {
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  #state: EngineState = emptyState;
  readonly #onBroken: (problem: unknown) => void;
  #assignments = 0;

  constructor(clock: Clock = systemClock, onBroken: (problem: unknown) => void = () => {}) {
    this.#clock = clock;
    this.#onBroken = onBroken;
  }

  /** The state now. It never changes afterwards: a later one is another object. */
  snapshot(): EngineState {
    return this.#state;
  }

  /**
   * Calls `listener` after each event, with the state after it. Returns what ends that. A listener that throws is not called again, so that
   * a broken view cannot stop the engine; its error goes to the constructor's `onBroken`.
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Numbers the event, applies it, and hands it on. */
  emit(body: EngineEventBody): EngineEvent {
    const event = { ...body, seq: this.#state.seq + 1, at: Math.max(this.#state.at, this.#clock.now()) } as EngineEvent;
    const state = reduce(this.#state, event);
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener(event, state);
      } catch (problem) {
        this.#listeners.delete(listener);
        this.#onBroken(problem);
      }
    }
    return event;
  }

  /** Registers workers of any kind; returns their ids, which are global and sequential. */
  registerWorkers(workers: NewWorker[]): number[] {
    const first = this.#state.workers.length;
    const registered = workers.map((worker, i) => ({ ...worker, worker: first + i }));
    this.emit({ type: 'workersRegistered', workers: registered, wallMs: this.#clock.wallMs() });
    return registered.map(({ worker }) => worker);
  }

  registerJob(job: NewJob): void {
    this.emit({ type: 'jobSubmitted', ...job, wallMs: this.#clock.wallMs() });
  }

  /** A synthesis worker, or a monolithic one, computes or checks the partition's witness. */
  partitionWitnessStart(worker: number, ref: PartitionRef): void {
    this.emit({ type: 'witnessStarted', worker, ...partitionOf(ref) });
  }

  partitionSynthStart(worker: number, ref: PartitionRef): void {
    this.emit({ type: 'synthesisStarted', worker, ...partitionOf(ref) });
  }

  /** `done`: whether there is a synthesis now. */
  partitionSynthEnd(worker: number, ref: PartitionRef, done: boolean): void {
    this.emit({ type: 'synthesisEnded', worker, ...partitionOf(ref), done });
  }

  /**
   * A device worker takes a partition. Both kinds of loop hold the lease with `using`, so that the assignment ends on every way out: an
   * end that the loop forgot, or that an exception skipped, is reported when the lease is disposed.
   */
  partitionGpuStart(worker: number, ref: PartitionRef): GpuLease {
    this.#assignments++;
    const take: AssignmentRef = { ...partitionOf(ref), worker, assignment: this.#assignments };
    this.emit({ type: 'deviceStarted', ...take });
    return new GpuLease(take, (body) => this.emit(body));
  }

  /** The raw end of an assignment, for what has no lease at hand: a late report, a device's loss. */
  partitionGpuEnd(take: AssignmentRef, error?: Failure): void {
    this.emit(error ? { type: 'partitionFailed', ...take, error } : { type: 'partitionDone', ...take });
  }

  /** A partition that no device worker has. */
  partitionFailed(ref: PartitionRef, error: Failure): void {
    this.emit({ type: 'partitionFailed', ...partitionOf(ref), error });
  }

  /** Back to the queue, to be tried again; of a partition that no device worker has. */
  partitionRetried(ref: PartitionRef, attempt: number, reason: Failure): void {
    this.emit({ type: 'partitionRetried', ...partitionOf(ref), attempt, reason });
  }

  jobCompleted(job: string, end: JobEnd, error?: Failure): void {
    this.emit({ type: 'jobEnded', job, end, ...(error ? { error } : {}) });
  }
}

const partitionOf = ({ job, partition }: PartitionRef): PartitionRef => ({ job, partition });
