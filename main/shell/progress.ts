// What the system shows of the jobs that run: how far they are, on the taskbar; and it does not go to sleep meanwhile.
import type { BrowserWindow } from 'electron';
import type { HostedEngine } from '../host/engine-face.ts';
import { movesProgress, progressOf, unendedJobs } from './jobs.ts';
import { Wakefulness } from './power.ts';

/** Faster than anyone sees is only work. */
const everyMs = 250;

/** Shows it until it is disposed of. */
export function showProgress(engine: Pick<HostedEngine, 'snapshot' | 'subscribe'>, window: BrowserWindow): Disposable {
  const awake = new Wakefulness();
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    timer = undefined;
    const jobs = unendedJobs(engine.snapshot());
    awake.keep(jobs.length > 0);
    // Below zero: no bar.
    if (!window.isDestroyed()) window.setProgressBar(progressOf(jobs) ?? -1);
  };
  const unsubscribe = engine.subscribe((event) => {
    if (movesProgress(event)) timer ??= setTimeout(show, everyMs);
  });
  return {
    [Symbol.dispose]: () => {
      unsubscribe();
      clearTimeout(timer);
      awake.keep(false);
    },
  };
}
