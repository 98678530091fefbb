// What a process that died left behind: its jobs become `interrupted`, and partitions whose proof is on the disk are done.
import type { Database } from 'better-sqlite3';
import type { EngineEvent, EngineEventBody } from '../contract/events.ts';
import { reduce } from '../contract/reduce.ts';
import { type EngineState, jobOf, partitionOf } from '../contract/state.ts';
import { EventRows } from './event-rows.ts';
import { Facets } from './facets.ts';
import { replayed } from './replay.ts';

/** Why the job ended, as `cuzk show` tells it. */
const lost = {
  code: 'EngineLost',
  message: 'the program ended while this job ran',
  remedy: 'cuzk resume goes on with what is missing',
};

interface Left {
  job: number;
  id: string;
  run: number;
  partitions: number;
  mode: 'pipelined' | 'monolithic';
  submittedMs: number;
  retryOf: string | null;
}

/** Ends what no process runs any more. The caller holds the writer's lock. Returns the ids of the jobs that became `interrupted`. */
export function recover(db: Database): string[] {
  const left = db
    .prepare(
      `SELECT job, id, run, partitions, mode, submitted_ms AS submittedMs, retry_of AS retryOf
       FROM facets CROSS JOIN jobs USING (facet) WHERE state IN ('queued', 'running') AND facets.jobs > 0 ORDER BY job`,
    )
    .all() as Left[];
  const rows = new EventRows(db);
  const facets = new Facets(db);
  // One transaction for each job: after another power cut the rest is found again.
  for (const job of left) db.transaction(() => interrupt(db, rows, facets, job)).immediate();
  // Nothing runs now, so a run without jobs gets none any more.
  db.exec('DELETE FROM runs WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.run = runs.run)');
  return left.map(({ id }) => id);
}

function interrupt(db: Database, rows: EventRows, facets: Facets, { job, id, run, ...about }: Left): void {
  let state = replayed(db, job);
  const apply = (body: EngineEventBody) => {
    const before = state;
    // The clock of that run is gone: its last event's time is the last that is known.
    const event = { ...body, seq: before.seq + 1, at: before.at } as EngineEvent;
    state = reduce(before, event);
    rows.apply(before, state, event, run);
  };
  if (!jobOf(state, id)) {
    // It was accepted, and the process died before it said so.
    const { kind, circuit, priority } = facets.of(job);
    const { partitions, mode, submittedMs: wallMs, retryOf } = about;
    const retry = retryOf === null ? {} : { retryOf };
    apply({ type: 'jobSubmitted', job: id, kind, circuit, partitions, priority, mode, wallMs, ...retry });
  }
  const proved = db.prepare('SELECT partition FROM proofs WHERE job = ? ORDER BY partition').pluck().all(job) as number[];
  for (const partition of proved) {
    const done = doneOf(state, id, partition);
    if (done) apply(done);
  }
  apply({ type: 'jobEnded', job: id, end: 'interrupted', error: lost });
  rows.flush(run);
}

/** The event that the process had no time for: the proof is on the disk. */
function doneOf(state: EngineState, job: string, partition: number): EngineEventBody | undefined {
  const one = partitionOf(jobOf(state, job)!, partition);
  if (one?.phase === 'done' || one?.assignment === undefined || one.worker === undefined) return undefined;
  return { type: 'partitionDone', job, partition, assignment: one.assignment, worker: one.worker };
}
