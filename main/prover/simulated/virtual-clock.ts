// Time that passes only when everybody waits: thousands of simulated hours a second, and the same order of events every time.

import { CuzkError } from '../../contract/errors.ts';

interface Alarm {
  at: number;
  order: number;
  ring: () => void;
}

export class VirtualClock {
  #now = 0;
  #order = 0;
  /** Sorted by time, then by order of setting. */
  readonly #alarms: Alarm[] = [];

  now(): number {
    return this.#now;
  }
  wallMs(): number {
    return 1_700_000_000_000 + this.#now;
  }

  /** Resolves after `ms` of virtual time; rejects with `Aborted` as soon as `signal` says so. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw aborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const alarm = { at: this.#now + ms, order: this.#order++, ring: resolve };
    let place = this.#alarms.length;
    while (place > 0 && this.#alarms[place - 1]!.at > alarm.at) place--;
    this.#alarms.splice(place, 0, alarm);
    const give = () => {
      const at = this.#alarms.indexOf(alarm);
      if (at >= 0) this.#alarms.splice(at, 1);
      reject(aborted());
    };
    signal?.addEventListener('abort', give, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', give);
    }
  }

  /** Lets time pass from alarm to alarm until `work` is settled. Throws when everybody waits and no alarm is set: a deadlock. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    work.then(
      () => (settled = true),
      () => (settled = true),
    );
    for (;;) {
      // All that can happen without time passing, however long the chain of promises.
      await new Promise((resolve) => setImmediate(resolve));
      if (settled) return work;
      const next = this.#alarms.shift();
      if (!next) throw new Error(`everybody waits at ${this.#now} ms, and nothing will happen`);
      this.#now = next.at;
      next.ring();
    }
  }
}

const aborted = () => new CuzkError('Aborted', 'stopped');
