// `npm run soak`: thousands of small real jobs with random cancels, failures, retries and evictions; afterwards the process is what it was
// before: memory, open files, threads, handles, and the ledger. CUZK_SOAK_JOBS says how many, CUZK_SEED repeats a run.
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { JobRequest } from '../main/contract/commands.ts';
import { countersOf } from '../main/contract/state.ts';
import type { Engine } from '../main/engine/engine.ts';
import { loadNative } from '../main/prover/native/load.ts';
import { temporaryFolder } from './cuzk.ts';
import { fixture, keysOf } from './fixtures.ts';
import { checkedEngine } from './native-engine.ts';

const jobs = Number(process.env.CUZK_SOAK_JOBS ?? 2000);
/** Lets caches, pools and the heap grow to what they need. */
const warmUp = Math.min(400, jobs / 4);
const mebibyte = 2 ** 20;

/** A small linear generator (Lehmer), so that a run can be repeated. */
let state = Number(process.env.CUZK_SEED ?? 1 + (Date.now() % 1_000_000));
const seed = state;
function random(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return Math.floor((state / 2_147_483_647) * below);
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Usage {
  /** Of the prover's buffers. */
  buffers: number;
  /** Of live objects. */
  heap: number;
  /** Resident, without what the JavaScript heap keeps for later. */
  rest: number;
  files: number;
  threads: number;
  handles: number;
}

/** What the process holds when it is idle and no key is resident. */
async function usage(engine: Engine): Promise<Usage> {
  for (const { circuit } of Object.values(engine.snapshot().keys)) engine.evict(circuit);
  for (let i = 0; i < 4; i++) {
    collect();
    await sleep(50);
  }
  // How many empty pages a heap keeps depends on how busy the machine was: up to a third of all that is resident.
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return {
    buffers: loadNative().addon.allocatedBytes(),
    heap: heapUsed,
    rest: rss - heapTotal,
    files: readdirSync('/proc/self/fd').length,
    threads: readdirSync('/proc/self/task').length,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length,
  };
}

async function requests(folder: string): Promise<(() => JobRequest)[]> {
  const names = [
    ['poseidon', 'bn254'],
    ['secret', 'bls12-381'],
    ['single', 'bn254'],
    ['linear', 'bls12-381'],
  ] as const;
  return await Promise.all(
    names.map(async ([name, curve]) => {
      const circuit = await fixture(name, curve);
      const { zkey } = await keysOf(circuit, 'setup');
      const file = (kind: string) => join(folder, `${name}-${curve}-${kind}.wtns`);
      const [wrong, cut] = [file('wrong'), file('cut')];
      for (const to of [wrong, cut]) copyFileSync(circuit.witness, to);
      const bytes = readFileSync(wrong);
      bytes[bytes.length - 32]! ^= 1;
      writeFileSync(wrong, bytes);
      truncateSync(cut, bytes.length - 20);
      const partition = (): JobRequest['partitions'][number] => {
        const which = random(24);
        if (which === 0) return { witness: wrong };
        if (which === 1) return { witness: cut };
        if (which === 2) return { witness: join(folder, 'not there.wtns') };
        return which === 3 ? { input: circuit.input } : { witness: circuit.witness };
      };
      return () => ({
        circuit: { zkey, wasm: circuit.wasm },
        partitions: Array.from({ length: 1 + random(3) }, partition),
        mode: random(4) === 0 ? ('monolithic' as const) : ('pipelined' as const),
        priority: (['critical', 'high', 'normal', 'low'] as const)[random(4)]!,
      });
    }),
  );
}

async function run(engine: Engine, makers: (() => JobRequest)[], count: number): Promise<void> {
  const one = async () => {
    const request = makers[random(makers.length)]!();
    const { job } = await engine.submit(request);
    if (random(4) === 0) sleep(random(30)).then(() => engine.cancel(job));
    const { end } = await engine.await(job);
    if (end !== 'succeeded' && random(8) === 0) await engine.await((await engine.retry(job)).job);
    if (random(20) === 0) engine.evict(request.circuit.zkey);
    if (random(40) === 0) await engine.preload(request.circuit.zkey);
  };
  let left = count;
  const line = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: 6 }, line));
}

it(`after ${jobs} real jobs the process is what it was before`, { timeout: 900_000 }, async () => {
  const folder = temporaryFolder();
  const makers = await requests(folder);
  // Tight enough that keys make room for each other, and few jobs kept, so that what is kept does not look like a leak.
  await using checked = checkedEngine(folder, { memoryBytes: 40 * mebibyte, keepJobs: 20, keepEvents: false });
  const { engine, problems } = checked;
  await run(engine, makers, warmUp);
  const before = await usage(engine);
  await run(engine, makers, jobs - warmUp);
  const after = await usage(engine);

  const { memory, keys, finalizers, workers, staleEnds, ignored, jobs: kept } = engine.snapshot();
  const ends = Object.values(countersOf(engine.snapshot())).reduce(
    (sum, { succeeded, failed, cancelled }) => ({
      succeeded: sum.succeeded + succeeded,
      failed: sum.failed + failed,
      cancelled: sum.cancelled + cancelled,
    }),
    { succeeded: 0, failed: 0, cancelled: 0 },
  );
  console.log(`seed ${seed}: ${JSON.stringify(ends)}; before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
  expect(problems).toEqual([]);
  expect([memory, keys, finalizers, staleEnds, ignored]).toEqual([{}, {}, {}, 0, 0]);
  expect(workers.every(({ phase }) => phase === 'idle')).toBe(true);
  expect(kept.rows.flat().length).toBeLessThanOrEqual(20);
  expect(Math.min(ends.succeeded, ends.failed, ends.cancelled)).toBeGreaterThan(jobs / 50);
  expect(after.files).toBeLessThanOrEqual(before.files);
  expect(after.threads).toBeLessThanOrEqual(before.threads);
  expect(after.handles).toBeLessThanOrEqual(before.handles);
  // Nothing of any job: to the byte where bytes are counted. What else there is breathes with how busy the machine is.
  expect([before.buffers, after.buffers]).toEqual([0, 0]);
  expect(after.heap).toBeLessThan(before.heap + 4 * mebibyte);
  expect(after.rest).toBeLessThan(before.rest * 1.25 + 64 * mebibyte);
});
