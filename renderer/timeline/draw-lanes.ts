// Draws the lanes of a scene: backgrounds, spans, idle gaps. What is drawn where the pure modules say.
import { dimmed } from './colours.ts';
import { ColumnsLayer } from './columns-layer.ts';
import { causeLabels, causeWords } from './gaps.ts';
import type { Section, SublanePlace } from './layout.ts';
import { outcomeCode, phaseCode } from './phases.ts';
import { scaleOf, toPx } from './scale.ts';
import { axisPx, type Scene } from './scene.ts';
import { noJob } from './span-ring.ts';
import { formatDuration, formatShare } from './times.ts';
import { workByBucket } from './utilisation.ts';
import { Boxes, visibleBoxes } from './visible.ts';

type Context = CanvasRenderingContext2D;

/** Room above and below a box in its lane. */
const inset = 3;
/** Least width of a box that its text is written in. */
const textPx = 28;
const bucketPx = 4;
const boxes = new Boxes();
const columns = new ColumnsLayer();
let buckets = new Float32Array(0);

export function drawLanes(context: Context, scene: Scene): void {
  const { layout, scrollPx, widthPx, heightPx } = scene;
  columns.begin(widthPx, heightPx);
  for (const section of layout.sections) {
    const y = section.y - scrollPx + axisPx;
    drawSection(context, scene, section, y);
    for (const { lane, y: laneY, height, sublanes } of section.lanes) {
      const top = laneY - scrollPx + axisPx;
      if (top + height < axisPx || top > heightPx) continue;
      context.fillStyle = scene.colours.line;
      context.fillRect(0, top + height - 0.5, scene.widthPx, 0.5);
      for (const sublane of sublanes) drawSublane(context, scene, sublane);
      if (lane.about.kind === 'device') drawGaps(context, scene, lane.about.device!, top, height);
    }
  }
  columns.flush(context);
}

/** A device's row says how busy it is, over a strip of its utilisation. */
function drawSection(context: Context, scene: Scene, section: Section, y: number): void {
  const { colours, widthPx, view, now, gaps } = scene;
  context.fillStyle = colours.sunken;
  context.fillRect(0, y, widthPx, 24);
  if (section.device === undefined) return;
  const found = gaps.get(section.device);
  const kernels = section.lanes.find(({ lane }) => lane.about.kind === 'device')?.sublanes[0]?.ring;
  if (kernels) {
    const count = Math.ceil(widthPx / bucketPx);
    if (buckets.length !== count) buckets = new Float32Array(count);
    const msPerPx = (view.to - view.from) / widthPx;
    workByBucket(kernels, { from: view.from, to: view.from + count * bucketPx * msPerPx }, now, buckets);
    context.fillStyle = colours.solids[phaseCode.kernels]!;
    context.globalAlpha = 0.22;
    context.beginPath();
    for (let i = 0; i < count; i++) {
      const height = buckets[i]! * 22;
      if (height > 0) context.rect(i * bucketPx, y + 24 - height, bucketPx, height);
    }
    context.fill();
    context.globalAlpha = 1;
  }
  if (!found || found.totalMs === 0) return;
  const busy = 1 - found.idleMs / found.totalMs;
  const because = Object.entries(found.byCause)
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([cause, ms]) => `${formatShare(ms / found.totalMs)} ${causeLabels[cause as keyof typeof causeLabels]}`);
  const text = `in use ${formatShare(busy)}${because.length > 0 ? `   ·   idle: ${because.join(', ')}` : ''}`;
  context.fillStyle = colours.text;
  context.fillText(text, 8, y + 12);
}

function drawSublane(context: Context, scene: Scene, { ring, y, height }: SublanePlace): void {
  const { colours, widthPx, view, now, job, selected, hovered, scrollPx } = scene;
  const scale = scaleOf(view, widthPx);
  visibleBoxes(ring, scale, widthPx, now, job, boxes);
  const top = y - scrollPx + axisPx + (height > 16 ? inset : 2);
  const full = height - (height > 16 ? 2 * inset : 4);
  let style: string | CanvasPattern | undefined;
  let alpha = 1;
  for (let i = 0; i < boxes.count; i++) {
    const phase = boxes.phase[i]!;
    const isDim = job >= 0 && !boxes.isOfJob[i];
    const x0 = boxes.x0[i]!;
    const px = boxes.x1[i]! - x0;
    if (px <= 1) {
      // One that stands alone is seen best at its full height.
      const filled = boxes.serial[i]! < 0 ? Math.max(2, boxes.filled[i]! * full) : full;
      columns.column(Math.floor(x0), top + full - filled, filled, (isDim ? colours.dimmedPixels : colours.pixels)[phase]!);
      continue;
    }
    const next = colours.fills[phase]!;
    if (next !== style) {
      style = next;
      context.fillStyle = next;
    }
    const wanted = isDim ? dimmed : 1;
    if (wanted !== alpha) {
      alpha = wanted;
      context.globalAlpha = alpha;
    }
    // A hair of room tells neighbours of one phase apart.
    context.fillRect(x0, top, px > 4 ? px - 1 : px, full);
  }
  context.globalAlpha = 1;
  for (let i = 0; i < boxes.count; i++) drawMarks(context, scene, i, ring, top, full);
  for (const [ref, width] of [
    [hovered, 1],
    [selected, 2],
  ] as const) {
    if (ref?.ring !== ring || !ring.has(ref.serial)) continue;
    const row = ref.serial & ring.mask;
    const x0 = toPx(scale, ring.at.startedAt[row]!);
    const x1 = toPx(scale, Math.min(ring.at.endedAt[row]!, now));
    context.strokeStyle = colours.text;
    context.lineWidth = width;
    context.strokeRect(x0 - 0.5, top - 0.5, Math.max(3, x1 - x0), full + 1);
  }
}

