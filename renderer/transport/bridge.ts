// The contract over what the desktop app's preload puts into the page: `window.cuzk`.
import type { Bridge, BridgeMessage } from '../../main/contract/bridge.ts';
import type { LinkListener, OpenLink } from './link.ts';
import { LinkConnection } from './link-connection.ts';

/** Links over the bridge, one at a time: the newest hears what comes. */
export function bridgeLink({ send, onMessage }: Pick<Bridge, 'send' | 'onMessage'>): OpenLink {
  let current: LinkListener | undefined;
  onMessage((text) => {
    const message = JSON.parse(text) as BridgeMessage;
    if (message.type !== 'ended') {
      current?.onMessage(message);
      return;
    }
    const listener = current;
    current = undefined;
    listener?.onClose(new Error(message.error.message));
  });
  return (listener) => {
    current = listener;
    const isMine = () => current === listener;
    // Nothing has to be opened: the host begins a session with the first message.
    queueMicrotask(() => {
      if (isMine()) listener.onOpen();
    });
    return {
      send: (message) => send(JSON.stringify(message)),
      close: () => {
        if (isMine()) current = undefined;
      },
    };
  };
}

/** The desktop app that the page is shown in; undefined in a browser. */
export const bridgeOf = (page: object): Bridge | undefined => (page as { cuzk?: Bridge }).cuzk;

/** The app around the page: its engine, the paths of dropped files, and the system's dialog. */
export function bridgeConnection(bridge: Bridge): LinkConnection {
  return new LinkConnection({
    name: 'this computer',
    open: bridgeLink(bridge),
    pathOf: (file) => bridge.pathOf(file),
    chooseFiles: (options) => bridge.chooseFiles(options),
  });
}
