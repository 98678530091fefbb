// What the preload puts into the page in the desktop app, as `window.cuzk`, and the channels behind it. The wire's messages go over it as
// JSON: the size of a text is known before it is read, and it crosses from one world into the other at once.
import type { Failure } from './events.ts';
import type { HostMessage } from './wire.ts';

export interface ChooseOptions {
  /** What stands above the dialog. */
  title: string;
  /** Endings without the dot: `zkey`. All if it is left out. */
  extensions?: string[];
  several?: boolean;
}

/** All that the page has of the app around it. */
export interface Bridge {
  /** A page message, as JSON. */
  send(message: string): void;
  /** Who hears what the host sends, as JSON of `BridgeMessage`; one at a time. */
  onMessage(listener: (message: string) => void): void;
  /** Where a file that was dropped onto the page is; empty for one that is on no disk. */
  pathOf(file: File): string;
  /** Lets the person choose files; empty when they choose none. */
  chooseFiles(options: ChooseOptions): Promise<string[]>;
}

export type BridgeMessage =
  | HostMessage
  /** The host has ended the session: nothing that was asked will be answered. A `follow` begins another. */
  | { type: 'ended'; error: Failure };

/** The name of each channel between the preload and the main process. */
export const channels = {
  /** From the page: a page message. */
  page: 'cuzk:page',
  /** To the page: a bridge message. */
  host: 'cuzk:host',
  /** From the preload: so many characters were taken by the page. */
  taken: 'cuzk:taken',
  /** Asked by the page: files. */
  choose: 'cuzk:choose',
} as const;
