// The contract over Electron's IPC: what comes from anything but our page in our window is not heard.
import { type BrowserWindow, dialog, type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { channels } from '../contract/bridge.ts';
import { CuzkError } from '../contract/errors.ts';
import { dialogOf } from './choosing.ts';
import { isPage } from './origin.ts';
import { PageLink, type PageLinkOptions } from './page-link.ts';

type Sent = Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

/** Throws `SenderForeign` unless a message comes from our page, in the main frame of our window. */
function requireOurs({ sender, senderFrame }: Sent, window: BrowserWindow): void {
  const isOurs = sender === window.webContents && senderFrame !== null && senderFrame.parent === null && isPage(senderFrame.url);
  if (!isOurs)
    throw new CuzkError('SenderForeign', `a message of ${senderFrame?.url ?? 'a page that is gone'} is not heard`, {
      remedy: 'nothing needs to be done: only the page of cuzk is listened to',
    });
}

/** Serves the contract to the window's page, until it is disposed of; a page that is reloaded, or whose process ends, begins anew. */
export function serveIpc(window: BrowserWindow, options: Omit<PageLinkOptions, 'deliver'>): Disposable {
  const contents = window.webContents;
  const link = new PageLink({
    ...options,
    deliver: (text) => {
      if (!contents.isDestroyed() && !contents.isCrashed()) contents.send(channels.host, text);
    },
  });
  const guarded = (hear: (value: unknown) => void) => (event: IpcMainEvent, value: unknown) => {
    try {
      requireOurs(event, window);
      hear(value);
    } catch (problem) {
      // There is nobody to answer to.
      options.onRefused(problem as CuzkError);
    }
  };
  const onPage = guarded((value) => link.receive(value));
  const onTaken = guarded((value) => link.taken(value));
  ipcMain.on(channels.page, onPage);
  ipcMain.on(channels.taken, onTaken);
  ipcMain.handle(channels.choose, async (event, value: unknown) => {
    requireOurs(event, window);
    const { filePaths } = await dialog.showOpenDialog(window, dialogOf(value));
    return filePaths;
  });
  const end = () => link.end();
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) end();
  });
  contents.on('render-process-gone', end);
  contents.on('destroyed', end);
  return {
    [Symbol.dispose]: () => {
      ipcMain.off(channels.page, onPage);
      ipcMain.off(channels.taken, onTaken);
      ipcMain.removeHandler(channels.choose);
      link[Symbol.dispose]();
    },
  };
}
