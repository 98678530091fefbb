// What the keys of the timeline do, as people know them from trace viewers.

export type TimelineCommand =
  | { do: 'zoom'; factor: number }
  | { do: 'pan'; share: number }
  | { do: 'fitAll' | 'fitSelection' | 'clear' | 'details' | 'follow' }
  | { do: 'step'; by: 1 | -1 }
  | { do: 'lane'; by: 1 | -1 };

const commands: Record<string, TimelineCommand> = {
  w: { do: 'zoom', factor: 0.8 },
  '+': { do: 'zoom', factor: 0.8 },
  '=': { do: 'zoom', factor: 0.8 },
  s: { do: 'zoom', factor: 1.25 },
  '-': { do: 'zoom', factor: 1.25 },
  a: { do: 'pan', share: -0.15 },
  d: { do: 'pan', share: 0.15 },
  arrowleft: { do: 'pan', share: -0.15 },
  arrowright: { do: 'pan', share: 0.15 },
  arrowup: { do: 'lane', by: -1 },
  arrowdown: { do: 'lane', by: 1 },
  '0': { do: 'fitAll' },
  f: { do: 'fitSelection' },
  l: { do: 'follow' },
  '.': { do: 'step', by: 1 },
  ',': { do: 'step', by: -1 },
  enter: { do: 'details' },
  escape: { do: 'clear' },
};

/** Keys with a modifier are the browser's, or the command palette's. */
export function commandOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): TimelineCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const name = key.toLowerCase();
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** For the page to list. */
export const keyHelp: readonly (readonly [string, string])[] = [
  ['W / S, + / −', 'zoom in, out'],
  ['A / D, ← / →', 'earlier, later'],
  ['↑ / ↓', 'lane above, below'],
  ['. / ,', 'next, previous span'],
  ['F', 'fit the selection'],
  ['0', 'fit all'],
  ['L', 'follow'],
  ['Enter', 'details'],
  ['Esc', 'clear'],
  ['Shift + drag', 'totals of a range'],
];
