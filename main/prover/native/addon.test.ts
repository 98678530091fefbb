// The addon itself over the bundled sample: what its handles, tasks and errors promise, whoever misuses them.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WitnessCalculator } from '../../circuits/witness-calculator.ts';
import { packageRoot } from '../../package-root.ts';
import type { Circuit, Pending, ProofResult, Synthesis, Task, VerificationKeyJson } from './addon.d.ts';
import { loadNative } from './load.ts';

const { addon, path: addonPath } = loadNative();
const sample = (name: string) => join(packageRoot, 'samples', 'merkle', name);
const zkey = sample('circuit.zkey');
const r1cs = sample('circuit.r1cs');
const vkey = JSON.parse(readFileSync(sample('verification_key.json'), 'utf8')) as VerificationKeyJson;

let folder: string;
let witness: Uint8Array;
let wtns: string;
let circuit: Circuit;
/** The smallest call that keeps the pool busy for a while: everything behind it waits. */
const busy = () => addon.prove(new addon.Task(), circuit, witness, 'busy');
const load = (task = new addon.Task(), options = {}) =>
  addon.loadCircuit(task, { zkey, checkPoints: true, allowInsecure: false, ...options });
const valid = ({ publicSignals, proof }: ProofResult) => addon.verify(new addon.Task(), vkey, publicSignals, proof);
const released = { code: 'HandleReleased' };
const stopped = { code: 'Aborted' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-addon-'));
  await using calculator = new WitnessCalculator(sample('circuit.wasm'));
  witness = await calculator.compute(sample('inputs/0.json'));
  wtns = join(folder, 'w.wtns');
  writeFileSync(wtns, witness);
  circuit = await load();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a synthesis is used up by its start, and a pending proof by its finish', async () => {
  const synthesis = await addon.synthesize(new addon.Task(), circuit, wtns, wtns);
  const starting = addon.proveStart(new addon.Task(), synthesis);
  await expect(addon.proveStart(new addon.Task(), synthesis)).rejects.toMatchObject(released);
  const pending = await starting;
  const finishing = addon.proveFinish(new addon.Task(), pending);
  await expect(addon.proveFinish(new addon.Task(), pending)).rejects.toMatchObject(released);
  expect(await valid(await finishing)).toBe(true);
  pending.release();
  synthesis.release();
});

test('a proof is assembled once, and comes out only verified', async () => {
  const start = async (bytes: Uint8Array) =>
    addon.proveStart(new addon.Task(), await addon.synthesize(new addon.Task(), circuit, bytes, 'w'));
  const pending = await start(witness);
  expect(await addon.proveAssemble(new addon.Task(), pending)).toBeUndefined();
  const finishTask = new addon.Task();
  const again = addon.proveAssemble(new addon.Task(), pending);
  const finishing = addon.proveFinish(finishTask, pending);
  expect(await again).toBeUndefined();
  const result = await finishing;
  expect(await valid(result)).toBe(true);
  expect(Object.keys(result.timings).filter((name) => name === 'finish')).toHaveLength(1);
  expect(finishTask.progress().phase).toBe('verify');
  await expect(addon.proveAssemble(new addon.Task(), pending)).rejects.toMatchObject(released);
  await expect(addon.proveFinish(new addon.Task(), pending)).rejects.toMatchObject(released);

  const wrong = Uint8Array.from(witness);
  wrong[wrong.length - 32]! ^= 1;
  const refused = await start(wrong);
  expect(await addon.proveAssemble(new addon.Task(), refused)).toBeUndefined();
  await expect(addon.proveFinish(new addon.Task(), refused)).rejects.toMatchObject({ code: 'ProofInvalid' });
});

test('an assembled proof that is released or aborted is gone, and one at work when it is released ends', async () => {
  const start = async () => addon.proveStart(new addon.Task(), await addon.synthesize(new addon.Task(), circuit, witness, 'w'));
  const dropped = await start();
  await addon.proveAssemble(new addon.Task(), dropped);
  dropped.release();
  await expect(addon.proveFinish(new addon.Task(), dropped)).rejects.toMatchObject(released);

  const atWork = await start();
  const assembling = addon.proveAssemble(new addon.Task(), atWork);
  atWork.release();
  expect(await assembling).toBeUndefined();

  const task = new addon.Task();
  const aborted = await start();
  await addon.proveAssemble(task, aborted);
  task.abort();
  await expect(addon.proveFinish(task, aborted)).rejects.toMatchObject(stopped);
  await expect(addon.proveFinish(new addon.Task(), aborted)).rejects.toMatchObject(released);

  // Aborted before it was assembled, it can still be finished.
  const kept = await start();
  await expect(addon.proveAssemble(task, kept)).rejects.toMatchObject(stopped);
  expect(await valid(await addon.proveFinish(new addon.Task(), kept))).toBe(true);
});

