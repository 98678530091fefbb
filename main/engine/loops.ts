// The way of one partition, top to bottom: admitted with its key and memory, synthesized, on the device, finalized; and, as one unit, by a
// monolithic worker.
//
// Each loop takes, works, hands on, and takes the next. What an attempt needs is held with `using`, so that every way out gives it back. A
// loop never throws for what happens to one partition: settle() ends the attempt, and through it the job, or sends it to another device.

import type { EngineEventBody } from '../contract/events.ts';
import { requireSecure } from '../prover/keys.ts';
import type { CallOptions, LoadedCircuit, PendingProof, Progress, ProofResult, Synthesis } from '../prover/prover.ts';
import type { DeviceLine } from './device-line.ts';
import { onDevice } from './device-watch.ts';
import type { Floor, PreparedWitness } from './floor.ts';
import type { FinalizerLease } from './gpu-lease.ts';
import type { Entry } from './job.ts';
import type { PartitionQueue, Queued } from './partition-queue.ts';
import type { KeyUse } from './residency.ts';
import { isDeviceFault, settle } from './settle.ts';

/** One try of one partition on one device, with all that it holds. */
export interface Attempt extends Queued {
  readonly entry: Entry;
  readonly line: DeviceLine;
  readonly use: KeyUse;
  readonly circuit: LoadedCircuit;
  /** Aborted when the job ends or the device is lost. */
  readonly signal: AbortSignal;
  /** The place on the line, given up when a device worker takes the partition. */
  readonly leavePlace: () => void;
  /** The partition does not depend on the device any more. */
  readonly leaveDevice: () => void;
  readonly holds: DisposableStack;
}

/** An attempt between synthesis and device. */
export interface Synthesized extends Queued {
  readonly attempt: Attempt;
  readonly synthesis: Synthesis;
  readonly prepared: PreparedWitness;
}

export const refOf = ({ job, partition }: Entry) => ({ job: job.id, partition });
const orderOf = ({ priority, deadlineAt, jobOrder, partition }: Queued): Queued => ({ priority, deadlineAt, jobOrder, partition });

/** The partition sets out for a device: its key and its memory first, since nothing may be computed without them. */
export async function admit(floor: Floor, entry: Entry, line: DeviceLine): Promise<void> {
  const { tracker, residency, scheduler } = floor;
  const { job } = entry;
  using holds = new DisposableStack();
  const stop = new AbortController();
  const bound = [job.underWay, line.underWay];
  for (const set of bound) set.add(stop);
  const isHot = residency.residencyOf(job.key, line.device) === 'hot';
  let leavePlace = isHot ? line.expect(entry) : line.load(entry);
  const leaveDevice = () => line.underWay.delete(stop);
  holds.defer(() => {
    for (const set of bound) set.delete(stop);
    leavePlace();
    scheduler.match();
  });
  try {
    const tell = teller(tracker, entry);
    const use = holds.use(
      await residency.use(job.key, line.device, `${job.id}/${entry.partition}`, {
        priority: job.priority,
        signal: stop.signal,
        onMemoryWait: (bytes) => tell({ type: 'memoryWaitStarted', bytes, ...refOf(entry) }),
        onMemoryGranted: () => tell({ type: 'memoryGranted', ...refOf(entry) }),
        onKeyWait: () => tell({ type: 'keyWaitStarted', ...refOf(entry) }),
        onKeyReady: () => tell({ type: 'keyReady', ...refOf(entry) }),
      }),
    );
    if (!isHot) {
      leavePlace();
      leavePlace = line.expect(entry);
    }
    const { circuit } = use;
    requireSecure(circuit.info, job.request.allowInsecureKey ?? false, job.key.path);
    stop.signal.throwIfAborted();
    const place = () => {
      leavePlace();
      scheduler.match();
    };
    const attempt = { ...orderOf(entry), entry, line, use, circuit, signal: stop.signal, leavePlace: place, leaveDevice };
    const queue = job.mode === 'pipelined' ? floor.admitted : line.whole;
    queue.push({ ...attempt, holds: holds.move() });
    // Others may go now that the key is here.
    scheduler.match();
  } catch (problem) {
    settle(floor, entry, line, undefined, problem);
  }
}

