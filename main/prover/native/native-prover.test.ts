// The border to the addon with a fake on the other side: signals, progress, errors, handles.
import { expect, test, vi } from 'vitest';
import type { Progress } from '../prover.ts';
import type { Addon, Task } from './addon.d.ts';
import { NativeProver } from './native-prover.ts';

class FakeTask implements Task {
  static last: FakeTask | undefined;
  aborted = false;
  stop: (() => void) | undefined;
  constructor() {
    FakeTask.last = this;
  }
  abort() {
    this.aborted = true;
    this.stop?.();
  }
  progress(): Progress {
    return { phase: 'ntt', done: 1, total: 2 };
  }
}

const coded = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
const release = vi.fn();
/** The calls of a finalizer, in the order in which they came. */
const calls: string[] = [];

/** An addon whose proofs take until they are aborted. */
const addon = {
  Task: FakeTask,
  loadCircuit: async () => ({ info: { curve: 'bn254' }, release }),
  prove: (task: FakeTask) =>
    new Promise((_, reject) => {
      task.stop = () => reject(coded('Aborted'));
    }),
  synthesize: async () => ({ release }),
  proveStart: async () => ({ release }),
  proveAssemble: async () => {
    calls.push('assemble');
  },
  proveFinish: async () => {
    calls.push('finish');
    return { proof: {}, publicSignals: [], timings: {} };
  },
  verify: async () => {
    throw coded('ProofMalformed', { offset: 3, remedy: 'r' });
  },
  sizesOf: async (_: Task, path: string, distinctCoefficients?: number) => {
    calls.push(`sizes of ${path}, ${distinctCoefficients}`);
    if (path === 'a.zkey') throw coded('ZkeyTruncated', { offset: 9 });
    return {};
  },
  exportVkey: async () => {
    throw coded('ZkeyTruncated', { offset: 9 });
  },
} as unknown as Addon;

const prover = new NativeProver(addon);
const load = () => prover.loadCircuit('a.zkey', 'cpu', { checkPoints: true, allowInsecure: false });

test('an aborted signal stops the native task, and the call rejects as interrupted', async () => {
  using circuit = await load();
  const stop = new AbortController();
  const proof = prover.prove(circuit, 'w.wtns', { signal: stop.signal });
  stop.abort();
  await expect(proof).rejects.toMatchObject({ code: 'Aborted', message: 'interrupted' });
  expect(FakeTask.last?.aborted).toBe(true);
});

test('a signal that was aborted before starts no native call', async () => {
  using circuit = await load();
  const before = FakeTask.last;
  await expect(prover.prove(circuit, 'w.wtns', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'Aborted' });
  expect(FakeTask.last).toBe(before);
});

test('progress is told while a call runs, and not after it', async () => {
  vi.useFakeTimers();
  const circuit = await load();
  const stop = new AbortController();
  const reports: Progress[] = [];
  const proof = prover.prove(circuit, 'w.wtns', { signal: stop.signal, onProgress: (report) => reports.push(report) });
  vi.advanceTimersByTime(350);
  expect(reports).toHaveLength(3);
  stop.abort();
  await expect(proof).rejects.toMatchObject({ code: 'Aborted' });
  vi.advanceTimersByTime(1000);
  expect(reports).toHaveLength(3);
  vi.useRealTimers();
});

const start = async (circuit: Awaited<ReturnType<typeof load>>) =>
  prover.proveStart(await prover.synthesize(circuit, 'w.wtns'), 'cpu');

test('a finalizer says when the proof is assembled and its verification begins', async () => {
  using circuit = await load();
  using pending = await start(circuit);
  calls.length = 0;
  await prover.proveFinish(pending, { onVerify: () => calls.push('told') });
  expect(calls).toEqual(['assemble', 'told', 'finish']);
});

test('a proof that is aborted or released before its verification is not verified', async () => {
  using circuit = await load();
  const stop = new AbortController();
  using aborted = await start(circuit);
  calls.length = 0;
  const finish = prover.proveFinish(aborted, { signal: stop.signal, onVerify: () => stop.abort() });
  await expect(finish).rejects.toMatchObject({ code: 'Aborted' });
  expect(calls).toEqual(['assemble']);
  const gone = await start(circuit);
  gone.release();
  await expect(prover.proveFinish(gone)).rejects.toMatchObject({ code: 'HandleReleased' });
  expect(calls).toEqual(['assemble']);
});

test('what is known of a key beforehand reaches the native call', async () => {
  calls.length = 0;
  await prover.sizesOf('b.zkey');
  await prover.sizesOf('b.zkey', { distinctCoefficients: 5 });
  expect(calls).toEqual(['sizes of b.zkey, undefined', 'sizes of b.zkey, 5']);
});

test('a native refusal becomes an error with its code, offset and remedy, about the file that was given', async () => {
  await expect(prover.sizesOf('a.zkey')).rejects.toMatchObject({ code: 'ZkeyTruncated', file: 'a.zkey', offset: 9 });
  await expect(prover.exportVkey('a.zkey')).rejects.toMatchObject({ code: 'ZkeyTruncated', file: 'a.zkey', offset: 9 });
  await expect(prover.verify({} as never, [], {} as never)).rejects.toMatchObject({
    code: 'ProofMalformed',
    offset: 3,
    remedy: 'r',
  });
});

test('a handle is released once, and not used afterwards', async () => {
  release.mockClear();
  const circuit = await load();
  circuit.release();
  circuit.release();
  expect(release).toHaveBeenCalledTimes(1);
  expect(() => prover.prove(circuit, 'w.wtns')).toThrow(expect.objectContaining({ code: 'HandleReleased' }));
});
