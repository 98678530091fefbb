// Keeps the machine from going to sleep while something is computed; its screen may.
import { powerSaveBlocker } from 'electron';

export class Wakefulness {
  #blocker: number | undefined;

  /** Whether the machine is to stay awake from now on. */
  keep(awake: boolean): void {
    if (awake) this.#blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (this.#blocker !== undefined) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = undefined;
    }
  }
}
