// What the page needs of whoever serves the contract. Its implementations know a wire each; nothing else in the page does.
import type { ChooseOptions } from '../../main/contract/bridge.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import type { Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import type { Snapshot } from '../../main/contract/wire.ts';

export interface ConnectionListener {
  /** Events in order. An empty list is a sign of life: nothing has happened, and the engine is there. */
  onEvents(events: EngineEvent[]): void;
  /** How things stand now, whatever was told before: after the stream broke, and perhaps of another engine. */
  onSnapshot(snapshot: Snapshot): void;
  /** The stream broke, and is being tried again. */
  onLost(problem: Error): void;
}

export interface Connection {
  /** Where the engine is, for people: `this computer`, `http://127.0.0.1:9820`. */
  readonly name: string;
  /** The path of a file that was dropped onto the page, where the host can tell. */
  pathOf?(file: File): string;
  /** Lets the person choose files by the system's dialog, where there is one; empty when they choose none. */
  chooseFiles?(options: ChooseOptions): Promise<string[]>;
  snapshot(): Promise<Snapshot>;
  /** Begins to listen; returns what ends that. */
  subscribe(listener: ConnectionListener): () => void;
  /** Whether something is drawn that moves with every event, so that batches are wanted more often. */
  setLively?(isLively: boolean): void;
  /** Asks the engine, its history, or the app; rejects with a CuzkError. */
  request<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]>;
}
