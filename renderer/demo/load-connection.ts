// More than any machine does: for measuring whether the page keeps up. Every worker goes round through the partitions of endless jobs.
import type { EngineEvent, EngineEventBody } from '../../main/contract/events.ts';
import { reduce } from '../../main/contract/reduce.ts';
import type { RequestName, RequestResults } from '../../main/contract/requests.ts';
import { emptyState } from '../../main/contract/state.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import type { Connection, ConnectionListener } from '../transport/connection.ts';

export const loadSize = { devices: 8, deviceWorkers: 48, synthesisWorkers: 16, partitions: 4096, eventsPerSecond: 2000 };

/** The events of one partition's way, in the hands of one synthesis and one device worker. */
function* wayOf(
  job: string,
  partition: number,
  synthesizer: number,
  worker: number,
  assignment: number,
): Generator<EngineEventBody> {
  const ref = { job, partition };
  const take = { ...ref, worker, assignment };
  yield { type: 'memoryHeld', owner: `${job}/${partition}`, bytes: 96 * 2 ** 20 };
  yield { type: 'synthesisStarted', worker: synthesizer, ...ref };
  yield { type: 'synthesisEnded', worker: synthesizer, done: true, ...ref };
  yield { type: 'deviceStarted', ...take };
  yield { type: 'kernelsStarted', ...take };
  yield { type: 'partitionProgress', step: 'msm_a', done: 1, total: 2, ...ref };
  yield { type: 'deviceReleased', ...take };
  yield { type: 'verifyStarted', ...take };
  yield { type: 'memoryHeld', owner: `${job}/${partition}`, bytes: 0 };
  yield { type: 'partitionDone', ...take };
}

/** Endless: jobs of so many partitions one after another, as many partitions on their way as there are device workers. */
function* bodies(): Generator<EngineEventBody> {
  const { devices, deviceWorkers, synthesisWorkers, partitions } = loadSize;
  const described = Array.from({ length: devices }, (_, i) => ({ device: `cuda:${i}`, name: 'H200', memoryBytes: 141 * 2 ** 30 }));
  yield { type: 'engineStarted', budgetBytes: 512 * 2 ** 30, devices: described, wallMs: Date.now() };
  const workers = Array.from({ length: synthesisWorkers + deviceWorkers }, (_, worker) =>
    worker < synthesisWorkers
      ? { worker, kind: 'synthesis' as const }
      : { worker, kind: 'pipelined' as const, device: `cuda:${worker % devices}` },
  );
  yield { type: 'workersRegistered', workers, wallMs: Date.now() };
  let assignment = 0;
  for (let number = 1; ; number++) {
    const job = `load-${number}`;
    const about = { kind: 'snap-deals', circuit: '/data/snap.zkey', priority: 'normal', mode: 'pipelined' } as const;
    yield { type: 'jobSubmitted', job, partitions, wallMs: Date.now(), ...about };
    const ways: (Generator<EngineEventBody> | undefined)[] = [];
    let next = 0;
    for (let left = partitions, round = 0; left > 0; round++) {
      for (let lane = 0; lane < deviceWorkers; lane++) {
        // Begun one after another, so that at any time every stage is seen.
        if (round < lane % 10) continue;
        if (!ways[lane] && next < partitions)
          ways[lane] = wayOf(job, next++, lane % synthesisWorkers, synthesisWorkers + lane, ++assignment);
        const step = ways[lane]?.next();
        if (step && !step.done) yield step.value;
        if (!step?.done) continue;
        ways[lane] = undefined;
        left--;
      }
    }
    yield { type: 'jobEnded', job, end: 'succeeded' };
    yield { type: 'jobForgotten', job };
  }
}

export class LoadConnection implements Connection {
  readonly name = 'a generator of load';
  readonly #bodies = bodies();
  readonly #beganAt = performance.now();
  #state = emptyState;
  #told = 0;

  constructor() {
    this.#take(3 + 2 * loadSize.deviceWorkers);
  }

  #take(count: number): EngineEvent[] {
    const at = performance.now() - this.#beganAt;
    const events = Array.from({ length: count }, (): EngineEvent => ({ ...this.#bodies.next().value, seq: ++this.#told, at }));
    for (const event of events) this.#state = reduce(this.#state, event);
    return events;
  }

  async snapshot(): Promise<Snapshot> {
    return { state: this.#state, ageMs: 0 };
  }

  subscribe({ onEvents }: ConnectionListener): () => void {
    const from = this.#told - Math.round(((performance.now() - this.#beganAt) / 1000) * loadSize.eventsPerSecond);
    const timer = setInterval(() => {
      const due = from + Math.round(((performance.now() - this.#beganAt) / 1000) * loadSize.eventsPerSecond);
      onEvents(this.#take(Math.max(0, due - this.#told)));
    }, 50);
    return () => clearInterval(timer);
  }

  async request<N extends RequestName>(name: N): Promise<RequestResults[N]> {
    throw new Error(`a generator of load cannot ${name}`);
  }
}
