// The engine: jobs in, proofs out, and an event for everything in between.
import { CuzkError } from '../contract/errors.ts';
import type { Failure, JobEnd } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';
import type { ProofResult } from '../prover/prover.ts';
import { Budget } from './budget.ts';
import { DeviceLock } from './device-lock.ts';
import { type Entry, failureOf, Job, type JobOutcome, type JobRequest } from './job.ts';
import { type Floor, monolithicLoop, pipelinedLoop, type Synthesized, synthesisLoop } from './loops.ts';
import { PartitionQueue } from './partition-queue.ts';
import { type KeyLoader, Residency } from './residency.ts';
import { Slots } from './slots.ts';
import { type Clock, type Listener, StatusTracker, systemClock } from './status-tracker.ts';

export interface EngineOptions {
  prover: Floor['prover'];
  keys: KeyLoader;
  /** The device that everything runs on. */
  device: string;
  /** All that keys and proofs may take, in bytes. */
  memoryBytes: number;
  synthesisWorkers?: number;
  /** Two by default: the CPU part of one overlaps the kernels of the other. */
  deviceWorkers?: number;
  monolithicWorkers?: number;
  /** Partitions that are synthesized ahead of the device. */
  lookahead?: number;
  clock?: Clock;
}

export class Engine {
  readonly #tracker: StatusTracker;
  readonly #floor: Floor;
  readonly #jobs = new Map<string, Job>();
  /** Jobs by request key, and what was asked under it. */
  readonly #requests = new Map<string, { job: string; content: string }>();
  readonly #loops: Promise<void>[] = [];
  readonly #finalizers = new Set<Promise<void>>();
  #submitted = 0;
  #stopping = false;

  constructor({ prover, keys, device, memoryBytes, clock = systemClock, ...counts }: EngineOptions) {
    const { synthesisWorkers = 1, deviceWorkers = 2, monolithicWorkers = 1, lookahead = 2 } = counts;
    const tracker = new StatusTracker(clock);
    this.#tracker = tracker;
    const budget: Budget = new Budget({
      bytes: memoryBytes,
      onHeld: (owner, bytes) => tracker.emit({ type: 'memoryHeld', owner, bytes }),
      reclaim: (bytes, keep) => residency.reclaim(bytes, keep),
    });
    const residency = new Residency(keys, budget, tracker, device);
    this.#floor = {
      tracker,
      prover,
      residency,
      lock: new DeviceLock(),
      waiting: new PartitionQueue<Entry>(),
      monolithic: new PartitionQueue<Entry>(),
      synthesized: new PartitionQueue<Synthesized>(),
      ahead: new Slots(lookahead),
      proved: (entry, proof) => this.#proved(entry, proof),
      failed: (entry, problem) => this.#failed(entry, problem),
      unattended: (work) => {
        this.#finalizers.add(work);
        work.finally(() => this.#finalizers.delete(work));
      },
    };
    const kinds = [
      ...Array.from({ length: synthesisWorkers }, () => ({ kind: 'synthesis' as const })),
      ...Array.from({ length: deviceWorkers }, () => ({ kind: 'pipelined' as const, device })),
      ...Array.from({ length: monolithicWorkers }, () => ({ kind: 'monolithic' as const, device })),
    ];
    const loops = { synthesis: synthesisLoop, pipelined: pipelinedLoop, monolithic: monolithicLoop };
    for (const worker of tracker.registerWorkers(kinds)) this.#loops.push(loops[kinds[worker]!.kind](this.#floor, worker));
  }

  snapshot(): EngineState {
    return this.#tracker.snapshot();
  }
  subscribe(listener: Listener): () => void {
    return this.#tracker.subscribe(listener);
  }

  /**
   * Takes a job and returns its id. The same `requestKey` with the same content attaches to the job that has it; with other content it
   * throws `RequestKeyInUse`. Throws `EngineStopped` after shutdown() began.
   */
  submit(request: JobRequest, requestKey?: string): string {
    if (this.#stopping)
      throw new CuzkError('EngineStopped', 'the engine is being shut down and takes no more jobs', { remedy: 'start it again' });
    if (request.witnesses.length === 0)
      throw new CuzkError('JobEmpty', 'a job needs at least one witness', { remedy: 'name a witness' });
    const content = JSON.stringify(request, (_, value) => (value instanceof Uint8Array ? [...value] : value));
    const known = requestKey === undefined ? undefined : this.#requests.get(requestKey);
    if (known) {
      if (known.content === content) return known.job;
      throw new CuzkError('RequestKeyInUse', `the request key ${requestKey} belongs to another job`, {
        remedy: 'use a new key for a new job',
      });
    }
    this.#submitted++;
    const job = new Job(`job-${this.#submitted}`, this.#submitted, request);
    this.#jobs.set(job.id, job);
    if (requestKey !== undefined) this.#requests.set(requestKey, { job: job.id, content });
    const { id, kind, circuit, priority, mode } = job;
    const deadline = request.deadlineAt === undefined ? {} : { deadlineAt: request.deadlineAt };
    this.#tracker.registerJob({ job: id, kind, circuit, partitions: job.entries.length, priority, mode, ...deadline });
    const queue = mode === 'pipelined' ? this.#floor.waiting : this.#floor.monolithic;
    for (const entry of job.entries) queue.push(entry);
    return id;
  }

  /** Resolves when the job is terminal; never rejects for a job that is known. */
  await(job: string): Promise<JobOutcome> {
    return this.#known(job).ended;
  }

  /** Makes the job terminal at once; what runs for it stops. Says whether it did: false for a job that was terminal. */
  cancel(job: string): boolean {
    return this.#finish(this.#known(job), 'cancelled');
  }

  /** Takes no more jobs, ends those that are not terminal as `interrupted`, and resolves when no loop or finalizer runs any more and no key is in memory. */
  async shutdown(): Promise<void> {
    this.#stopping = true;
    for (const job of this.#jobs.values()) this.#finish(job, 'interrupted');
    const { waiting, monolithic, synthesized } = this.#floor;
    for (const queue of [waiting, monolithic, synthesized]) queue.close();
    await Promise.all(this.#loops);
    // The loops' last finalizers are known only now.
    await Promise.all(this.#finalizers);
    await this.#floor.residency.close();
  }

  #known(id: string): Job {
    const job = this.#jobs.get(id);
    if (!job) throw new CuzkError('JobUnknown', `there is no job ${id}`, { remedy: 'list the jobs that there are' });
    return job;
  }

  #proved({ job, partition }: Entry, proof: ProofResult): void {
    if (!job.isTerminal && job.proved(partition, proof)) this.#finish(job, 'succeeded');
  }

  /** One partition's failure ends its job; of a job that has ended, it is only the echo. */
  #failed({ job }: Entry, problem: unknown): void {
    this.#finish(job, 'failed', failureOf(problem));
  }

  #finish(job: Job, end: JobEnd, error?: Failure): boolean {
    if (!job.finish(end, error)) return false;
    // What was queued for it goes at once, with all that it held.
    const mine = (entry: Entry) => entry.job === job;
    this.#floor.waiting.remove(mine);
    this.#floor.monolithic.remove(mine);
    for (const { holds } of this.#floor.synthesized.remove(mine)) holds.dispose();
    this.#tracker.jobCompleted(job.id, end, error);
    return true;
  }
}
