// A wire that carries the contract's messages both ways: Electron's bridge, or a WebSocket.
import type { HostMessage, PageMessage } from '../../main/contract/wire.ts';

export interface LinkListener {
  /** From now on messages can be sent. */
  onOpen(): void;
  onMessage(message: HostMessage): void;
  /** It is closed, or could not be opened; nothing more comes. */
  onClose(problem: Error): void;
}

export interface Link {
  send(message: PageMessage): void;
  close(): void;
}

/** Opens a link; what `listener` hears comes later, never while this runs. */
export type OpenLink = (listener: LinkListener) => Link;
