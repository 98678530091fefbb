// What the page needs of whoever serves the contract. Its implementations know a wire each; nothing else in the page does.
import type { Command, CommandName, CommandResults, JobRequest } from '../../main/contract/commands.ts';
import type { EngineEvent } from '../../main/contract/events.ts';
import type { EngineState } from '../../main/contract/state.ts';

export interface Snapshot {
  state: EngineState;
  /** Milliseconds since the state's last event, by the engine's clock: an idle engine's last event may be hours old. */
  ageMs: number;
}

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
  /** A job that can be proved without any file of the person's, where the host has one. */
  readonly sample?: JobRequest;
  /** The path of a file that was dropped onto the page, where the host can tell. */
  pathOf?(file: File): string;
  snapshot(): Promise<Snapshot>;
  /** Begins to listen; returns what ends that. */
  subscribe(listener: ConnectionListener): () => void;
  /** Asks the engine; rejects with a CuzkError. */
  command<N extends CommandName>(name: N, payload: Command<N>): Promise<CommandResults[N]>;
}