test('a circuit that is released, once or twice, while proofs of it run or wait serves them to the end', async () => {
  const own = await load();
  const proofs = [1, 2].map(() => addon.prove(new addon.Task(), own, witness, 'w'));
  own.release();
  own.release();
  for (const proof of await Promise.all(proofs)) expect(await valid(proof)).toBe(true);
  await expect(addon.prove(new addon.Task(), own, witness, 'w')).rejects.toMatchObject(released);
});

test('a pending proof holds its circuit', async () => {
  const own = await load();
  const synthesis = await addon.synthesize(new addon.Task(), own, witness, 'w');
  const pending = await addon.proveStart(new addon.Task(), synthesis);
  own.release();
  expect(await valid(await addon.proveFinish(new addon.Task(), pending))).toBe(true);
});

test('handles and tasks are not taken for one another, nor made by hand', async () => {
  const synthesis = await addon.synthesize(new addon.Task(), circuit, witness, 'w');
  const task = new addon.Task();
  const refused = expect.objectContaining({ name: 'TypeError' });
  await expect(addon.prove({} as Task, circuit, witness, 'w')).rejects.toEqual(refused);
  await expect(addon.prove(Object.create(task), circuit, witness, 'w')).rejects.toEqual(refused);
  await expect(addon.prove(task, synthesis as unknown as Circuit, witness, 'w')).rejects.toEqual(refused);
  await expect(addon.proveStart(task, circuit as unknown as Synthesis)).rejects.toEqual(refused);
  await expect(addon.proveFinish(task, synthesis as unknown as Pending)).rejects.toEqual(refused);
  await expect((addon.prove as () => Promise<ProofResult>)()).rejects.toEqual(refused);
  await expect(addon.prove(task, circuit, new Uint16Array(4) as unknown as Uint8Array, 'w')).rejects.toEqual(refused);
  expect(() => circuit.release.call(task as unknown as Circuit)).toThrow(TypeError);
  expect(() => circuit.release.call(synthesis)).toThrow(TypeError);
  expect(() => task.abort.call(circuit)).toThrow(TypeError);
  expect(() => new (circuit.constructor as new () => Circuit)()).toThrow('made by the addon only');
  synthesis.release();
});

test("an exception of the caller's own getter comes back as it is", async () => {
  const mine = new RangeError('mine');
  const options = {
    get zkey(): string {
      throw mine;
    },
  };
  await expect(addon.loadCircuit(new addon.Task(), options as never)).rejects.toBe(mine);
});

test('a task aborted before its call stops every call', async () => {
  const task = new addon.Task();
  task.abort();
  const synthesis = await addon.synthesize(new addon.Task(), circuit, witness, 'w');
  const pending = await addon.proveStart(new addon.Task(), await addon.synthesize(new addon.Task(), circuit, witness, 'w'));
  const result = await busy();
  const out = join(folder, 'none.zkey');
  const outcomes = await Promise.allSettled<unknown>([
    load(task),
    addon.synthesize(task, circuit, witness, 'w'),
    addon.proveStart(task, synthesis),
    addon.proveAssemble(task, pending),
    addon.proveFinish(task, pending),
    addon.prove(task, circuit, witness, 'w'),
    addon.verify(task, vkey, result.publicSignals, result.proof),
    addon.verifyMany(task, vkey, [result]),
    addon.checkWitness(task, { r1cs, witness }),
    addon.setup(task, { r1cs, out }),
    addon.inspect(task, zkey),
    addon.sizesOf(task, zkey),
    addon.exportVkey(task, zkey),
  ]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: stopped });
  expect(existsSync(out)).toBe(false);
});

