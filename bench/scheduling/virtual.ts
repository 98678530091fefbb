// How near the engine's schedule comes to the least time that the work can take, on virtual time: the real scheduler and loops over a
// prover that only takes time, so that every number is exact and the same on any machine.
import type { JobRequest } from '../../main/contract/commands.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import { jobRequest, type SimulatedEngineOptions, simulatedEngine } from '../../main/engine/simulated-engine.ts';

export interface Submission {
  atMs: number;
  request: JobRequest;
}

export interface Case {
  name: string;
  options: SimulatedEngineOptions;
  submissions: Submission[];
  /** Keys that are in memory before the clock starts. */
  preloaded?: string[];
}

export interface CaseResult {
  name: string;
  /** From the first submit to the end of the last job, in virtual milliseconds. */
  wallMs: number;
  /** The busiest resource's total work, shared evenly by those that there are of it: no schedule can take less. */
  boundMs: number;
  busiest: 'devices' | 'synthesis' | 'threads';
  /** wallMs over boundMs: with the ramp, which is the first key's load and the first synthesis, and the last finalizer. */
  raw: number;
  /** From the busiest resource's first work to its last, over boundMs: without the ramp. */
  steady: number;
  /**
   * The same over what a line of one synthesis and one device with any number of places between them would take for the same durations:
   * where they vary, a device may have to wait however the work is scheduled. For one job on one device.
   */
  overLine?: number;
  critical?: CriticalWaits;
}

/** The longest waits of partitions of critical jobs, beyond their own work. */
export interface CriticalWaits {
  partitions: number;
  /** From submit to its own synthesis: a synthesis that runs is not stopped for it. */
  synthesisWaitMs: number;
  /** The longest synthesis of any partition. */
  synthesisMs: number;
  /** From its synthesis to its kernels: kernels that run are not stopped for it. */
  deviceWaitMs: number;
  /** The longest kernel region of any partition. */
  kernelsMs: number;
}

