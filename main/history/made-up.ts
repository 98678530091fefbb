// Makes up histories: for the tests of the queries, and, with a million jobs, for their benchmark. Rows are written by the statements that the
// recorder uses, without running an engine.
import type { Database } from 'better-sqlite3';
import type { EngineEvent, EngineEventBody } from '../contract/events.ts';
import type { Outcome } from '../contract/history.ts';
import { type SpanName, spanNames } from '../contract/state.ts';
import { packEvents } from './events-codec.ts';
import { Facets } from './facets.ts';
import { attemptRow, insertAttempt } from './partition-rows.ts';
import { encodeProof } from './proof-codec.ts';
import { dayOf, Tallies } from './tallies.ts';

export interface MadeUpOptions {
  jobs: number;
  partitions?: number;
  /** Jobs are spread evenly from here, in milliseconds since 1970. */
  sinceMs?: number;
  days?: number;
  seed?: number;
  /** Told after each transaction how many jobs there are. */
  onProgress?: (jobs: number) => void;
}

const kinds = [
  ['snap-deals', '/keys/snap.zkey'],
  ['porep-c2', '/keys/porep-32g.zkey'],
  ['porep-c2', '/keys/porep-64g.zkey'],
  ['window-post', '/keys/window-post.zkey'],
  ['winning-post', '/keys/winning-post.zkey'],
  ['merkle', '/home/me/circuits/merkle_final.zkey'],
] as const;
const states = [
  ...Array<Outcome>(92).fill('succeeded'),
  'failed',
  'failed',
  'failed',
  'cancelled',
  'cancelled',
  'interrupted',
] as const;
const devices = ['cpu', 'cuda:0', 'cuda:1'];
const words = ['first', 'of', 'the', 'new', 'key', 'slow', 'disk', 'again', 'release', 'test', 'sector', 'ünïcode'];
const lengths: Partial<Record<SpanName, number>> = {
  ...{ queueWait: 5e5, memoryWait: 1e5, keyWait: 1e4, synthesis: 2e6, deviceQueue: 3e5, lockWait: 2e5 },
  ...{ kernels: 4e6, finalizing: 1e6, verify: 4e3 },
};

