// cuzk app: the app in a browser's window, or its address where no window can be shown.
import { dirname, join } from 'node:path';
import { isTerminalJob, jobsOf } from '../../contract/state.ts';
import { findBrowser, noScreen, openAppWindow } from '../../host/app-window.ts';
import type { HostedEngine } from '../../host/engine-face.ts';
import { settingsFile } from '../../host/settings.ts';
import type { Context } from '../context.ts';
import { plural } from '../format.ts';
import { type Served, type ServeOptions, serve } from './serve.ts';

/** Serves the app, shows it, and ends when its window was closed and no job runs any more. */
export async function app(context: Context, options: ServeOptions, open: (context: Context) => Promise<Served>): Promise<number> {
  const { output } = context;
  const ended = new AbortController();
  let engine: HostedEngine | undefined;
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const show = async (address: string | undefined) => {
    const reason = noScreen();
    const browser = reason ? undefined : findBrowser();
    if (!address || !browser) {
      const why = !address ? 'the page is not bundled here: npm run set-up' : (reason ?? 'no Chromium is installed');
      output.note({ event: 'note', note: 'no window', why }, `no window is opened: ${why}; open the address in a browser`);
      return;
    }
    const openedAt = performance.now();
    const window = await openAppWindow(browser, address, join(dirname(settingsFile()), 'window'));
    output.result({ event: 'window', browser }, `a window of ${browser} shows it; closing the window ends cuzk`);
    signal.addEventListener('abort', () => window.close(), { once: true });
    const problem = await window.closed;
    if (signal.aborted) return;
    if (problem !== undefined) {
      output.note(
        { event: 'note', note: 'no window', why: problem },
        `${browser} could not show it: ${problem}; open the address in a browser`,
      );
      return;
    }
    if (performance.now() - openedAt < handedOverMs) {
      output.note(
        { event: 'note', note: 'window elsewhere' },
        'the window belongs to another cuzk that is open already; Ctrl-C ends this one',
      );
      return;
    }
    await jobsEnded(context, engine!);
    ended.abort();
  };
  const opening = async (inner: Context) => {
    const served = await open(inner);
    engine = served.engine;
    return served;
  };
  const code = await serve({ ...context, signal }, { listen: '127.0.0.1:0', ...options }, opening, (address) => void show(address));
  return context.signal.aborted ? code : 0;
}

/** A browser that ends so soon has given the window to one of its own that runs already. */
const handedOverMs = 1500;

/** Closing the window does not stop what was asked for. */
async function jobsEnded({ output, signal }: Context, engine: HostedEngine): Promise<void> {
  const running = () => jobsOf(engine.snapshot()).filter(({ phase }) => !isTerminalJob(phase)).length;
  const left = running();
  if (left === 0) return;
  output.note(
    { event: 'note', note: 'jobs run', jobs: left },
    `${plural(left, 'job')} still run: cuzk ends with the last one, Ctrl-C stops them`,
  );
  await new Promise<void>((resolve) => {
    const unsubscribe = engine.subscribe(() => {
      if (running() > 0 && !signal.aborted) return;
      unsubscribe();
      resolve();
    });
  });
}
