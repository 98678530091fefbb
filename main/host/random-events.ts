// Random streams of events for tests of what watches them: sensible ones, late and repeated ends, retries, faults, things that do not apply.
import fc from 'fast-check';
import type { EngineEventBody, WorkerRegistration } from '../contract/events.ts';
import { type EngineState, jobOf, partitionOf } from '../contract/state.ts';

const failure = { code: 'DeviceLost', message: 'the device is gone' };
const kinds = ['porep-c2', 'merkle', '__proto__', 'with "quotes"\nand lines'];
const partitions = 3;

export const registrations: WorkerRegistration[] = [
  { worker: 0, kind: 'synthesis' },
  { worker: 1, kind: 'pipelined', device: 'cuda:0' },
  { worker: 2, kind: 'pipelined', device: 'cuda:0' },
  { worker: 3, kind: 'monolithic', device: 'cpu' },
];

export const randomStep = fc.record({
  what: fc.constantFrom(
    ...([
      'submit',
      'submit',
      'memoryWait',
      'granted',
      'keyWait',
      'keyReady',
      'witness',
      'threadWait',
      'synthesis',
      'synthesis',
    ] as const),
    ...([
      'synthesized',
      'synthesized',
      'start',
      'start',
      'start',
      'kernels',
      'kernels',
      'release',
      'finalizing',
      'verify',
    ] as const),
    ...([
      'done',
      'done',
      'failed',
      'cancelled',
      'retry',
      'jobEnd',
      'forget',
      'fault',
      'restart',
      'held',
      'key',
      'measured',
    ] as const),
  ),
  job: fc.nat(2),
  partition: fc.nat(partitions - 1),
  device: fc.integer({ min: 1, max: 3 }),
  pick: fc.nat(1000),
  pause: fc.nat(50),
});
export type RandomStep = typeof randomStep extends fc.Arbitrary<infer T> ? T : never;

/** Turns steps into the bodies of events; remembers the takes, so that late ends can name them. */
export class RandomStream {
  readonly #takes: { worker: number; job: string; partition: number; assignment: number }[] = [];
  readonly #submitted = [0, 0, 0];

  body({ what, job: place, partition, device, pick }: RandomStep, state: EngineState): EngineEventBody | undefined {
    const job = `${'ABC'[place]}${this.#submitted[place]}`;
    const ref = { job, partition };
    // Mostly one of the last takes, so that much of it applies.
    const take = this.#takes.at(-1 - (pick % 4));
    const worker = pick % 3 ? 0 : 3;
    switch (what) {
      case 'submit': {
        // An id is used again only while its job is there, which does not apply.
        if (!jobOf(state, job)) this.#submitted[place]!++;
        const id = `${'ABC'[place]}${this.#submitted[place]}`;
        const kind = kinds[pick % kinds.length]!;
        return {
          type: 'jobSubmitted',
          job: id,
          kind,
          circuit: 'c.zkey',
          partitions,
          priority: 'normal',
          mode: 'pipelined',
          wallMs: 0,
        };
      }
      case 'memoryWait':
        return { type: 'memoryWaitStarted', ...ref, bytes: 1 };
      case 'granted':
        return { type: 'memoryGranted', ...ref };
      case 'keyWait':
        return { type: 'keyWaitStarted', ...ref };
      case 'keyReady':
        return { type: 'keyReady', ...ref };
      case 'witness':
        return { type: 'witnessStarted', worker, ...ref };
      case 'threadWait':
        return { type: 'threadWaitStarted', ...ref };
      case 'synthesis':
        return { type: 'synthesisStarted', worker, ...ref };
      case 'synthesized':
        return { type: 'synthesisEnded', worker, ...ref, done: true };
      case 'start': {
        const fresh = { worker: device, ...ref, assignment: this.#takes.length + 1 };
        this.#takes.push(fresh);
        return { type: 'deviceStarted', ...fresh };
      }
      case 'kernels':
        return take && { type: 'kernelsStarted', ...take };
      case 'release':
        return take && { type: 'deviceReleased', ...take };
      case 'finalizing':
        return take && { type: 'finalizingStarted', ...take };
      case 'verify':
        return take && { type: 'verifyStarted', ...take };
      case 'done':
        return take && { type: 'partitionDone', ...take };
      case 'failed':
        return pick % 2 && take
          ? { type: 'partitionFailed', ...take, error: failure }
          : { type: 'partitionFailed', ...ref, error: failure };
      case 'cancelled':
        return pick % 2 && take ? { type: 'partitionCancelled', ...take } : { type: 'partitionCancelled', ...ref };
      case 'retry': {
        const of = pick % 2 && take ? take : ref;
        const known = jobOf(state, of.job);
        const attempt = ((known && partitionOf(known, of.partition)?.attempt) ?? 1) + (pick % 5 === 0 ? 0 : 1);
        return { type: 'partitionRetried', ...of, attempt, reason: failure };
      }
      case 'jobEnd':
        return { type: 'jobEnded', job, end: (['succeeded', 'failed', 'cancelled', 'interrupted'] as const)[pick % 4]! };
      case 'forget':
        return { type: 'jobForgotten', job };
      case 'fault':
        return { type: 'workerFaulted', worker: device, error: failure };
      case 'restart':
        return { type: 'workerRestarted', worker: device, error: failure };
      case 'held':
        return { type: 'memoryHeld', owner: pick % 2 ? `key k${pick % 3}.zkey on cpu` : `${job}/${partition}`, bytes: pick % 7 };
      case 'key': {
        const residency = (['cold', 'loading', 'hot'] as const)[pick % 3]!;
        return { type: 'residencyChanged', circuit: 'c.zkey', device: 'cuda:0', residency, bytes: pick };
      }
      case 'measured':
        return { type: 'memoryMeasured', rssBytes: pick };
    }
  }
}
