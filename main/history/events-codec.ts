// A list of events as it is stored: times, numbers and the rest in three columns, since alike values side by side deflate best.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EngineEvent } from '../contract/events.ts';

/** Text, or deflated: a chunk of a job that runs is read and written again soon, a finished job's events stay. */
export type StoredEvents = string | Uint8Array;

type Columns = [ats: number[], seqs: number[], bodies: object[]];

/** Events in order; the job that all of them are about is left out, and given again when they are read. */
export function encodeEvents(events: readonly EngineEvent[], job?: string): string {
  const bodies = events.map((event) => {
    const { at: _, seq: __, ...body } = event;
    // An event about a worker stays without a job.
    if (job !== undefined && 'job' in body && body.job === job) delete (body as { job?: string }).job;
    return body;
  });
  const steps = events.map(({ seq }, i) => seq - (events[i - 1]?.seq ?? 0));
  return JSON.stringify([events.map(({ at }) => at), steps, bodies] satisfies Columns);
}

export const packEvents = (events: readonly EngineEvent[], job?: string): Uint8Array =>
  deflateRawSync(encodeEvents(events, job), { level: 6 });

export function decodeEvents(stored: StoredEvents, job?: string): EngineEvent[] {
  const text = typeof stored === 'string' ? stored : inflateRawSync(stored).toString('utf8');
  const [ats, steps, bodies] = JSON.parse(text) as Columns;
  let seq = 0;
  return bodies.map((body, i) => {
    seq += steps[i]!;
    return { ...body, ...(job === undefined ? {} : { job }), seq, at: ats[i]! } as EngineEvent;
  });
}
