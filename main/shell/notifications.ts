// The system tells when a job has ended while the window is not in front, unless the person has switched that off.
import { type BrowserWindow, Notification } from 'electron';
import type { Handlers } from '../contract/requests.ts';
import type { HostedEngine } from '../host/engine-face.ts';
import { type Notice, noticeOf } from './jobs.ts';
import { bringForward } from './window.ts';

export interface NotificationsOptions {
  engine: Pick<HostedEngine, 'subscribe'>;
  handlers: Pick<Handlers, 'getSettings'>;
  window: BrowserWindow;
}

/** Notifies until it is disposed of. */
export function notify({ engine, handlers, window }: NotificationsOptions): Disposable {
  // What nobody holds is collected, and its click with it.
  const shown = new Set<Notification>();
  const show = ({ title, body }: Notice) => {
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.on('click', () => bringForward(window));
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };
  const tell = async (notice: Notice) => {
    const { settings } = await handlers.getSettings({});
    if (settings.notify && !window.isDestroyed() && !window.isFocused()) show(notice);
  };
  const unsubscribe = engine.subscribe((event, state) => {
    const notice = noticeOf(event, state);
    if (notice && Notification.isSupported()) tell(notice).catch((problem) => process.emitWarning(problem));
  });
  return {
    [Symbol.dispose]: () => {
      unsubscribe();
      for (const notification of shown) notification.close();
    },
  };
}
