// The engine: jobs in, proofs out, and an event for everything in between.
import type { CommandResults, JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import type { DeviceDescription, Failure, JobEnd } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';
import type { KeyLoader } from '../prover/keys.ts';
import type { ProofResult } from '../prover/prover.ts';
import { buildFloor } from './build-floor.ts';
import { type Clock, systemClock } from './clock.ts';
import type { DeviceLine } from './device-line.ts';
import type { EngineProver, Floor, WitnessPreparer } from './floor.ts';
import { type Entry, failureOf, Job, type JobOutcome, type ProofListener } from './job.ts';
import type { Journal } from './journal.ts';
import { monolithicLoop, pipelinedLoop, synthesisLoop } from './loops.ts';
import { Measuring } from './measuring.ts';
import { Requests } from './requests.ts';
import { Retention } from './retention.ts';
import { settle } from './settle.ts';
import { type Listener, StatusTracker } from './status-tracker.ts';
import { supervise } from './supervise.ts';

export interface EngineDevice extends DeviceDescription {
  /** Its kernels run on the threads that synthesis uses too. */
  usesHostThreads: boolean;
  /** A device call without progress for so long is taken for hung; undefined: never. */
  hangMs?: number | undefined;
}

export interface EngineOptions {
  prover: EngineProver;
  keys: KeyLoader;
  devices: EngineDevice[];
  /** All that keys and proofs may take together, in bytes. */
  memoryBytes: number;
  /** Makes witnesses; without it every partition must come with one. */
  witnesses?: WitnessPreparer | undefined;
  journal?: Journal | undefined;
  /** Whether each of the prover's computations uses all threads of the machine, so that only one should run at a time. */
  sharesThreads?: boolean;
  /** One per device by default. */
  synthesisWorkers?: number;
  /** Per device, two by default: the CPU part of one overlaps the kernels of the other. */
  deviceWorkers?: number;
  /** Per device, one by default. */
  monolithicWorkers?: number;
  /** Partitions on their way to each device; two by default. */
  lookahead?: number;
  /** Terminal jobs that stay in the live state: 1,000, for 24 hours, by default. */
  keepJobs?: number;
  keepMs?: number;
  clock?: Clock;
  /** The process's memory in bytes, measured once a second while there is work; not measured if it is left out. */
  measureRss?: (() => number) | undefined;
  /** Told of what broke without a job to blame: a listener that threw. */
  onBroken?: (problem: unknown) => void;
}

export interface SubmitOptions {
  onProof?: ProofListener | undefined;
  /** The job that this one does again, and the proofs of its that are taken over. */
  retryOf?: string | undefined;
  restored?: ReadonlyMap<number, ProofResult> | undefined;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #tracker: StatusTracker;
  readonly #floor: Floor;
  readonly #jobs = new Map<string, Job>();
  readonly #requests = new Requests();
  readonly #retention: Retention;
  readonly #measuring: Measuring;
  readonly #loops: Promise<void>[] = [];
  readonly #unattended = new Set<Promise<void>>();
  /** Stops what is done for no job. */
  readonly #errands = new AbortController();
  #submitted = 0;
  #state: 'new' | 'running' | 'draining' | 'stopping' = 'new';

  constructor(options: EngineOptions) {
    const { clock = systemClock, keepJobs = 1000, keepMs = 24 * 3_600_000, measureRss } = options;
    this.#options = options;
    this.#clock = clock;
    this.#tracker = new StatusTracker(clock, options.onBroken);
    this.#retention = new Retention({ clock, mostJobs: keepJobs, mostMs: keepMs, forget: (job) => this.#forget(job) });
    this.#measuring = new Measuring(clock, measureRss, (rssBytes) => this.#tracker.emit({ type: 'memoryMeasured', rssBytes }));
    this.#floor = buildFloor(options, this.#tracker, clock, {
      keep: async ({ job, partition }, proof) => options.journal?.keep(job.id, partition, proof),
      proved: (entry, proof) => this.#proved(entry, proof),
      failed: ({ job }, problem) => this.#fail(job, problem),
      deviceFailed: (line, problem) => this.#deviceFailed(line, problem),
      unattended: (work) => {
        // Nobody waits for it, so nobody would hear of what it throws, which only a fault of the program can make it do.
        const watched: Promise<void> = work
          .catch((problem) => options.onBroken?.(problem))
          .finally(() => this.#unattended.delete(watched));
        this.#unattended.add(watched);
      },
    });
  }

  /** Registers devices and workers and begins to work. */
  start(): this {
    if (this.#state !== 'new') throw new Error('the engine was started before');
    this.#state = 'running';
    const { devices, memoryBytes: budgetBytes, ...counts } = this.#options;
    const { synthesisWorkers = devices.length, deviceWorkers = 2, monolithicWorkers = 1 } = counts;
    const described = devices.map(({ device, name, memoryBytes }) => ({ device, name, memoryBytes }));
    this.#tracker.emit({ type: 'engineStarted', budgetBytes, devices: described, wallMs: this.#clock.wallMs() });
    const floor = this.#floor;
    const begin = (kind: 'synthesis' | 'pipelined' | 'monolithic', count: number, line?: DeviceLine) => {
      const device = line ? { device: line.device } : {};
      const workers = this.#tracker.registerWorkers(Array.from({ length: count }, () => ({ kind, ...device })));
      for (const worker of workers) {
        const loop = supervise(floor, worker, line, (hand) => {
          if (!line) return synthesisLoop(floor, worker, hand);
          return kind === 'pipelined' ? pipelinedLoop(floor, worker, hand, line) : monolithicLoop(floor, worker, hand, line);
        });
        this.#loops.push(loop);
      }
    };
    begin('synthesis', synthesisWorkers);
    for (const line of floor.lines) begin('pipelined', deviceWorkers, line);
    for (const line of floor.lines) begin('monolithic', monolithicWorkers, line);
    return this;
  }

  snapshot(): EngineState {
    return this.#tracker.snapshot();
  }
  subscribe(listener: Listener): () => void {
    return this.#tracker.subscribe(listener);
  }

  /**
   * Takes a job. The same request key with the same content attaches to the job that has it; with other content it rejects with
   * `RequestKeyInUse`. What can never be proved here is refused now: a file that is no key, `MemoryNeverFits` with the numbers, `NoDevice`;
   * `EngineStopped` after shutdown() began.
   */
  async submit({ requestKey, ...content }: JobRequest, options: SubmitOptions = {}): Promise<CommandResults['submit']> {
    const begin = () => this.#submit({ ...content, ...(requestKey === undefined ? {} : { requestKey }) }, options);
    if (requestKey !== undefined) return await this.#requests.once(requestKey, content, begin);
    return { job: await begin(), attached: false };
  }

  async #submit(request: JobRequest, { onProof, retryOf, restored }: SubmitOptions): Promise<string> {
    this.#requireRunning();
    if (request.partitions.length === 0)
      throw new CuzkError('JobEmpty', 'a job needs at least one partition', { remedy: 'name a witness' });
    const { journal, keys } = this.#options;
    const key = await keys.look(request.circuit.zkey);
    this.#floor.residency.requireFits(key);
    const avoid = this.#othersThan(request.device);
    const order = ++this.#submitted;
    const id = journal?.newJobId() ?? `job-${order}`;
    await journal?.accept(id, request, retryOf);
    // It is in the journal now: whatever happened meanwhile, it must come to an end there too.
    const refusal = this.#refusal(request.device);
    const deadlineAt = request.deadlineMs === undefined ? undefined : this.#clock.now() + request.deadlineMs;
    const job = new Job(request, { id, order, key, deadlineAt, avoid, onProof });
    this.#jobs.set(id, job);
    const { kind, priority, mode } = job;
    const more = { ...(deadlineAt === undefined ? {} : { deadlineAt }), ...(retryOf === undefined ? {} : { retryOf }) };
    const partitions = job.entries.length;
    this.#tracker.registerJob({ job: id, kind, circuit: key.path, partitions, priority, mode, ...more });
    if (refusal) {
      this.#finish(job, 'interrupted', failureOf(refusal), refusal);
      throw refusal;
    }
    this.#measuring.busy(job.ended);
    for (const [partition, proof] of restored ?? []) this.#restore(job, partition, proof);
    this.#floor.scheduler.push(...job.entries.filter(({ partition }) => !restored?.has(partition)));
    return id;
  }

  /** Resolves when the job is terminal. Rejects with `JobUnknown`, also for a job that was forgotten. */
  async await(job: string): Promise<JobOutcome> {
    return await this.#known(job).ended;
  }

  /** Makes the job terminal at once; what runs for it stops. Says whether it did: false for a job that was terminal. */
  cancel(job: string): boolean {
    return this.#finish(this.#known(job), 'cancelled');
  }

  /** Submits a terminal job's content again, as a new job that keeps the proofs that there are. Rejects with `JobRunning`. */
  async retry(id: string, requestKey?: string, options: Pick<SubmitOptions, 'onProof'> = {}): Promise<CommandResults['retry']> {
    const job = this.#known(id);
    if (!job.isTerminal)
      throw new CuzkError('JobRunning', `the job ${id} has not ended`, { remedy: 'wait for it, or cancel it first' });
    const { requestKey: _, ...content } = job.request;
    const request = requestKey === undefined ? content : { ...content, requestKey };
    const all = job.proofs.size === job.entries.length;
    return await this.submit(request, { ...options, retryOf: id, restored: all ? undefined : job.proofs });
  }

  /** Loads a key onto a device, or onto all; resolves with the devices that have it. Rejects as submit() does, with `DeviceUnknown` besides. */
  async preload(circuit: string, device?: string): Promise<string[]> {
    this.#requireRunning();
    const key = await this.#options.keys.look(circuit);
    this.#floor.residency.requireFits(key);
    const lines = this.#linesOf(device).filter(({ isFaulted }) => !isFaulted);
    const { signal } = this.#errands;
    const load = (line: DeviceLine) => this.#floor.residency.preload(key, line.device, { signal });
    const loads = Promise.allSettled(lines.map(load));
    this.#floor.unattended(loads.then(() => {}));
    for (const one of await loads) if (one.status === 'rejected') throw one.reason;
    return lines.map((line) => line.device);
  }

  /** Takes a key that nobody uses out of memory; says from which devices. */
  evict(circuit: string, device?: string): string[] {
    const lines = this.#linesOf(device).filter((line) => this.#floor.residency.evict(circuit, line.device));
    this.#floor.scheduler.match();
    return lines.map((line) => line.device);
  }

  /**
   * Takes no more jobs; with `drain`, waits for those that there are; ends those that are not terminal as `interrupted`, and resolves when no
   * loop or finalizer runs any more and no key is in memory. A device that does not answer within `graceMs` is not waited for.
   */
  async shutdown({ drain = false, graceMs = 10_000 }: { drain?: boolean; graceMs?: number } = {}): Promise<void> {
    this.#state = 'draining';
    if (drain) await Promise.all([...this.#jobs.values()].map(({ ended }) => ended));
    this.#state = 'stopping';
    this.#errands.abort();
    for (const job of this.#jobs.values()) this.#finish(job, 'interrupted');
    const { admitted, lines, residency, clock } = this.#floor;
    for (const queue of [admitted, ...lines.flatMap(({ synthesized, whole }) => [synthesized, whole])]) queue.close();
    const ended = new AbortController();
    const hung = new CuzkError('DeviceHung', 'the device did not stop when the engine was shut down');
    clock.sleep(graceMs, ended.signal).then(
      () => {
        for (const line of lines) this.#deviceFailed(line, hung);
      },
      () => {},
    );
    await Promise.all(this.#loops);
    // The loops' last finalizers are known only now.
    await Promise.all(this.#unattended);
    await residency.close();
    ended.abort();
    this.#retention.stop();
    this.#measuring.stop();
  }

  #requireRunning(): void {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
  }

  /** Why no job, or none for that device, can be taken now. */
  #refusal(device?: string): CuzkError | undefined {
    if (this.#state !== 'running')
      return new CuzkError('EngineStopped', 'the engine is being shut down and takes no more jobs', { remedy: 'start it again' });
    const lines = this.#linesOf(device);
    if (lines.some(({ isFaulted }) => !isFaulted)) return undefined;
    const reason = failureOf(lines[0]?.fault.reason).message;
    return new CuzkError(
      'NoDevice',
      `${device ?? 'no device'} ${device ? 'cannot prove any more' : 'is left to prove on'}: ${reason}`,
      { remedy: 'restart cuzk, and see cuzk devices' },
    );
  }

  #known(id: string): Job {
    const job = this.#jobs.get(id);
    if (!job) throw new CuzkError('JobUnknown', `there is no job ${id}`, { remedy: 'list the jobs that there are' });
    return job;
  }

  /** The devices that a job which asks for one must not go to. Throws `DeviceUnknown`, or `NoDevice` for one that is out of order. */
  #othersThan(device: string | undefined): string[] {
    if (device === undefined) return [];
    const refusal = this.#refusal(device);
    if (refusal) throw refusal;
    return this.#floor.lines.map((line) => line.device).filter((one) => one !== device);
  }

  #linesOf(device: string | undefined): DeviceLine[] {
    const { lines } = this.#floor;
    if (device === undefined) return [...lines];
    const line = lines.find((one) => one.device === device);
    if (!line) {
      const names = lines.map((one) => one.device).join(', ');
      throw new CuzkError('DeviceUnknown', `there is no device ${device}`, { remedy: `there is ${names}` });
    }
    return [line];
  }

  #restore(job: Job, partition: number, proof: ProofResult): void {
    this.#tracker.emit({ type: 'partitionRestored', job: job.id, partition });
    if (job.proved(partition, proof)) this.#finish(job, 'succeeded');
  }

  #proved({ job, partition, suspect }: Entry, proof: ProofResult): void {
    if (!job.isTerminal && job.proved(partition, proof)) this.#finish(job, 'succeeded');
    const wrong = this.#floor.lines.find(({ device }) => device === suspect);
    if (wrong) {
      const message = `${wrong.device} made a proof that does not verify, and another device proved the same`;
      this.#deviceFailed(
        wrong,
        new CuzkError('DeviceWrongProof', message, { remedy: 'see docs/errors.md: the card, its driver, or its memory' }),
      );
    }
  }

  #deviceFailed(line: DeviceLine, problem: unknown): void {
    if (line.isFaulted) return;
    const { admitted, scheduler, tracker } = this.#floor;
    // Also what waits for its synthesis: the synthesis workers may be the ones that are gone.
    const ready = [...line.breakDown(problem), ...admitted.remove((one) => one.line === line)];
    const stopped = new CuzkError('Aborted', `the device ${line.device} is out of order`);
    for (const { entry, holds } of ready) {
      settle(this.#floor, entry, line, undefined, stopped);
      holds.dispose();
    }
    // Those that could only have gone there.
    for (const entry of scheduler.remove((one) => scheduler.linesFor(one).length === 0)) {
      if (entry.job.isTerminal) continue;
      tracker.partitionFailed({ job: entry.job.id, partition: entry.partition }, failureOf(problem));
      this.#fail(entry.job, problem);
    }
    scheduler.match();
  }

  #fail(job: Job, problem: unknown): void {
    this.#finish(job, 'failed', failureOf(problem), problem);
  }

  #finish(job: Job, end: JobEnd, error?: Failure, problem?: unknown): boolean {
    if (!job.finish(end, error, problem)) return false;
    // What was queued for it goes at once, with all that it held.
    const { scheduler, admitted, lines } = this.#floor;
    scheduler.remove((entry) => entry.job === job);
    const queued = [
      ...admitted.remove(({ entry }) => entry.job === job),
      ...lines.flatMap(({ whole }) => whole.remove(({ entry }) => entry.job === job)),
      ...lines
        .flatMap(({ synthesized }) => synthesized.remove(({ attempt }) => attempt.entry.job === job))
        .map(({ attempt }) => attempt),
    ];
    this.#tracker.jobCompleted(job.id, end, error);
    for (const { holds } of queued) holds.dispose();
    this.#retention.ended(job.id);
    return true;
  }

  #forget(id: string): void {
    const key = this.#jobs.get(id)?.request.requestKey;
    if (key !== undefined) this.#requests.forget(key);
    this.#jobs.delete(id);
    this.#tracker.emit({ type: 'jobForgotten', job: id });
  }
}
