// What the host needs of an engine. Its own type, so that the host can be tested with any engine, and knows nothing of how one works.
import type { JobRequest } from '../contract/commands.ts';
import type { EngineEvent, Failure, JobEnd } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';

/** What has come of a job; its proofs are in the order of its partitions, and all there when it succeeded. */
export interface HostedOutcome {
  job: string;
  end: JobEnd;
  proofs: readonly unknown[];
  error?: Failure;
}

export interface HostedEngine {
  snapshot(): EngineState;
  /** Calls `listener` after each event, with the state after it; returns what ends that. */
  subscribe(listener: (event: EngineEvent, state: EngineState) => void): () => void;
  submit(request: JobRequest): Promise<{ job: string; attached: boolean }>;
  /** Whether this call ended the job; false when it was terminal. */
  cancel(job: string): boolean;
  retry(job: string, requestKey?: string): Promise<{ job: string; attached: boolean }>;
  /** The devices on which the key is loaded now. */
  preload(circuit: string, device?: string): Promise<string[]>;
  /** The devices that it was evicted from. */
  evict(circuit: string, device?: string): string[];
  /** Resolves when the job is terminal. */
  await(job: string): Promise<HostedOutcome>;
}
