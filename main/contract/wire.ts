// What goes between a page and its host, over Electron's IPC and over a WebSocket alike: requests with their answers, and the state as a
// snapshot followed by batches of events.
import * as z from 'zod';
import type { EngineEvent, Failure } from './events.ts';
import type { EngineState } from './state.ts';

/** A batch of events goes out at most this often, in milliseconds: at rest, and while the page draws something that moves. */
export const restfulMs = 50;
export const livelyMs = 16;

const everyMs = z.number().min(10).max(1000);

export const pageMessageSchema = z.discriminatedUnion('type', [
  /** `id` comes back with the answer; `payload` is checked by the request's own schema. */
  z.strictObject({ type: z.literal('ask'), id: z.number().int().nonnegative(), name: z.string().max(64), payload: z.unknown() }),
  /** Begins, or begins anew: a snapshot, then all that happens after it. */
  z.strictObject({ type: z.literal('follow'), everyMs }),
  /** How often batches are wanted from now on. */
  z.strictObject({ type: z.literal('pace'), everyMs }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

export interface Snapshot {
  state: EngineState;
  /** Milliseconds since the state's last event, by the engine's clock: an idle engine's last event may be hours old. */
  ageMs: number;
}

export type HostMessage =
  | { type: 'answer'; id: number; result: unknown }
  | { type: 'refusal'; id: number; error: Failure }
  | { type: 'snapshot'; snapshot: Snapshot }
  /** In order, without a gap since the snapshot. An empty list is a sign of life: nothing has happened, and the engine is there. */
  | { type: 'events'; events: EngineEvent[] };

/** More than the paths of 65,536 partitions that are named sensibly. */
export const mostMessageBytes = 1 << 20;
/** A host says at least this often that it is there. */
export const heartbeatMs = 1000;

/** WebSocket close codes of our own. */
export const closeCodes = { token: 4401, message: 4400, busy: 4429 } as const;
/** The WebSocket's subprotocol; a second one, `token.` and the token's UTF-8 in base64url, brings the token. */
export const subprotocol = 'cuzk.1';