/** Lehmer's generator: the same seed makes the same history. */
export function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export function makeUp(db: Database, options: MadeUpOptions): void {
  const { jobs, partitions = 16, sinceMs = Date.UTC(2026, 0, 1), days = 365, seed = 1, onProgress } = options;
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const facets = new Facets(db);
  const run = Number(db.prepare('INSERT INTO runs (started_ms, app) VALUES (?, ?)').run(sinceMs, 'made up').lastInsertRowid);
  const addDevice = db
    .prepare('INSERT INTO devices (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING device')
    .pluck();
  const numbers = devices.map((name) => addDevice.get(name) as number);
  const addJob = db.prepare(
    `INSERT INTO jobs (id, facet, run, mode, partitions, done, submitted_ms, duration_us, bytes, pinned) VALUES (?, ?, ?, 'pipelined', ?, ?, ?, ?, ?, ?)`,
  );
  const addAttempt = db.prepare(insertAttempt);
  const addProof = db.prepare('INSERT INTO proofs (job, partition, format, proof, public) VALUES (?, ?, ?, ?, ?)');
  const addEvents = db.prepare('INSERT INTO events (job, first_seq, data) VALUES (?, ?, ?)');
  const addNote = db.prepare('INSERT INTO notes (job, note) VALUES (?, ?)');
  const addTag = db.prepare('INSERT INTO tags (job, tag) VALUES (?, ?)');
  // Deflating takes longest, and what it makes is not looked at: a few streams of the right size, over and over.
  const streams = Array.from({ length: 8 }, () => packEvents(eventsOf(partitions, random)));
  const tallies = new Tallies();
  const perTransaction = 2000;
  for (let from = 0; from < jobs; from += perTransaction) {
    db.transaction(() => {
      for (let i = from; i < Math.min(jobs, from + perTransaction); i++) {
        const [kind, circuit] = pick(kinds);
        const state = pick(states);
        const used = [pick([0, 1, 2]), pick([0, 1, 2])];
        const names = [...new Set(used)].sort().map((at) => devices[at]!);
        const priority = pick(['normal', 'normal', 'normal', 'high', 'low'] as const);
        const facet = facets.numberOf({
          state: state === 'retried' ? 'failed' : state,
          kind,
          circuit,
          devices: names.join(','),
          priority,
        });
        const submittedMs = Math.floor(sinceMs + (i / jobs) * days * 86_400_000 + random() * 60_000);
        const us = Math.floor(5e6 + random() ** 3 * 6e8);
        const id =
          Math.floor(random() * 2 ** 30)
            .toString(32)
            .padStart(6, '0') + i.toString(32).padStart(6, '0');
        const count = Math.max(1, Math.round(partitions * (partitions === 16 ? 1 : 0.5 + random())));
        const done = state === 'succeeded' ? count : Math.floor(count / 2);
        const events = pick(streams);
        const pinned = random() < 0.001 ? 1 : 0;
        const { lastInsertRowid } = addJob.run(id, facet, run, count, done, submittedMs, us, events.length + done * 288, pinned);
        const job = Number(lastInsertRowid);
        const day = dayOf(submittedMs);
        tallies.add({ day, kind, circuit, device: '' }, state, state === 'succeeded' ? { job: us } : {});
        addEvents.run(job, 1, events);
        for (let partition = 0; partition < count; partition++) {
          const device = used[partition % 2]!;
          const phase = partition < done ? 'done' : 'cancelled';
          const times: Partial<Record<SpanName, number>> = {};
          for (const name of spanNames) if (lengths[name]) times[name] = Math.floor(lengths[name] * (0.5 + random()));
          addAttempt.run(
            attemptRow({ job, partition }, 1, phase, { device: numbers[device]!, worker: 1 + device, error: null }, times),
          );
          tallies.add(
            { day, kind, circuit, device: devices[device]! },
            phase === 'done' ? 'succeeded' : 'cancelled',
            phase === 'done' ? (times as Record<string, number>) : {},
          );
          if (phase === 'cancelled') continue;
          const { format, proof, public: signals } = madeUpProof(random);
          addProof.run(job, partition, format, proof, signals);
        }
        if (random() < 0.05) addNote.run(job, Array.from({ length: 6 }, () => pick(words)).join(' '));
        if (random() < 0.05) addTag.run(job, pick(['release', 'test', 'slow']));
      }
      tallies.flush(db);
    })();
    onProgress?.(Math.min(jobs, from + perTransaction));
  }
}

/** Bytes of a bn254 proof's size with one public signal; no proof of anything. */
function madeUpProof(random: () => number) {
  const bytes = Buffer.allocUnsafe(288);
  for (let i = 0; i < 288; i += 4) bytes.writeInt32LE(random() * 2 ** 31, i);
  return { ...encodedFormat, proof: bytes.subarray(0, 256), public: bytes.subarray(256) };
}
const encodedFormat = {
  format: encodeProof({
    proof: {
      pi_a: ['1', '2', '1'],
      pi_b: [
        ['1', '2'],
        ['1', '2'],
        ['1', '0'],
      ],
      pi_c: ['1', '2', '1'],
      protocol: 'groth16',
      curve: 'bn128',
    },
    publicSignals: [],
  }).format,
};

/** What an engine says of a job with so many partitions. */
function eventsOf(partitions: number, random: () => number): EngineEvent[] {
  const bodies: EngineEventBody[] = [];
  for (let partition = 0; partition < partitions; partition++) {
    const ref = { job: 'x', partition };
    const take = { ...ref, worker: 1 + (partition % 2), assignment: partition + 1 };
    bodies.push(
      { type: 'memoryWaitStarted', ...ref, bytes: 1e9 },
      { type: 'memoryGranted', ...ref },
      { type: 'synthesisStarted', worker: 0, ...ref },
      { type: 'synthesisEnded', worker: 0, ...ref, done: true },
      { type: 'deviceStarted', ...take },
      { type: 'kernelsStarted', ...take },
      { type: 'deviceReleased', ...take },
      { type: 'verifyStarted', ...take },
      {
        type: 'partitionDone',
        ...take,
        timings: { ntt: random() * 1e3, msm_a: random() * 1e3, msm_b2: random() * 1e3, msm_h: random() * 1e3 },
      },
    );
  }
  let at = random() * 1e6;
  return bodies.map((body, seq) => {
    at += random() * 1e3;
    return { ...body, seq, at } as EngineEvent;
  });
}
