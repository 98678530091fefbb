// All that stands behind a page: the engine on its prover, the history, and who answers each request. The same for the desktop app and for a
// browser.
import type { Settings } from '../contract/app.ts';
import type { Handlers } from '../contract/requests.ts';
import type { Engine } from '../engine/engine.ts';
import { historyFile } from '../history/location.ts';
import { Recorder } from '../history/recorder.ts';
import { openHistoryService } from '../history/service.ts';
import type { Prover } from '../prover/prover.ts';
import { appHandlers, appName } from './app-handlers.ts';
import { engineHandlers } from './engine-handlers.ts';
import { OpeningJournal } from './journal.ts';
import { openEngine } from './open-engine.ts';
import { readSettings, settingsFile } from './settings.ts';

export interface WorkstationOptions {
  prover: Prover;
  /** Instead of what is set. */
  memoryBytes?: number | undefined;
  /** Told of what the person should know, and that nobody asked for. */
  onNote?: (code: string, message: string) => void;
}

export interface Workstation extends AsyncDisposable {
  engine: Engine;
  handlers: Handlers;
  settings: Settings;
  /** The engine's clock. */
  now: () => number;
}

const msPerDay = 86_400_000;

/** Opens everything and starts the engine; disposing of it ends what runs as `interrupted`, and writes it down. */
export async function openWorkstation({ prover, memoryBytes, onNote = () => {} }: WorkstationOptions): Promise<Workstation> {
  await using opening = new AsyncDisposableStack();
  const settings = await readSettings(settingsFile());
  const { threads, synthesisWorkers, deviceWorkers, keepDays, keepBytes } = settings;
  if (threads !== null) prover.setThreads?.(threads);
  const file = historyFile();
  const journal = opening.use(new OpeningJournal(() => Recorder.open({ file, app: appName })));
  const opened = opening.use(
    openEngine(prover, {
      memoryBytes: memoryBytes ?? settings.memoryBytes ?? undefined,
      journal,
      synthesisWorkers: synthesisWorkers ?? undefined,
      deviceWorkers: deviceWorkers ?? undefined,
    }),
  );
  const engine = opened.engine.start();
  journal.attach(engine);
  try {
    const recorder = await journal.recorder();
    if (recorder.interrupted.length > 0)
      onNote('Interrupted', `${recorder.interrupted.length} jobs had not ended when cuzk last did`);
    const beforeMs = keepDays === null ? undefined : Date.now() - keepDays * msPerDay;
    if (beforeMs !== undefined || keepBytes !== null) {
      const { jobs } = await recorder.prune({ beforeMs, mostBytes: keepBytes ?? undefined });
      if (jobs > 0) onNote('Pruned', `${jobs} jobs were deleted from the history, as the settings say`);
    }
  } catch {
    // The page says it, with what to do; a job that is submitted tries again.
    const { code = '', message = '' } = journal.problem ?? {};
    onNote(code, message);
  }
  // Disposed of before the journal, whose closing then leaves one file.
  const history = opening.use(openHistoryService({ file, recorder: () => journal.recorder(), engine, prover }));
  const handlers: Handlers = {
    ...engineHandlers(engine),
    ...appHandlers({ prover, historyFile: file, historyProblem: () => journal.problem, settingsFile: settingsFile(), settings }),
    ...history.handlers,
  };
  const all = opening.move();
  return { engine, handlers, settings, now: () => performance.now(), [Symbol.asyncDispose]: () => all.disposeAsync() };
}
