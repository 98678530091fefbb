// An engine for tests of the host: a real status tracker that the test drives, and commands that only remember what they were asked.
import type { JobRequest } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import { jobOf } from '../contract/state.ts';
import { StatusTracker } from '../engine/status-tracker.ts';
import type { HostedEngine, HostedOutcome } from './engine-face.ts';

export class FakeEngine implements HostedEngine {
  /** The clock that events are stamped with; a test moves it. */
  now = 1000;
  readonly tracker = new StatusTracker({ now: () => this.now, wallMs: () => 1_700_000_000_000, sleep: async () => {} });
  readonly asked: unknown[] = [];
  readonly outcomes = new Map<string, HostedOutcome>();
  /** Thrown by the next command. */
  refusal: Error | undefined;
  #submitted = 0;

  snapshot = () => this.tracker.snapshot();
  subscribe: HostedEngine['subscribe'] = (listener) => this.tracker.subscribe(listener);

  async submit(request: JobRequest) {
    this.#ask({ submit: request });
    this.#submitted++;
    const job = `job-${this.#submitted}`;
    const { kind = 'merkle', circuit, partitions } = request;
    this.tracker.registerJob({
      job,
      kind,
      circuit: circuit.zkey,
      partitions: partitions.length,
      priority: 'normal',
      mode: 'pipelined',
    });
    return { job, attached: request.requestKey === 'known' };
  }
  cancel(job: string): boolean {
    this.#ask({ cancel: job });
    this.#requireKnown(job);
    this.tracker.jobCompleted(job, 'cancelled');
    return true;
  }
  async retry(job: string, requestKey?: string) {
    this.#ask({ retry: job, requestKey });
    this.#requireKnown(job);
    return { job: `${job}-again`, attached: false };
  }
  async preload(circuit: string, device?: string) {
    this.#ask({ preload: circuit, device });
    return ['cpu'];
  }
  evict(circuit: string, device?: string): string[] {
    this.#ask({ evict: circuit, device });
    return ['cpu'];
  }
  async await(job: string): Promise<HostedOutcome> {
    const outcome = this.outcomes.get(job);
    if (!outcome) this.#requireKnown(job);
    return outcome ?? { job, end: 'cancelled', proofs: [] };
  }

  #ask(command: unknown): void {
    this.asked.push(command);
    const refusal = this.refusal;
    this.refusal = undefined;
    if (refusal) throw refusal;
  }
  #requireKnown(job: string): void {
    if (!jobOf(this.snapshot(), job)) throw new CuzkError('JobUnknown', `there is no job ${job}`);
  }
}
