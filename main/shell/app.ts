// The desktop app from its start to its end: the workstation, its window, and what joins them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, powerMonitor, session } from 'electron';
import { CuzkError } from '../contract/errors.ts';
import { Page } from '../host/page.ts';
import { openWorkstation } from '../host/workstation.ts';
import { packageRoot } from '../package-root.ts';
import { NativeProver } from '../prover/native/native-prover.ts';
import { askAboutJobs, HiddenWindow } from './closing.ts';
import { Ending } from './ending.ts';
import { serveIpc } from './ipc.ts';
import { unendedJobs } from './jobs.ts';
import { setMenu } from './menu.ts';
import { notify } from './notifications.ts';
import { confineSession } from './permissions.ts';
import { showProgress } from './progress.ts';
import { servePage } from './protocol.ts';
import { Reloads } from './recovery.ts';
import { bringForward, loadPage, makeWindow } from './window.ts';

export interface AppOptions {
  /** Where the window's place is kept. */
  folder: string;
}

const note = (code: string, message: string) => void process.stderr.write(`note: ${message} (${code})\n`);

/** Opens the app. It ends the process itself. */
export async function openApp({ folder }: AppOptions): Promise<void> {
  await using opening = new AsyncDisposableStack();
  const page = openPage();
  setMenu(process.platform, app.isPackaged);
  const own = session.defaultSession;
  confineSession(own);
  servePage(own, page);
  const workstation = opening.use(await openWorkstation({ prover: new NativeProver(), onNote: note }));
  const { engine, handlers, now } = workstation;
  const window = makeWindow({
    session: own,
    preload: join(packageRoot, 'dist', 'shell', 'preload.cjs'),
    placeFile: join(folder, 'window.json'),
  });
  opening.use(serveIpc(window, { engine, handlers, now, onRefused: ({ code, message }) => note(code, message) }));
  opening.use(showProgress(engine, window));
  opening.use(notify({ engine, handlers, window }));
  const hidden = opening.use(new HiddenWindow(window));

  const ending = new Ending({
    running: () => unendedJobs(engine.snapshot()).length,
    ask: (running) => askAboutJobs(window, running),
    hide: () => hidden.hide(),
    end: async () => {
      window.hide();
      await all.disposeAsync();
      app.exit(0);
    },
  });
  const warn = (problem: unknown) => process.emitWarning(problem instanceof Error ? problem : String(problem));
  window.on('close', (event) => {
    event.preventDefault();
    ending.close().catch(warn);
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    ending.close().catch(warn);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void ending.now().catch(warn));
  // The system shuts down: what runs is written down as interrupted.
  powerMonitor.on('shutdown', () => void ending.now().catch(warn));
  window.on('session-end', () => void ending.now().catch(warn));
  app.on('second-instance', () => bringForward(window));
  app.on('activate', () => bringForward(window));

  const reloads = new Reloads();
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    note('PageGone', `the window's page ended (${reason})`);
    if (reloads.again(performance.now())) window.webContents.reload();
    else
      dialog.showErrorBox(
        'cuzk',
        `The window's page ends again and again (${reason}). Jobs go on; quit cuzk and start it again to see them.`,
      );
  });
  const all = opening.move();
  await loadPage(window);
}

/** The bundled page. Throws `PageMissing`. */
function openPage(): Page {
  const folder = join(packageRoot, 'dist', 'renderer');
  if (existsSync(folder)) return new Page(folder);
  throw new CuzkError('PageMissing', 'the page is not bundled here', { file: folder, remedy: 'npm run set-up' });
}
