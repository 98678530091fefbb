// Request keys: the same key with the same content is the same job, however often and however soon it is asked for again.
import { CuzkError } from '../contract/errors.ts';

interface Request {
  content: string;
  job: Promise<string>;
}

export class Requests {
  readonly #known = new Map<string, Request>();

  /**
   * The job of that key, which `begin` makes if there is none. A refusal is not remembered. Rejects with `RequestKeyInUse` when the key
   * belongs to other content.
   */
  async once(key: string, content: object, begin: () => Promise<string>): Promise<{ job: string; attached: boolean }> {
    const text = sortedJson(content);
    const known = this.#known.get(key);
    if (known) {
      if (known.content === text) return { job: await known.job, attached: true };
      throw new CuzkError('RequestKeyInUse', `the request key ${key} belongs to another job`, {
        remedy: 'use a new key for a new job',
      });
    }
    const request = { content: text, job: begin() };
    this.#known.set(key, request);
    try {
      return { job: await request.job, attached: false };
    } catch (problem) {
      this.#known.delete(key);
      throw problem;
    }
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** The same text for the same content, in whatever order its fields were given. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
