// The worker loops, in the order in which a partition meets them: synthesis, device, finalizer; and the monolithic one beside them.
//
// Each takes an entry, works for it, hands it on, and takes the next. What an entry needs is held with `using`, so that every way out gives
// it back. A loop never throws for what happens to one partition: that ends the partition, and through it the job.
import type { LoadedCircuit, PendingProof, ProofResult, Prover, Synthesis } from '../prover/prover.ts';
import type { DeviceLock } from './device-lock.ts';
import type { FinalizerLease } from './gpu-lease.ts';
import { type Entry, failureOf } from './job.ts';
import type { PartitionQueue } from './partition-queue.ts';
import type { Residency } from './residency.ts';
import type { Slots } from './slots.ts';
import type { StatusTracker } from './status-tracker.ts';

/** A partition between synthesis and device, with all that it holds. */
export interface Synthesized extends Entry {
  readonly synthesis: Synthesis;
  /** Its place ahead of the device, given up when a device worker takes it. */
  readonly place: Disposable;
  readonly holds: DisposableStack;
}

export interface Floor {
  readonly tracker: StatusTracker;
  readonly prover: Pick<Prover, 'synthesize' | 'proveStart' | 'proveFinish' | 'prove'>;
  readonly residency: Residency;
  readonly lock: DeviceLock;
  readonly waiting: PartitionQueue<Entry>;
  readonly monolithic: PartitionQueue<Entry>;
  readonly synthesized: PartitionQueue<Synthesized>;
  /** Places for partitions that are synthesized ahead of the device. */
  readonly ahead: Slots;
  /** A partition is proved and verified. */
  proved(entry: Entry, proof: ProofResult): void;
  /** A partition failed, which the tracker was told: so does its job. */
  failed(entry: Entry, problem: unknown): void;
  /** Finalizers run by themselves; shutdown waits for them. */
  unattended(work: Promise<void>): void;
}

const refOf = ({ job, partition }: Entry) => ({ job: job.id, partition });

/** The key and the memory of one proof: what a partition must hold before anything is computed for it. */
async function provide({ tracker, residency }: Floor, entry: Entry, holds: DisposableStack): Promise<LoadedCircuit> {
  const { job, partition } = entry;
  const ref = refOf(entry);
  const use = await residency.use(job.circuit, `${job.id}/${partition}`, {
    priority: job.priority,
    signal: job.signal,
    onMemoryWait: (bytes) => tracker.emit({ type: 'memoryWaitStarted', bytes, ...ref }),
    onMemoryGranted: () => tracker.emit({ type: 'memoryGranted', ...ref }),
    onKeyWait: () => tracker.emit({ type: 'keyWaitStarted', ...ref }),
    onKeyReady: () => tracker.emit({ type: 'keyReady', ...ref }),
  });
  return holds.use(use).circuit;
}

export async function synthesisLoop(floor: Floor, worker: number): Promise<void> {
  for (;;) {
    // Before taking: the most urgent partition is chosen when there is room for it, not earlier.
    using holds = new DisposableStack();
    const place = holds.use(await floor.ahead.acquire());
    const entry = await floor.waiting.take();
    if (!entry) return;
    await synthesizeOne(floor, worker, entry, place, holds.move());
  }
}

async function synthesizeOne(floor: Floor, worker: number, entry: Entry, place: Disposable, held: DisposableStack): Promise<void> {
  const { tracker, prover } = floor;
  using holds = held;
  try {
    const circuit = await provide(floor, entry, holds);
    tracker.partitionSynthStart(worker, refOf(entry));
    let synthesis: Synthesis;
    try {
      synthesis = holds.use(await prover.synthesize(circuit, entry.witness, { signal: entry.job.signal }));
    } finally {
      tracker.partitionSynthEnd(worker, refOf(entry));
    }
    if (!entry.job.isTerminal) floor.synthesized.push({ ...entry, synthesis, place, holds: holds.move() });
  } catch (problem) {
    failUnassigned(floor, entry, problem);
  }
}

export async function pipelinedLoop(floor: Floor, worker: number): Promise<void> {
  for (let next = await floor.synthesized.take(); next; next = await floor.synthesized.take()) await proveOne(floor, worker, next);
}

async function proveOne(floor: Floor, worker: number, entry: Synthesized): Promise<void> {
  const { tracker, prover, lock } = floor;
  using holds = entry.holds.move();
  entry.place[Symbol.dispose]();
  if (entry.job.isTerminal) return;
  using lease = tracker.partitionGpuStart(worker, refOf(entry));
  try {
    const pending = holds.use(await lockedProveStart());
    // The device is free: the rest is the finalizer's, which nobody here waits for.
    floor.unattended(finalize(floor, entry, lease.release(), pending, holds.move()));
  } catch (problem) {
    endLease(lease, entry, problem);
    floor.failed(entry, problem);
  }

  async function lockedProveStart(): Promise<PendingProof> {
    using _held = await lock.acquire(entry, entry.job.signal);
    lease.kernels();
    return await prover.proveStart(entry.synthesis, { signal: entry.job.signal });
  }
}

async function finalize(
  floor: Floor,
  entry: Entry,
  half: FinalizerLease,
  pending: PendingProof,
  held: DisposableStack,
): Promise<void> {
  using _holds = held;
  using lease = half;
  try {
    const proof = await floor.prover.proveFinish(pending, { signal: entry.job.signal });
    lease.done();
    floor.proved(entry, proof);
  } catch (problem) {
    endLease(lease, entry, problem);
    floor.failed(entry, problem);
  }
}

export async function monolithicLoop(floor: Floor, worker: number): Promise<void> {
  for (let entry = await floor.monolithic.take(); entry; entry = await floor.monolithic.take())
    await proveWhole(floor, worker, entry);
}

async function proveWhole(floor: Floor, worker: number, entry: Entry): Promise<void> {
  using holds = new DisposableStack();
  let circuit: LoadedCircuit;
  try {
    circuit = await provide(floor, entry, holds);
  } catch (problem) {
    failUnassigned(floor, entry, problem);
    return;
  }
  if (entry.job.isTerminal) return;
  using lease = floor.tracker.partitionGpuStart(worker, refOf(entry));
  try {
    using _held = await floor.lock.acquire(entry, entry.job.signal);
    lease.kernels();
    const proof = await floor.prover.prove(circuit, entry.witness, { signal: entry.job.signal });
    lease.done();
    floor.proved(entry, proof);
  } catch (problem) {
    endLease(lease, entry, problem);
    floor.failed(entry, problem);
  }
}

/** A partition that no device worker has yet fails; of a job that has ended, the failure is only an echo. */
function failUnassigned(floor: Floor, entry: Entry, problem: unknown): void {
  if (!entry.job.isTerminal) floor.tracker.partitionFailed(refOf(entry), failureOf(problem));
  floor.failed(entry, problem);
}

/** A job that ended stopped its work: then the partition was cancelled, whatever the stopped call says. */
function endLease(lease: FinalizerLease, entry: Entry, problem: unknown): void {
  if (entry.job.isTerminal) lease.cancelled();
  else lease.failed(failureOf(problem));
}
