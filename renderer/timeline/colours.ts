// The page's colours for the canvas, read from the CSS tokens so that light, dark and a person's own theme hold there too.
import { ColumnsLayer } from './columns-layer.ts';
import { type Phase, phases } from './phases.ts';

/** What of a phase is drawn: its token, and whether it is hatched, which says that it is no work. */
const looks: Record<Phase, { token: string; alpha: number; isHatched?: true }> = {
  queueWait: { token: '--state-pending', alpha: 0.8, isHatched: true },
  memoryWait: { token: '--state-pending', alpha: 0.8, isHatched: true },
  keyWait: { token: '--state-pending', alpha: 0.8, isHatched: true },
  admitted: { token: '--state-pending', alpha: 0.8, isHatched: true },
  witness: { token: '--state-synth-done', alpha: 1 },
  threadWait: { token: '--state-pending', alpha: 0.8, isHatched: true },
  synthesis: { token: '--state-synthesizing', alpha: 1 },
  deviceQueue: { token: '--state-pending', alpha: 0.8, isHatched: true },
  lockWait: { token: '--state-pending', alpha: 0.8, isHatched: true },
  kernels: { token: '--state-gpu', alpha: 1 },
  finalizing: { token: '--state-finalizing', alpha: 1 },
  verify: { token: '--state-done', alpha: 1 },
  stopping: { token: '--state-cancelled', alpha: 0.9, isHatched: true },
  faulted: { token: '--state-failed', alpha: 0.7, isHatched: true },
};

export const tokenOf = (phase: Phase): string => looks[phase].token;
export const isHatched = (phase: Phase): boolean => looks[phase].isHatched ?? false;

export interface Colours {
  /** By a phase's code. */
  fills: (string | CanvasPattern)[];
  /** By a phase's code: what columns and small marks are drawn with. */
  solids: string[];
  /** The same as pixels, and as pixels of another job than the highlighted one. */
  pixels: Uint32Array;
  dimmedPixels: Uint32Array;
  ground: string;
  surface: string;
  sunken: string;
  line: string;
  text: string;
  muted: string;
  accent: string;
  failed: string;
  /** Text on a filled box. */
  onFill: string;
  font: string;
  /** Pixels of one digit in it. */
  digitPx: number;
}

/** How much is seen of what is not of the highlighted job, from 0 to 1. */
export const dimmed = 0.22;

export function readColours(host: HTMLElement): Colours {
  const probe = document.createElement('span');
  host.append(probe);
  const computed = getComputedStyle(probe);
  const read = (token: string) => {
    probe.style.color = `var(${token})`;
    return computed.color;
  };
  const solids = phases.map((phase) => read(looks[phase].token));
  const fills = phases.map((phase, code) => (isHatched(phase) ? hatch(solids[code]!, looks[phase].alpha) : solids[code]!));
  const font = `11px ${computed.fontFamily}`;
  const colours: Colours = {
    pixels: Uint32Array.from(solids, (one) => ColumnsLayer.pixelOf(one)),
    dimmedPixels: Uint32Array.from(solids, (one) => ColumnsLayer.pixelOf(one, dimmed)),
    ...{ fills, solids, ground: read('--ground'), surface: read('--surface'), sunken: read('--sunken'), line: read('--line') },
    ...{ text: read('--text'), muted: read('--text-muted'), accent: read('--accent'), failed: read('--state-failed') },
    ...{ onFill: read('--surface'), font, digitPx: digitPxOf(font) },
  };
  probe.remove();
  return colours;
}

/** Diagonal lines of a colour on a tint of it. */
function hatch(colour: string, alpha: number): CanvasPattern {
  const size = 6;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const context = tile.getContext('2d')!;
  context.globalAlpha = 0.14;
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = 1.25;
  for (const offset of [-size, 0, size]) {
    context.moveTo(offset, size);
    context.lineTo(offset + size, 0);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat')!;
}

function digitPxOf(font: string): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = font;
  return context.measureText('0').width;
}
