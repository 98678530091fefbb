// The engine's time: the machine's, or a test's.
import { setTimeout as wait } from 'node:timers/promises';
import { CuzkError } from '../contract/errors.ts';

export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970. */
  wallMs(): number;
  /** Resolves after `ms`; rejects with `Aborted` as soon as `signal` says so. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
    } catch {
      throw new CuzkError('Aborted', 'stopped');
    }
  },
};
