// The keys that hold on every screen.
import { useEventListener } from '@vueuse/core';

export interface Shortcuts {
  palette(): void;
  help(): void;
  hold(): void;
  /** G and a letter. */
  go(letter: string): void;
}

/** How long a G waits for its letter. */
const sequenceMs = 1200;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

export function useShortcuts(shortcuts: Shortcuts): void {
  let goUntil = 0;

  function press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const take = (deed: () => void) => {
      event.preventDefault();
      // A letter after G is no key of the screen's own.
      event.stopPropagation();
      deed();
    };
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') take(() => shortcuts.palette());
    // What is typed is text, a dialog in front has its own keys, and the rest is the browser's.
    if (ctrlKey || metaKey || altKey || isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
    const isGoing = performance.now() < goUntil;
    goUntil = 0;
    if (isGoing && /^[a-z]$/i.test(key)) take(() => shortcuts.go(key.toLowerCase()));
    else if (key === 'g') goUntil = performance.now() + sequenceMs;
    else if (key === '?') take(() => shortcuts.help());
    else if (key === 'h') take(() => shortcuts.hold());
  }
  useEventListener(window, 'keydown', press, { capture: true });
}