/** A resource that takes one partition at a time, or `count` of them at once. */
class Resource {
  readonly name: CaseResult['busiest'];
  readonly count: number;
  readonly #begun = new Map<string, number>();
  totalMs = 0;
  firstAt = Number.POSITIVE_INFINITY;
  lastAt = 0;
  /** How long each partition took. */
  readonly ms: number[] = [];
  constructor(name: CaseResult['busiest'], count: number) {
    this.name = name;
    this.count = count;
  }
  get shareMs(): number {
    return this.totalMs / this.count;
  }
  begin(partition: string, at: number): void {
    this.#begun.set(partition, at);
    this.firstAt = Math.min(this.firstAt, at);
  }
  /** Returns how long it took. */
  end(partition: string, at: number): number {
    const ms = at - (this.#begun.get(partition) ?? at);
    this.#begun.delete(partition);
    this.totalMs += ms;
    this.ms.push(ms);
    this.lastAt = Math.max(this.lastAt, at);
    return ms;
  }
}

function measure(events: readonly EngineEvent[], synthesis: Resource, devices: Resource): CriticalWaits {
  const submitted = new Map<string, number>();
  const synthesized = new Map<string, number>();
  const waits: CriticalWaits = { partitions: 0, synthesisWaitMs: 0, synthesisMs: 0, deviceWaitMs: 0, kernelsMs: 0 };
  const raise = (what: keyof CriticalWaits, ms: number) => {
    waits[what] = Math.max(waits[what], ms);
  };
  for (const event of events) {
    const { at } = event;
    if (event.type === 'jobSubmitted' && event.priority === 'critical') submitted.set(event.job, at);
    if (!('partition' in event)) continue;
    const isCritical = submitted.has(event.job);
    const name = `${event.job}/${event.partition}`;
    if (event.type === 'synthesisStarted') {
      synthesis.begin(name, at);
      if (isCritical) raise('synthesisWaitMs', at - submitted.get(event.job)!);
    } else if (event.type === 'synthesisEnded') {
      raise('synthesisMs', synthesis.end(name, at));
      synthesized.set(name, at);
    } else if (event.type === 'kernelsStarted') {
      devices.begin(name, at);
      if (!isCritical) continue;
      waits.partitions++;
      raise('deviceWaitMs', at - synthesized.get(name)!);
    } else if (event.type === 'deviceReleased' || event.type === 'finalizingStarted') {
      raise('kernelsMs', devices.end(name, at));
    }
  }
  return waits;
}

/** How long the last of two stages is at work when partitions go through both in order, with any number of places between them. */
function lineMs(synthesis: readonly number[], kernels: readonly number[]): number {
  let synthesizedAt = 0;
  let doneAt = 0;
  for (const [i, ms] of synthesis.entries()) {
    synthesizedAt += ms;
    doneAt = Math.max(doneAt, synthesizedAt) + kernels[i]!;
  }
  return doneAt - synthesis[0]!;
}

/** Plays one case to its end. */
export async function play({ name, options, submissions, preloaded = [] }: Case): Promise<CaseResult> {
  const { devices = 1, synthesisWorkers = devices, sharesThreads } = options;
  const { clock, engine, events } = simulatedEngine({ memoryBytes: 1e6, ...options });
  for (const zkey of preloaded) await clock.run(engine.preload(zkey));
  const startedAt = clock.now();
  const jobs = submissions.map(async ({ atMs, request }) => {
    await clock.sleep(atMs);
    const { job } = await engine.submit(request);
    const { end } = await engine.await(job);
    if (end !== 'succeeded') throw new Error(`${name}: ${job} ${end}`);
  });
  await clock.run(Promise.all(jobs));
  const wallMs = clock.now() - startedAt;
  await clock.run(engine.shutdown());
  const all = new Resource('threads', 1);
  const resources = sharesThreads ? [all] : [new Resource('devices', devices), new Resource('synthesis', synthesisWorkers)];
  const critical = measure(events, resources.at(-1)!, resources[0]!);
  const busiest = resources.reduce((a, b) => (a.shareMs >= b.shareMs ? a : b));
  const boundMs = busiest.shareMs;
  const activeMs = busiest.lastAt - busiest.firstAt;
  const isLine = devices === 1 && synthesisWorkers === 1 && submissions.length === 1 && busiest.name === 'devices';
  return {
    ...{ name, wallMs, boundMs, busiest: busiest.name },
    ...{ raw: wallMs / boundMs, steady: activeMs / boundMs },
    ...(isLine ? { overLine: activeMs / lineMs(resources[1]!.ms, resources[0]!.ms) } : {}),
    ...(critical.partitions > 0 ? { critical } : {}),
  };
}

/** Lehmer's generator: the same seed gives the same case everywhere. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const kernelsMs = 100;
const stages = (synthesis: number) => ({
  durations: { load: 500, synthesize: synthesis * kernelsMs, kernels: kernelsMs, finish: 120, verify: 30 },
});

const oneJob = (name: string, partitions: number, options: SimulatedEngineOptions): Case => ({
  name,
  options,
  submissions: [{ atMs: 0, request: jobRequest('w', partitions) }],
});

/** What a storage rig proves: long jobs all the time, a window's proof now and then, and a block's, which cannot wait. */
const kinds = {
  'porep-c2': { partitions: 10, scale: 1, priority: 'normal' },
  'snap-deals': { partitions: 16, scale: 0.8, priority: 'low' },
  'window-post': { partitions: 2, scale: 2, priority: 'high' },
  'winning-post': { partitions: 1, scale: 0.3, priority: 'critical' },
} as const;
type Kind = keyof typeof kinds;

function mix(name: string, seed: number, options: SimulatedEngineOptions): Case {
  const random = randoms(seed);
  const devices = options.devices ?? 1;
  const submissions: Submission[] = [];
  const add = (kind: Kind, atMs: number) => {
    const { partitions, priority } = kinds[kind];
    const request = jobRequest(`${kind}#${submissions.length}-`, partitions, { zkey: `${kind}.zkey`, kind, priority });
    submissions.push({ atMs, request });
  };
  for (let i = 0; i < 12 * devices; i++) for (const kind of ['porep-c2', 'snap-deals'] as const) add(kind, 0);
  // All within the time that the devices are busy in any case; critical ones at random, and no two at once, whose waits would add up.
  for (let i = 0; i < 5 * devices; i++) add('window-post', random() * 24_000);
  for (let i = 0; i < 25; i++) add('winning-post', i * 1000 + random() * 400);
  const scale = (witness: string) => kinds[witness.split(/[#.]/)[0] as Kind].scale;
  return { name, options: { scale, seed, ...options }, submissions, preloaded: Object.keys(kinds).map((kind) => `${kind}.zkey`) };
}

export function cases(): Case[] {
  const jitter = { jitter: 0.2, seed: 7 };
  const several = (devices: number) => ({ devices, synthesisWorkers: devices });
  const jobs = [
    { devices: 1, partitions: 16 },
    { devices: 1, partitions: 256 },
    { devices: 4, partitions: 256 },
  ].flatMap(({ devices, partitions }) =>
    [0.9, 1.1].flatMap((synthesis) =>
      [{}, jitter].map((varies) => {
        const name = `${devices} x device, ${partitions} partitions, synthesis ${synthesis}${'jitter' in varies ? ', jitter' : ''}`;
        return oneJob(name, partitions, { ...several(devices), ...stages(synthesis), ...varies });
      }),
    ),
  );
  return [
    ...jobs,
    mix('1 x device, mix of kinds', 3, stages(0.9)),
    mix('1 x device, mix of kinds, jitter', 4, { ...stages(0.9), jitter: 0.2 }),
    mix('4 x device, mix of kinds, jitter', 5, { ...stages(0.9), ...several(4), jitter: 0.2 }),
    mix('the cpu, which shares its threads, mix of kinds, jitter', 6, { ...stages(0.9), sharesThreads: true, jitter: 0.2 }),
  ];
}
