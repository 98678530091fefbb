// How the app ends: what closing its window, quitting and a signal do while jobs run. Decides; the window, the dialog and the tray are given.

/** What a person answers when jobs run. */
export type Answer = 'keep' | 'stop' | 'back';

export interface Surroundings {
  /** Jobs that have not ended. */
  running: () => number;
  /** Asks what is to become of them. */
  ask: (running: number) => Promise<Answer>;
  /** Goes on without a window, with a way back. */
  hide: () => void;
  /** Ends everything in order, the app at last. */
  end: () => Promise<void>;
}

export class Ending {
  readonly #around: Surroundings;
  #phase: 'open' | 'asking' | 'ending' = 'open';

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The window is to be closed, or the app to quit: asks first while jobs run. */
  async close(): Promise<void> {
    // Who closes twice sees the question that is there already.
    if (this.#phase !== 'open') return;
    const running = this.#around.running();
    let answer: Answer = 'stop';
    if (running > 0) {
      this.#phase = 'asking';
      try {
        answer = await this.#around.ask(running);
      } finally {
        // A signal may have come meanwhile.
        if (this.#isAsking()) this.#phase = 'open';
      }
    }
    if (this.#phase !== 'open') return;
    if (answer === 'stop') await this.now();
    else if (answer === 'keep') this.#around.hide();
  }

  /** Ends without a question: the terminal, or the system that shuts down, has asked already. */
  async now(): Promise<void> {
    if (this.#phase === 'ending') return;
    this.#phase = 'ending';
    await this.#around.end();
  }

  #isAsking(): boolean {
    return this.#phase === 'asking';
  }
}
