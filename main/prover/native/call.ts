// One native call: its Task tied to an AbortSignal, its progress polled, its errors translated.
import { abortedCode, asCuzkError, CuzkError } from '../../contract/errors.ts';
import type { CallOptions } from '../prover.ts';
import type { Addon, Task } from './addon.d.ts';

// Ten times a second is as often as a person can read, and costs nothing beside the computation.
const pollMs = 100;

function abortedError(): CuzkError {
  return new CuzkError(abortedCode, 'interrupted');
}

/** Runs `work` with a fresh Task. `file` is what an error is about when it does not say so itself. */
export async function call<T>(
  addon: Addon,
  { signal, onProgress }: CallOptions,
  work: (task: Task) => Promise<T>,
  file?: string,
): Promise<T> {
  if (signal?.aborted) throw abortedError();
  const task = new addon.Task();
  const abort = () => task.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer = onProgress ? setInterval(() => onProgress(task.progress()), pollMs) : undefined;
  try {
    return await work(task);
  } catch (problem) {
    const error = asCuzkError(problem, file);
    throw error.code === abortedCode ? abortedError() : error;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', abort);
  }
}
