// What each event does to the tables. The states before and after it are those of reduce(); nothing about jobs is decided here.
import type { Database, Statement } from 'better-sqlite3';
import type { EngineEvent, JobEnd } from '../contract/events.ts';
import type { AttemptPhase } from '../contract/history.ts';
import {
  type EngineState,
  isTerminalJob,
  isTerminalPartition,
  type JobState,
  jobOf,
  type PartitionState,
  partitionOf,
  partitionsOf,
} from '../contract/state.ts';
import { EventStreams } from './event-streams.ts';
import { Facets } from './facets.ts';
import { attemptRow, insertAttempt, microseconds, timesOf } from './partition-rows.ts';
import { dayOf, Tallies } from './tallies.ts';

type OfJob = EngineEvent & { job: string };
const isOfJob = (event: EngineEvent): event is OfJob => 'job' in event;

export class EventRows {
  readonly #db: Database;
  readonly #isCounted: boolean;
  readonly #facets: Facets;
  readonly #streams: EventStreams;
  readonly #tallies = new Tallies();
  readonly #statements: Record<
    'find' | 'addJob' | 'describe' | 'end' | 'done' | 'attempt' | 'restore' | 'device' | 'addDevice' | 'circuit' | 'bytes',
    Statement
  >;

  /** `isCounted`: whether the jobs are in the totals. */
  constructor(db: Database, { isCounted = true }: { isCounted?: boolean } = {}) {
    this.#db = db;
    this.#isCounted = isCounted;
    this.#facets = new Facets(db);
    this.#streams = new EventStreams(db);
    this.#statements = {
      find: db.prepare('SELECT job FROM jobs WHERE id = ?').pluck(),
      addJob: db.prepare(
        `INSERT INTO jobs (id, facet, run, mode, partitions, submitted_ms, deadline_ms, retry_of, origin)
         VALUES (@id, @facet, @run, @mode, @partitions, @submittedMs, @deadlineMs, @retryOf, @origin)`,
      ),
      describe: db.prepare(
        'UPDATE jobs SET run = @run, mode = @mode, partitions = @partitions, submitted_ms = @submittedMs, deadline_ms = @deadlineMs WHERE job = @job',
      ),
      end: db.prepare('UPDATE jobs SET duration_us = ?, error = ? WHERE job = ?'),
      done: db.prepare('UPDATE jobs SET done = done + 1 WHERE job = ?'),
      attempt: db.prepare(insertAttempt),
      restore: db.prepare(
        `INSERT OR IGNORE INTO proofs SELECT @job, partition, format, proof, public FROM proofs
         WHERE job = (SELECT job FROM jobs WHERE id = (SELECT retry_of FROM jobs WHERE job = @job)) AND partition = @partition`,
      ),
      device: db.prepare('SELECT device FROM devices WHERE name = ?').pluck(),
      addDevice: db.prepare(
        `INSERT INTO devices (name, maker, memory_bytes) VALUES (@device, @name, @memoryBytes)
         ON CONFLICT DO UPDATE SET maker = coalesce(excluded.maker, maker), memory_bytes = coalesce(excluded.memory_bytes, memory_bytes)`,
      ),
      circuit: db.prepare(
        `INSERT OR REPLACE INTO circuits (circuit, curve, n_vars, n_public, domain_size, key_bytes, proof_bytes, insecure, opened_ms)
         VALUES (@circuit, @curve, @nVars, @nPublic, @domainSize, @keyBytes, @proofBytes, @insecure, @openedMs)`,
      ),
      bytes: db.prepare(
        `UPDATE jobs SET bytes =
           (SELECT coalesce(sum(length(data)), 0) FROM events WHERE job = @job)
           + (SELECT coalesce(sum(length(proof) + length(public)), 0) FROM proofs WHERE job = @job)
           + (SELECT coalesce(sum(length(data)), 0) FROM requests WHERE job = @job)
         WHERE job = @job`,
      ),
    };
  }

  /** The job's number by its id. */
  numberOf(id: string): number | undefined {
    return this.#statements.find.get(id) as number | undefined;
  }

  /** Adds a job that has not begun. Returns its number. */
  addJob(
    id: string,
    about: Pick<JobState, 'kind' | 'circuit' | 'priority' | 'mode'> & { partitions: number },
    when: { run: number; submittedMs: number; deadlineMs: number | null; retryOf: string | null; origin?: string },
  ): number {
    const { kind, circuit, priority, mode, partitions } = about;
    const facet = this.#facets.numberOf({ state: 'queued', kind, circuit, devices: '', priority });
    const { lastInsertRowid } = this.#statements.addJob.run({ origin: null, ...when, id, facet, mode, partitions });
    return Number(lastInsertRowid);
  }

  /** Applies one event of a run; flush() ends the transaction's part of it. */
  apply(before: EngineState, after: EngineState, event: EngineEvent, run: number): void {
    if (!isOfJob(event)) {
      this.#ofRun(event, after);
      return;
    }
    // A job that was forgotten is not in the live state any more; in the history it stays.
    if (event.type === 'jobForgotten') return;
    const [was, is] = [jobOf(before, event.job), jobOf(after, event.job)];
    const job = event.type === 'jobSubmitted' && !was && is ? this.#submitted(event, after, run) : this.numberOf(event.job);
    if (job === undefined) return;
    this.#streams.add(job, event);
    if (!is || was === is) return;
    if (was && was.phase === 'queued' && is.phase === 'running') this.#facets.change(job, { state: 'running' });
    if ('partition' in event) this.#partition(job, event, was, is, before, after);
    if (was && !isTerminalJob(was.phase) && isTerminalJob(is.phase)) this.#ended(job, was, is, after);
  }

  /** Writes what was collected; inside the same transaction. */
  flush(run: number): void {
    for (const job of this.#streams.flush(run)) this.#statements.bytes.run({ job });
    if (this.#isCounted) this.#tallies.flush(this.#db);
  }

  /** Gives up what was collected for a transaction that was rolled back. */
  drop(): void {
    this.#streams.drop();
    this.#tallies.drop();
  }

  #ofRun(event: EngineEvent, state: EngineState): void {
    if (event.type === 'engineStarted') for (const device of event.devices) this.#statements.addDevice.run(device);
    if (event.type === 'circuitOpened') {
      const { circuit, curve, nVars, nPublic, domainSize, keyBytes, proofBytes, insecure } = event;
      const openedMs = Math.round(wallOf(state, event.at));
      this.#statements.circuit.run({ circuit, curve, nVars, nPublic, domainSize, keyBytes, proofBytes, insecure, openedMs });
    }
    this.#streams.addOfRun(event);
  }

  #submitted(event: EngineEvent & { type: 'jobSubmitted' }, state: EngineState, run: number): number {
    const { job: id, kind, circuit, priority, mode, partitions, wallMs, at, deadlineAt, retryOf } = event;
    const submittedMs = Math.round(wallMs);
    const deadlineMs = deadlineAt === undefined ? null : Math.round(wallMs + deadlineAt - at);
    const known = this.numberOf(id);
    if (known === undefined)
      return this.addJob(
        id,
        { kind, circuit, priority, mode, partitions },
        { run, submittedMs, deadlineMs, retryOf: retryOf ?? null },
      );
    // It was accepted before; the engine knows better what its kind is called, and when it was queued.
    this.#statements.describe.run({ job: known, run, mode, partitions, submittedMs, deadlineMs });
    this.#facets.change(known, { state: jobOf(state, id)!.phase, kind, circuit, priority });
    return known;
  }

  #partition(
    job: number,
    event: OfJob & { partition: number },
    was: JobState | undefined,
    is: JobState,
    before: EngineState,
    after: EngineState,
  ): void {
    const [old, now] = [was && partitionOf(was, event.partition), partitionOf(is, event.partition)];
    if (!old || !now || old === now) return;
    const ref = { job, partition: event.partition };
    if (event.type === 'deviceStarted') this.#addDevice(job, after.workers[event.worker]?.device);
    if (event.type === 'partitionRestored') this.#statements.restore.run(ref);
    if (now.attempt > old.attempt) this.#attempt(ref, old, 'retried', is, before, after.at);
    else if (isTerminalPartition(now.phase)) this.#attempt(ref, now, now.phase as AttemptPhase, is, after, after.at);
  }

  #attempt(
    ref: { job: number; partition: number },
    partition: PartitionState,
    phase: AttemptPhase,
    job: JobState,
    state: EngineState,
    at: number,
  ): void {
    const times = timesOf(partition, at);
    const taken = partition.assignment !== undefined;
    const device = taken ? state.workers[partition.worker!]?.device : undefined;
    const more = {
      device: device === undefined ? null : this.#deviceNumber(device),
      worker: partition.worker ?? null,
      error: partition.error ? JSON.stringify(partition.error) : null,
    };
    this.#statements.attempt.run(attemptRow(ref, partition.attempt, phase, more, times));
    if (phase === 'done') this.#statements.done.run(ref.job);
    if (device === undefined) return;
    const key = { day: dayOf(Math.round(job.submittedWallMs)), kind: job.kind, circuit: job.circuit, device };
    this.#tallies.add(key, phase === 'done' ? 'succeeded' : phase, phase === 'done' ? times : {});
  }

  #ended(number: number, was: JobState, is: JobState, state: EngineState): void {
    const end = is.phase as JobEnd;
    const [old, now] = [partitionsOf(was), partitionsOf(is)];
    for (const [partition, one] of now.entries())
      if (one !== old[partition]) this.#attempt({ job: number, partition }, one, one.phase as AttemptPhase, is, state, state.at);
    const us = microseconds(is.endedAt! - is.submittedAt);
    this.#statements.end.run(us, is.error ? JSON.stringify(is.error) : null, number);
    this.#facets.change(number, { state: end });
    this.#streams.pack(number);
    const key = { day: dayOf(Math.round(is.submittedWallMs)), kind: is.kind, circuit: is.circuit, device: '' };
    this.#tallies.add(key, end, end === 'succeeded' ? { job: us } : {});
  }

  #addDevice(job: number, device: string | undefined): void {
    if (device === undefined) return;
    const devices = this.#facets.of(job).devices.split(',').filter(Boolean);
    if (!devices.includes(device)) this.#facets.change(job, { devices: [...devices, device].sort().join(',') });
  }

  #deviceNumber(name: string): number {
    const known = this.#statements.device.get(name) as number | undefined;
    return known ?? Number(this.#statements.addDevice.run({ device: name, name: null, memoryBytes: null }).lastInsertRowid);
  }
}

/** The wall clock at a monotonic time, in milliseconds since 1970; 0 in a run whose start is not known. */
export const wallOf = ({ startedAt, startedWallMs }: EngineState, at: number): number =>
  startedWallMs === 0 ? 0 : startedWallMs + at - startedAt;
