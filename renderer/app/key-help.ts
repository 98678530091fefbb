// The list of keys that `?` shows: those of every screen, and those that the screen in front adds.
import { onScopeDispose, shallowReactive } from 'vue';
import { screens } from './router.ts';

export type KeyHelp = readonly (readonly [keys: string, does: string])[];

const everywhere: KeyHelp = [
  ['Ctrl + K', 'command palette'],
  ['?', 'this list'],
  ['H', 'hold the picture still, or go on'],
  ...screens.map(({ key, title }) => [`G ${key.toUpperCase()}`, title] as const),
  ['← ↑ → ↓', 'in a grid: from partition to partition'],
  ['Esc', 'close, choose nothing'],
];

const sections = shallowReactive(new Map<string, KeyHelp>([['Everywhere', everywhere]]));

export const keyHelp: ReadonlyMap<string, KeyHelp> = sections;

/** Lists the keys of a screen while it is in front. */
export function useKeyHelp(title: string, help: KeyHelp): void {
  sections.set(title, help);
  onScopeDispose(() => sections.delete(title));
}