export async function synthesisLoop(floor: Floor, worker: number, hand: Hand): Promise<void> {
  for (let next = await floor.admitted.take(); next; next = await floor.admitted.take()) {
    hand.entry = next.entry;
    await synthesizeOne(floor, worker, next);
    hand.entry = undefined;
    hand.finished = true;
  }
}

/** What a loop is on: if the loop itself breaks, it is known whose work is lost. */
export interface Hand {
  entry?: Entry | undefined;
  /** Whether it has got through any entry. */
  finished?: boolean;
}

async function synthesizeOne(floor: Floor, worker: number, attempt: Attempt): Promise<void> {
  const { entry, line } = attempt;
  using holds = attempt.holds.move();
  try {
    const { synthesis, prepared } = await synthesize(floor, worker, attempt, floor.admitted);
    holds.use(synthesis);
    attempt.signal.throwIfAborted();
    line.synthesized.push({ ...orderOf(entry), attempt: { ...attempt, holds: holds.move() }, synthesis, prepared });
  } catch (problem) {
    settle(floor, entry, line, undefined, problem);
  }
}

/** Witness, then a, b and c; the worker, which serves `queue`, is free again whatever comes of it. */
async function synthesize(
  { tracker, prover, witnesses, threads }: Floor,
  worker: number,
  { entry, circuit, signal }: Attempt,
  queue: PartitionQueue<Attempt>,
): Promise<{ synthesis: Synthesis; prepared: PreparedWitness }> {
  signal.throwIfAborted();
  const ref = refOf(entry);
  const options = optionsOf(tracker, entry, signal);
  let busy = false;
  let done = false;
  try {
    if (witnesses.hasWork(entry.source)) {
      busy = true;
      tracker.partitionWitnessStart(worker, ref);
    }
    const prepared = await witnesses.prepare(entry.job, entry.source, options);
    if (threads?.isTaken) teller(tracker, entry)({ type: 'threadWaitStarted', ...ref });
    using _turn = await threads?.acquire(entry, signal, () => queue.first);
    // The turn may have come in the moment in which the job ended.
    signal.throwIfAborted();
    busy = true;
    tracker.partitionSynthStart(worker, ref);
    await prepared.check?.(options);
    const synthesis = await prover.synthesize(circuit, prepared.witness, options);
    done = !signal.aborted;
    return { synthesis, prepared };
  } finally {
    if (busy) tracker.partitionSynthEnd(worker, ref, done);
  }
}

export async function pipelinedLoop(floor: Floor, worker: number, hand: Hand, line: DeviceLine): Promise<void> {
  for (let next = await line.synthesized.take(); next; next = await line.synthesized.take()) {
    hand.entry = next.attempt.entry;
    await proveOne(floor, worker, next);
    hand.entry = undefined;
    hand.finished = true;
  }
}

async function proveOne(floor: Floor, worker: number, { attempt, synthesis, prepared }: Synthesized): Promise<void> {
  const { entry, line } = attempt;
  using holds = attempt.holds.move();
  attempt.leavePlace();
  if (entry.job.isTerminal) return;
  using lease = floor.tracker.partitionGpuStart(worker, refOf(entry));
  try {
    const pending = await kernels(floor, attempt, synthesis, { holds, queue: line.synthesized, onLocked: () => lease.kernels() });
    // The device is free: the rest is the finalizer's, which nobody here waits for.
    floor.unattended(finalize(floor, attempt, lease.release(), pending, prepared, holds.move()));
  } catch (problem) {
    settle(floor, entry, line, lease, explained(prepared, problem));
  }
}

