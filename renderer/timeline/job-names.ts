// Job ids as small numbers, for typed arrays. A number is given back when the last span of its job was dropped, so that the table does not
// grow for as long as the window is open.

export class JobNames {
  readonly #slots = new Map<string, number>();
  readonly #ids: (string | undefined)[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];

  /** The job's number, with one span more that uses it. */
  use(id: string): number {
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#ids.length;
      this.#slots.set(id, slot);
      this.#ids[slot] = id;
      this.#uses[slot] = 0;
    }
    this.#uses[slot]!++;
    return slot;
  }

  /** A span that used it is gone. */
  drop(slot: number): void {
    const id = this.#ids[slot];
    if (id === undefined) return;
    this.#uses[slot]!--;
    if (this.#uses[slot]! > 0) return;
    this.#slots.delete(id);
    this.#ids[slot] = undefined;
    this.#free.push(slot);
  }

  idOf(slot: number): string | undefined {
    return this.#ids[slot];
  }
  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }
  get size(): number {
    return this.#slots.size;
  }
}