test('a call that waits for the threads stops when its task is aborted, and those around it do not', async () => {
  const task = new addon.Task();
  const first = busy();
  const waiting = addon.prove(task, circuit, witness, 'waiting');
  const last = busy();
  task.abort();
  await expect(waiting).rejects.toMatchObject(stopped);
  expect(await valid(await first)).toBe(true);
  expect(await valid(await last)).toBe(true);
});

test('a proof aborted at any moment stops or ends whole, and the next one is right', async () => {
  let stops = 0;
  for (let after = 0; after < 40; after += 2) {
    const task = new addon.Task();
    const proof = addon.prove(task, circuit, witness, 'w');
    await new Promise((resolve) => setTimeout(resolve, after));
    task.abort();
    await proof.then(
      async (result) => expect(await valid(result)).toBe(true),
      (problem) => {
        stops++;
        expect(problem).toMatchObject(stopped);
      },
    );
  }
  expect(stops).toBeGreaterThan(0);
  expect(await valid(await busy())).toBe(true);
});

test('one task given to two calls aborts both', async () => {
  const task = new addon.Task();
  const calls = [1, 2].map(() => addon.prove(task, circuit, witness, 'w'));
  task.abort();
  for (const outcome of await Promise.allSettled(calls)) expect(outcome).toMatchObject({ status: 'rejected', reason: stopped });
});

test('calls of all kinds at once give what each gives alone', async () => {
  const result = await busy();
  const [proof, other, check, key, ok] = await Promise.all([
    busy(),
    addon.prove(new addon.Task(), circuit, wtns, wtns),
    addon.checkWitness(new addon.Task(), { r1cs, witness }),
    load(),
    valid(result),
  ]);
  expect(proof.publicSignals).toEqual(result.publicSignals);
  expect(other.publicSignals).toEqual(result.publicSignals);
  expect(proof.proof).not.toEqual(other.proof);
  expect(check).toEqual({ ok: true });
  expect(key.info).toEqual(circuit.info);
  expect(ok).toBe(true);
  key.release();
});

test('an error carries its code, the file, the offset and the remedy', async () => {
  const broken = readFileSync(zkey);
  const file = join(folder, 'broken.zkey');
  writeFileSync(file, broken.subarray(0, broken.length / 2));
  await expect(load(undefined, { zkey: file })).rejects.toMatchObject({
    name: 'Error',
    code: 'ZkeyTruncated',
    file,
    offset: expect.any(Number),
    remedy: expect.stringMatching(/./),
  });
  const large = Uint8Array.from(witness);
  large.fill(0xff, large.length - 32);
  await expect(addon.prove(new addon.Task(), circuit, large, 'large.wtns')).rejects.toMatchObject({
    code: 'WitnessNotReduced',
    file: 'large.wtns',
    offset: large.length - 32,
    remedy: expect.stringMatching(/./),
  });
});

test('an empty or detached array is no witness', async () => {
  const detached = Uint8Array.from(witness);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  for (const bytes of [detached, new Uint8Array(0)])
    await expect(addon.prove(new addon.Task(), circuit, bytes, 'none')).rejects.toMatchObject({ code: 'WtnsNotThisFormat' });
});

test('bytes that change after a call are not those that are proved', async () => {
  const bytes = Uint8Array.from(witness);
  const proof = addon.prove(new addon.Task(), circuit, bytes, 'w');
  bytes.fill(0xff);
  expect(await valid(await proof)).toBe(true);
});

test('the processor is a device that computes on the threads of the host', () => {
  expect(addon.devices()).toMatchObject([{ id: 'cpu', usesHostThreads: true, threads: expect.any(Number) }]);
});

test('what a key and its proofs take is known before it is loaded, while other computations run', async () => {
  const order: string[] = [];
  const running = busy().then(() => order.push('proof'));
  const { keyBytes, loadBytes, synthesisBytes, deviceBytes, finishBytes, ...header } = await addon.sizesOf(new addon.Task(), zkey);
  order.push('sizes');
  await running;
  expect(order).toEqual(['sizes', 'proof']);
  const { residentBytes, proofBytes, insecure, uncontributedAt, ...info } = circuit.info;
  expect(header).toEqual(info);
  expect(keyBytes).toBe(residentBytes);
  expect(synthesisBytes + deviceBytes).toBe(proofBytes);
  for (const bytes of [loadBytes, synthesisBytes, deviceBytes, finishBytes]) expect(bytes).toBeGreaterThan(0);
  await expect(addon.sizesOf(new addon.Task(), wtns)).rejects.toMatchObject({ code: 'ZkeyNotThisFormat', file: wtns });
});

