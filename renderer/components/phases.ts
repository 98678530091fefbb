// How the states of partitions look and are called, everywhere: one glyph, one token, one word each.
import type { PartitionPhase } from '../../main/contract/state.ts';

export interface PhaseLook {
  /** For people. */
  word: string;
  /** The CSS token of its colour. */
  token: string;
  /** An outline in a box of 16 by 16, to be filled: it tells the state without its colour, down to 8 pixels. */
  glyph: string;
}

const dot = 'M8 6a2 2 0 1 1 0 4a2 2 0 1 1 0-4z';
const half = 'M8 2a6 6 0 0 0 0 12z';
const bars = 'M4 3h3v10h-3zM9 3h3v10h-3z';
const triangle = 'M4 2l10 6l-10 6z';
const diamond = 'M8 1.5l6.5 6.5l-6.5 6.5l-6.5-6.5z';
const check = 'M2 8.5l2-2l2.5 2.5l5.5-6l2 2l-7.5 8z';
const cross = 'M3.5 2l4.5 4.5l4.5-4.5l1.5 1.5l-4.5 4.5l4.5 4.5l-1.5 1.5l-4.5-4.5l-4.5 4.5l-1.5-1.5l4.5-4.5l-4.5-4.5z';
const dash = 'M3 7h10v2h-10z';

/** In the order of a partition's way. */
export const phaseLooks: Record<PartitionPhase, PhaseLook> = {
  pending: { word: 'pending', token: '--state-pending', glyph: dot },
  synthesizing: { word: 'synthesizing', token: '--state-synthesizing', glyph: half },
  synth_done: { word: 'waiting for a device', token: '--state-synth-done', glyph: bars },
  gpu: { word: 'on a device', token: '--state-gpu', glyph: triangle },
  finalizing: { word: 'finalizing', token: '--state-finalizing', glyph: diamond },
  done: { word: 'done', token: '--state-done', glyph: check },
  failed: { word: 'failed', token: '--state-failed', glyph: cross },
  cancelled: { word: 'cancelled', token: '--state-cancelled', glyph: dash },
};
export const phaseOrder = Object.keys(phaseLooks) as PartitionPhase[];