/** What stands in a box, or at its end. */
function drawMarks(context: Context, scene: Scene, i: number, ring: SublanePlace['ring'], top: number, full: number): void {
  const { colours, job, widthPx, now } = scene;
  const outcome = boxes.outcome[i]!;
  const x0 = Math.max(0, boxes.x0[i]!);
  const x1 = Math.min(widthPx, boxes.x1[i]!);
  if (outcome === outcomeCode.failed || outcome === outcomeCode.retried) {
    const x = Math.max(x0 + 1, boxes.x1[i]! - 1);
    context.strokeStyle = colours.failed;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x - 4, top + full / 2 - 4);
    context.lineTo(x + 4, top + full / 2 + 4);
    context.moveTo(x + 4, top + full / 2 - 4);
    context.lineTo(x - 4, top + full / 2 + 4);
    context.stroke();
  }
  if (x1 - x0 < textPx || boxes.serial[i]! < 0 || full < 12 || (job >= 0 && !boxes.isOfJob[i])) return;
  const row = boxes.serial[i]! & ring.mask;
  const { startedAt, endedAt, partition, phase } = ring.at;
  const isBare = typeof colours.fills[phase[row]!] !== 'string';
  const ms = Math.min(endedAt[row]!, now) - startedAt[row]!;
  const short = ring.at.job[row] === noJob ? '' : `#${partition[row]}`;
  const long = `${short}  ${formatDuration(ms)}`.trim();
  const room = x1 - x0 - 8;
  // Digits are of one width, and most of what is written is digits: measuring each text would take longer than drawing it.
  const text = [long, short].find((one) => one.length * colours.digitPx <= room);
  if (!text) return;
  if (isBare) {
    context.fillStyle = colours.surface;
    context.globalAlpha = 0.75;
    context.fillRect(x0 + 2, top + 1, text.length * colours.digitPx + 4, full - 2);
    context.globalAlpha = 1;
  }
  context.fillStyle = isBare ? colours.text : colours.onFill;
  context.fillText(text, x0 + 4, top + full / 2 + 0.5);
}

function drawGaps(context: Context, { colours, gaps, view, widthPx }: Scene, device: string, top: number, height: number): void {
  const found = gaps.get(device);
  if (!found) return;
  const scale = scaleOf(view, widthPx);
  const viewMs = view.to - view.from;
  context.strokeStyle = colours.muted;
  context.lineWidth = 1;
  const y = Math.round(top + height / 2) + 0.5;
  for (const { from, to, cause } of found.gaps) {
    const x0 = Math.max(0, toPx(scale, from));
    const x1 = Math.min(widthPx, toPx(scale, to));
    if (x1 - x0 < 10 || cause === 'fault') continue;
    const share = formatShare((to - from) / viewMs);
    const text = [
      `${formatDuration(to - from)} · ${share} · ${causeLabels[cause]}`,
      `${share} ${causeLabels[cause]}`,
      `${share} ${causeWords[cause]}`,
      causeWords[cause],
    ].find((one) => context.measureText(one).width < x1 - x0 - 16);
    context.globalAlpha = cause === 'nothing' ? 0.5 : 1;
    context.setLineDash(cause === 'nothing' ? [1, 3] : []);
    const half = text ? context.measureText(text).width / 2 + 6 : 0;
    const middle = (x0 + x1) / 2;
    context.beginPath();
    context.moveTo(x0 + 2.5, y - 4);
    context.lineTo(x0 + 2.5, y + 4);
    context.moveTo(x1 - 2.5, y - 4);
    context.lineTo(x1 - 2.5, y + 4);
    context.moveTo(x0 + 2.5, y);
    context.lineTo(middle - half, y);
    context.moveTo(middle + half, y);
    context.lineTo(x1 - 2.5, y);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
    if (!text) continue;
    context.fillStyle = colours.muted;
    context.fillText(text, middle - half + 6, y);
  }
}
