// The page's process may end by itself, for want of memory for one: it is loaded again, as long as that helps. Pure.

const withinMs = 60_000;
const most = 3;

export class Reloads {
  readonly #at: number[] = [];

  /** Whether to load the page again after an end at this time. */
  again(nowMs: number): boolean {
    this.#at.push(nowMs);
    while (nowMs - this.#at[0]! > withinMs) this.#at.shift();
    return this.#at.length <= most;
  }
}