/** The kernel region: one at a time on each device. `holds` goes with a call that never comes back; `queue` is what the worker serves. */
async function kernels(
  { tracker, prover, clock, deviceFailed }: Floor,
  attempt: Attempt,
  synthesis: Synthesis,
  {
    holds,
    queue,
    onLocked,
  }: { holds: DisposableStack; queue: Pick<PartitionQueue<Attempt> | PartitionQueue<Synthesized>, 'first'>; onLocked: () => void },
): Promise<PendingProof> {
  const { entry, line, signal, use } = attempt;
  using _held = await line.lock.acquire(entry, signal, () => queue.first);
  signal.throwIfAborted();
  onLocked();
  let pending: PendingProof;
  try {
    pending = await onDevice(clock, line, optionsOf(tracker, entry, signal), { holds, abandon: use.abandon }, (options) =>
      prover.proveStart(synthesis, line.device, options),
    );
  } catch (problem) {
    // Before the lock is given to whoever waits for it: nobody may begin anything on a lost device.
    if (isDeviceFault(problem)) deviceFailed(line, problem);
    throw problem;
  }
  holds.use(pending);
  attempt.leaveDevice();
  use.deviceDone();
  return pending;
}

async function finalize(
  floor: Floor,
  { entry, line, signal }: Attempt,
  half: FinalizerLease,
  pending: PendingProof,
  prepared: PreparedWitness,
  held: DisposableStack,
): Promise<void> {
  using _holds = held;
  using lease = half;
  try {
    await finish(floor, entry, lease, pending, signal);
  } catch (problem) {
    settle(floor, entry, line, lease, explained(prepared, problem));
  }
}

/** Assembled, verified, on disk; only then is the partition done. */
async function finish(
  floor: Floor,
  entry: Entry,
  lease: FinalizerLease,
  pending: PendingProof,
  signal: AbortSignal,
): Promise<void> {
  const onVerify = () => {
    if (!entry.job.isTerminal) lease.verifying();
  };
  const proof: ProofResult = await floor.prover.proveFinish(pending, { signal, onVerify });
  await floor.keep(entry, proof);
  signal.throwIfAborted();
  lease.done(proof.timings);
  floor.proved(entry, proof);
}

export async function monolithicLoop(floor: Floor, worker: number, hand: Hand, line: DeviceLine): Promise<void> {
  for (let next = await line.whole.take(); next; next = await line.whole.take()) {
    hand.entry = next.entry;
    await proveWhole(floor, worker, next);
    hand.entry = undefined;
    hand.finished = true;
  }
}

/** The same steps, one after the other, by one worker. */
async function proveWhole(floor: Floor, worker: number, attempt: Attempt): Promise<void> {
  const { entry, line } = attempt;
  using holds = attempt.holds.move();
  attempt.leavePlace();
  if (entry.job.isTerminal) return;
  let made: { synthesis: Synthesis; prepared: PreparedWitness };
  try {
    made = await synthesize(floor, worker, attempt, line.whole);
    holds.use(made.synthesis);
    attempt.signal.throwIfAborted();
  } catch (problem) {
    settle(floor, entry, line, undefined, problem);
    return;
  }
  using lease = floor.tracker.partitionGpuStart(worker, refOf(entry));
  try {
    const pending = await kernels(floor, attempt, made.synthesis, { holds, queue: line.whole, onLocked: () => lease.kernels() });
    // The kernels may have come to their end although the job had ended.
    attempt.signal.throwIfAborted();
    lease.finalizing();
    await finish(floor, entry, lease, pending, attempt.signal);
  } catch (problem) {
    settle(floor, entry, line, lease, explained(made.prepared, problem));
  }
}

/** With the names that the person knows; the problem itself where saying them fails. */
function explained({ explain }: PreparedWitness, problem: unknown): unknown {
  try {
    return explain ? explain(problem) : problem;
  } catch {
    return problem;
  }
}

function optionsOf(tracker: Floor['tracker'], entry: Entry, signal: AbortSignal): CallOptions {
  const tell = teller(tracker, entry);
  const onProgress = ({ phase, done, total }: Progress) =>
    tell({ type: 'partitionProgress', ...refOf(entry), step: phase, done, total });
  return { signal, onProgress };
}

/** Says what happens to a partition, as long as its job goes on: what still runs of a job that has ended is nobody's news. */
function teller(tracker: Floor['tracker'], { job }: Entry): (body: EngineEventBody) => void {
  return (body) => {
    if (!job.isTerminal) tracker.emit(body);
  };
}
