// Draws cells of the partition grid onto a canvas. Decides nothing: where is the layout's, what is the partition's.
import { type PartitionPhase, type PartitionState, spanMs } from '../../main/contract/state.ts';
import { formatDuration } from '../../main/contract/units.ts';
import { phaseLooks, phaseOrder } from '../components/phases.ts';
import { cellCorner, type GridLayout } from './grid-layout.ts';
import { deviceMs, progressShare, synthesisMs } from './partition-text.ts';

export const gridTokens = [
  ...phaseOrder.map((phase) => phaseLooks[phase].token),
  ...['--surface', '--sunken', '--line', '--text', '--text-muted', '--accent'],
];
export type GridColours = Record<string, string>;

export interface Pen {
  context: CanvasRenderingContext2D;
  layout: GridLayout;
  colours: GridColours;
  fontFamily: string;
}

const paths = new Map<PartitionPhase, Path2D>();

function glyphOf(phase: PartitionPhase): Path2D {
  const path = paths.get(phase) ?? new Path2D(phaseLooks[phase].glyph);
  paths.set(phase, path);
  return path;
}

export function drawCell(pen: Pen, index: number, partition: PartitionState, now: number, isSelected: boolean): void {
  const { context, layout, colours } = pen;
  const { x, y } = cellCorner(layout, index);
  const { cellWidth: width, cellHeight: height, detail } = layout;
  const colour = colours[phaseLooks[partition.phase].token]!;
  // With what stands around it: the mark of a selection reaches over its edge.
  context.clearRect(x - 1, y - 1, width + 2, height + 2);
  if (detail === 'speck' || detail === 'glyph') drawSpeck(pen, x, y, partition.phase, colour);
  else drawWords(pen, x, y, index, partition, colour, now);
  if (!isSelected) return;
  context.strokeStyle = colours['--accent']!;
  context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, width - 2, height - 2);
}

/** A filled square with the glyph cut out of it; of what has not begun, only the outline. */
function drawSpeck({ context, colours, layout }: Pen, x: number, y: number, phase: PartitionPhase, colour: string): void {
  const { cellWidth: width, cellHeight: height } = layout;
  if (phase === 'pending') {
    context.fillStyle = colours['--sunken']!;
    context.fillRect(x, y, width, height);
    drawGlyph(context, phase, x, y, width, height, colour, 0.9);
    return;
  }
  // What is over steps back, so that what is at work stands out; a failure does not.
  context.globalAlpha = phase === 'done' || phase === 'cancelled' ? 0.55 : 1;
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  drawGlyph(context, phase, x, y, width, height, colours['--surface']!, 0.8);
}

function drawGlyph(
  context: CanvasRenderingContext2D,
  phase: PartitionPhase,
  ...[x, y, width, height, colour, share]: [x: number, y: number, width: number, height: number, colour: string, share: number]
): void {
  const size = Math.min(width, height) * share;
  context.save();
  context.translate(x + (width - size) / 2, y + (height - size) / 2);
  context.scale(size / 16, size / 16);
  context.fillStyle = colour;
  context.fill(glyphOf(phase));
  context.restore();
}

function drawWords(pen: Pen, x: number, y: number, index: number, partition: PartitionState, colour: string, now: number): void {
  const { context, colours, fontFamily, layout } = pen;
  const { cellWidth: width, cellHeight: height, detail } = layout;
  const { phase } = partition;
  context.fillStyle = colour;
  context.globalAlpha = phase === 'pending' ? 0.06 : phase === 'done' ? 0.1 : 0.2;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillStyle = phase === 'pending' ? colours['--line']! : colour;
  context.fillRect(x, y, 3, height);
  const full = detail === 'full';
  drawGlyph(context, phase, x + 6, y + (full ? 4 : (height - 14) / 2), 14, 14, colour, 0.85);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = phase === 'pending' ? colours['--text-muted']! : colours['--text']!;
  context.font = `${full ? 600 : 500} 12px ${fontFamily}`;
  context.fillText(`${index}`, x + 24, y + (full ? 12 : height / 2 + 1));
  if (full && phase !== 'pending') drawTimes(pen, x, y, partition, now);
  const share = progressShare(partition);
  if (share === undefined) return;
  context.fillStyle = colour;
  context.fillRect(x + 3, y + height - 2, (width - 3) * share, 2);
}

/** Synthesis above the device's time, or the wait for its lock: a word, and a number at the right. */
function drawTimes(
  { context, colours, fontFamily, layout }: Pen,
  x: number,
  y: number,
  partition: PartitionState,
  now: number,
): void {
  const right = x + layout.cellWidth - 6;
  context.font = `11px ${fontFamily}`;
  if (partition.attempt > 1) {
    context.textAlign = 'right';
    context.fillStyle = colours['--text-muted']!;
    context.fillText(`try ${partition.attempt}`, right, y + 12);
  }
  const wait = partition.spans.lockWait;
  const isWaiting = partition.phase === 'gpu' && wait !== undefined && wait.endedAt === undefined;
  const times = [
    ['synth', synthesisMs(partition, now), 28],
    [isWaiting ? 'lock' : 'device', isWaiting ? spanMs(wait, now) : deviceMs(partition, now), 42],
  ] as const;
  for (const [word, ms, line] of times) {
    context.textAlign = 'left';
    context.fillStyle = colours['--text-muted']!;
    context.fillText(word, x + 9, y + line);
    context.textAlign = 'right';
    if (ms !== undefined) context.fillStyle = colours['--text']!;
    context.fillText(ms === undefined ? '-' : formatDuration(ms), right, y + line);
  }
}
