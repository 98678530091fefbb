// The engine's interleavings with real circuits and the native prover, in a smaller number than with the simulated one: whatever is mixed,
// every job ends once and right, the state is true at every event, and everything is given back. CUZK_SEED=<seed> runs a failed mix again.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { JobRequest } from '../main/contract/commands.ts';
import { modes, priorities } from '../main/contract/events.ts';
import { reduce } from '../main/contract/reduce.ts';
import { isTerminalJob, jobsOf, partitionsOf } from '../main/contract/state.ts';
import { temporaryFolder } from './cuzk.ts';
import { type Fixture, fixture, keysOf } from './fixtures.ts';
import { checkedEngine } from './native-engine.ts';

interface Circuit extends Fixture {
  zkey: string;
  vkey: string;
  /** The witness with one value changed. */
  wrong: string;
}

let circuits: Circuit[];
const memory = temporaryFolder();

beforeAll(async () => {
  const made = await Promise.all([fixture('poseidon', 'bn254'), fixture('secret', 'bls12-381'), fixture('linear', 'bn254')]);
  circuits = await Promise.all(
    made.map(async (one, i) => {
      const { zkey, vkey } = await keysOf(one, 'setup');
      const wrong = join(memory, `${i}.wtns`);
      copyFileSync(one.witness, wrong);
      const bytes = readFileSync(wrong);
      // The last signal's lowest byte.
      bytes[bytes.length - 32]! ^= 1;
      writeFileSync(wrong, bytes);
      return { ...one, zkey, vkey, wrong };
    }),
  );
});

const job = fc.record({
  circuit: fc.nat(2),
  sources: fc.array(fc.constantFrom('witness', 'witness', 'input', 'wrong'), { minLength: 1, maxLength: 4 }),
  priority: fc.constantFrom(...priorities),
  mode: fc.constantFrom(...modes),
  submitAt: fc.nat(30),
  cancelAt: fc.option(fc.nat(60), { nil: undefined }),
  retry: fc.boolean(),
});

it('real jobs end once and right, in any mix', { timeout: 240_000 }, async () => {
  const property = fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 5 }), fc.boolean(), async (jobs, tight) => {
    // Enough for one of the keys and a proof with it, or for all.
    await using checked = checkedEngine(memory, tight ? { memoryBytes: 24 * 2 ** 20 } : {});
    const { engine, prover, problems, events, started } = checked;
    const play = jobs.map(async ({ circuit: which, sources, priority, mode, submitAt, cancelAt, retry }) => {
      const circuit = circuits[which]!;
      await sleep(submitAt);
      const partitions = sources.map((source): JobRequest['partitions'][number] =>
        source === 'input' ? { input: circuit.input } : { witness: source === 'witness' ? circuit.witness : circuit.wrong },
      );
      const request = { circuit: { zkey: circuit.zkey, wasm: circuit.wasm }, partitions, priority, mode };
      const { job: id } = await engine.submit(request);
      if (cancelAt !== undefined) sleep(cancelAt).then(() => engine.cancel(id));
      const first = await engine.await(id);
      const outcomes = [first];
      if (retry) outcomes.push(await engine.await((await engine.retry(id)).job));
      for (const { end, error, proofs } of outcomes) {
        if (end === 'failed') expect([error?.code, sources.includes('wrong')]).toEqual(['ProofInvalid', true]);
        if (end === 'succeeded') expect(sources).not.toContain('wrong');
        for (const { proof, publicSignals } of proofs)
          expect(await prover.verify(JSON.parse(readFileSync(circuit.vkey, 'utf8')), publicSignals, proof)).toBe(true);
      }
      return outcomes.map(({ end }) => end);
    });
    const ends = (await Promise.all(play)).flat();
    await engine.shutdown();
    expect(problems).toEqual([]);
    const state = engine.snapshot();
    expect(
      jobsOf(state)
        .map(({ phase }) => phase)
        .toSorted(),
    ).toEqual(ends.toSorted());
    for (const one of jobsOf(state)) {
      expect(isTerminalJob(one.phase)).toBe(true);
      for (const { spans } of partitionsOf(one)) for (const span of Object.values(spans)) expect(span.endedAt).toBeDefined();
    }
    expect([state.memory, state.keys, state.finalizers]).toEqual([{}, {}, {}]);
    expect(state.workers.every(({ phase }) => phase === 'idle')).toBe(true);
    expect(events.reduce(reduce, started)).toEqual(state);
  });
  await fc.assert(property, {
    numRuns: Number(process.env.CUZK_RUNS ?? 40),
    ...(process.env.CUZK_SEED ? { seed: Number(process.env.CUZK_SEED) } : {}),
  });
});