test('who tells how many different coefficients a key has spares reading them', async () => {
  const counting = new addon.Task();
  const sizes = await addon.sizesOf(counting, zkey);
  expect(counting.progress().total).toBeGreaterThan(0);
  const told = new addon.Task();
  expect(await addon.sizesOf(told, zkey, sizes.distinctCoefficients)).toEqual(sizes);
  expect(told.progress()).toEqual({ phase: 'idle', done: 0, total: 0 });
  for (const none of [-1, 1.5, Number.NaN, 2 ** 60, '7', null])
    await expect(addon.sizesOf(told, zkey, none as number)).rejects.toEqual(expect.objectContaining({ name: 'TypeError' }));
});

test('a path with a zero byte names no file, not the one before the byte', async () => {
  await expect(addon.inspect(new addon.Task(), `${zkey}\0.wtns`)).rejects.toMatchObject({ code: 'FileNotFound' });
  const out = `${join(folder, 'cut.zkey')}\0.txt`;
  await expect(addon.setup(new addon.Task(), { r1cs, out })).rejects.toMatchObject({ code: 'FileUnwritable' });
});

test('the event loop stays free while proofs run', async () => {
  // A call that held the loop up would let one tick through for each proof.
  let ticks = 0;
  let proofs = 0;
  const timer = setInterval(() => ticks++, 5);
  const from = performance.now();
  for (; performance.now() - from < 500; proofs++) await busy();
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(2 * proofs);
});

test('a worker that is stopped at work ends at once, and the addon goes on elsewhere', async () => {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    const addon = require(workerData.addonPath);
    const task = () => new addon.Task();
    addon.loadCircuit(task(), { zkey: workerData.zkey, checkPoints: false, allowInsecure: false }).then((circuit) => {
      const again = () => addon.prove(task(), circuit, workerData.wtns, 'w').then(again);
      for (let i = 0; i < 3; i++) again();
      parentPort.postMessage('at work');
    });`;
  for (let i = 0; i < 5; i++) {
    const worker = new Worker(code, { eval: true, workerData: { addonPath, zkey, wtns } });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await new Promise((resolve) => setTimeout(resolve, 5 * i));
    const asked = performance.now();
    await worker.terminate();
    expect(performance.now() - asked).toBeLessThan(1000);
  }
  expect(await valid(await busy())).toBe(true);
});

test('what is held is counted, and what is released is given back to the byte', async () => {
  const before = addon.allocatedBytes();
  const own = await load();
  const synthesis = await addon.synthesize(new addon.Task(), own, witness, 'w');
  expect(addon.allocatedBytes()).toBeGreaterThan(before);
  synthesis.release();
  own.release();
  await expect.poll(() => addon.allocatedBytes()).toBe(before);
});

test('memory does not grow over a hundred proofs, refusals and loads', async () => {
  const wrong = Uint8Array.from(witness);
  wrong[wrong.length - 32]! ^= 1;
  const round = async (i: number) => {
    const task = new addon.Task();
    const aborted = addon.prove(task, circuit, witness, 'w').catch(() => {});
    setTimeout(() => task.abort(), i % 10);
    expect(await valid(await busy())).toBe(true);
    if (i % 4 === 0) {
      await expect(addon.prove(new addon.Task(), circuit, wrong, 'wrong')).rejects.toMatchObject({ code: 'ProofInvalid' });
      (await load(undefined, { checkPoints: false })).release();
    }
    await aborted;
  };
  for (let i = 0; i < 20; i++) await round(i);
  const [buffers, before] = [addon.allocatedBytes(), process.memoryUsage()];
  for (let i = 0; i < 100; i++) await round(i);
  await expect.poll(() => addon.allocatedBytes()).toBe(buffers);
  // Without what the JavaScript heap keeps for later, which is more on a busy machine.
  const after = process.memoryUsage();
  expect(after.rss - after.heapTotal - (before.rss - before.heapTotal)).toBeLessThan(60 * 2 ** 20);
});
