// One take of one partition by one device worker, as the loops hold it: `using lease = tracker.partitionGpuStart(...)`.
//
// The device's part and the finalizer's are separate: release() frees the worker and hands the proof to its finalizer, which goes on with
// a lease of its own while the worker takes the next partition.
import type { AssignmentRef, EngineEvent, EngineEventBody, Failure } from '../contract/events.ts';

/** What a lease reports when a loop leaves it without saying how its partition ended. */
export const leaseDropped: Failure = {
  code: 'LeaseDropped',
  message: 'the worker left the partition without saying how it ended',
  remedy: 'this is a bug: please report it with the log',
};

type Emit = (body: EngineEventBody) => EngineEvent;

/** The finalizer's half, and what both halves have in common: an assignment that ends once, on every way out. */
export class FinalizerLease implements Disposable {
  readonly take: AssignmentRef;
  protected readonly emit: Emit;
  protected ended = false;

  constructor(take: AssignmentRef, emit: Emit) {
    this.take = take;
    this.emit = emit;
  }

  verifying(): void {
    if (!this.ended) this.emit({ type: 'verifyStarted', ...this.take });
  }

  /** The partition is proved and verified. */
  done(timings?: Readonly<Record<string, number>>): void {
    this.#end({ type: 'partitionDone', ...this.take, ...(timings ? { timings } : {}) });
  }

  /** The partition goes back to the queue, to be tried again as that attempt. */
  retried(attempt: number, reason: Failure): void {
    this.#end({ type: 'partitionRetried', ...this.take, attempt, reason });
  }

  failed(error: Failure): void {
    this.#end({ type: 'partitionFailed', ...this.take, error });
  }

  cancelled(): void {
    this.#end({ type: 'partitionCancelled', ...this.take });
  }

  [Symbol.dispose](): void {
    this.failed(leaseDropped);
  }

  #end(body: EngineEventBody): void {
    if (this.ended) return;
    this.ended = true;
    this.emit(body);
  }
}

/** The device's half. A monolithic worker ends it as it is; a pipelined one releases it. */
export class GpuLease extends FinalizerLease {
  /** The device's lock is held: kernels run. */
  kernels(): void {
    if (!this.ended) this.emit({ type: 'kernelsStarted', ...this.take });
  }

  /** The kernels have ended, and the worker finishes the proof itself. */
  finalizing(): void {
    if (!this.ended) this.emit({ type: 'finalizingStarted', ...this.take });
  }

  /** The device is free. From here on the partition ends by the lease that is returned, and this one ends nothing. */
  release(): FinalizerLease {
    if (this.ended) throw new Error(`assignment ${this.take.assignment} has left the device already`);
    this.ended = true;
    this.emit({ type: 'deviceReleased', ...this.take });
    return new FinalizerLease(this.take, this.emit);
  }
}
