// What a person meets when they close the window while jobs run: a question, and the tray, which leads back.
import { app, type BrowserWindow, dialog, Menu, Tray } from 'electron';
import type { Answer } from './ending.ts';
import { bringForward, icon } from './window.ts';

const answers: readonly [label: string, answer: Answer][] = [
  ['Keep running', 'keep'],
  ['Stop', 'stop'],
  ['Cancel', 'back'],
];

/** Asks what is to become of the jobs that run. */
export async function askAboutJobs(window: BrowserWindow, running: number): Promise<Answer> {
  bringForward(window);
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'cuzk',
    message: running === 1 ? 'A job is still running.' : `${running} jobs are still running.`,
    detail:
      'Kept running, they go on without the window, and the tray leads back to it. Stopped, they can be resumed from the history.',
    buttons: answers.map(([label]) => label),
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  return answers[response]?.[1] ?? 'back';
}

/** The way back to a window that was hidden; there as long as it is. */
export class HiddenWindow implements Disposable {
  readonly #window: BrowserWindow;
  #tray: Tray | undefined;

  constructor(window: BrowserWindow) {
    this.#window = window;
    // However it came back, by the tray or by a second start of the app.
    window.on('show', () => this[Symbol.dispose]());
  }

  hide(): void {
    this.#tray ??= this.#makeTray();
    this.#window.hide();
  }

  [Symbol.dispose](): void {
    this.#tray?.destroy();
    this.#tray = undefined;
  }

  #makeTray(): Tray {
    const tray = new Tray(icon(32));
    const show = () => bringForward(this.#window);
    tray.setToolTip('cuzk');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Show', click: show },
        { label: 'Quit', click: () => app.quit() },
      ]),
    );
    tray.on('click', show);
    return tray;
  }
}
