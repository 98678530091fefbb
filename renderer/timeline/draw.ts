// Draws one picture of the timeline: axis, lanes, and what lies over them.
import { drawLanes } from './draw-lanes.ts';
import type { Layout } from './layout.ts';
import { scaleOf, toPx } from './scale.ts';
import { axisPx, type Scene } from './scene.ts';
import type { SpanRing } from './span-ring.ts';
import { type Ticks, ticks } from './ticks.ts';
import { formatDuration, formatTime } from './times.ts';

type Context = CanvasRenderingContext2D;

/** Least room for a tick's text. */
const tickPx = 96;

/** `ratio`: device pixels per CSS pixel. */
export function draw(context: Context, ratio: number, scene: Scene): void {
  const { colours, widthPx, heightPx } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, widthPx, heightPx);
  context.font = colours.font;
  context.textBaseline = 'middle';
  drawGrid(context, scene);
  drawShade(context, scene);
  drawLanes(context, scene);
  drawFlow(context, scene);
  drawNow(context, scene);
  drawRange(context, scene);
  drawAxis(context, scene);
}

/** None before the zero: there was nothing. */
function ticksOf({ view, zero, widthPx }: Scene): Ticks {
  const { at, stepMs } = ticks(view.from, view.to, zero, Math.max(2, Math.floor(widthPx / tickPx)));
  return { at: at.filter((one) => one >= 0), stepMs };
}

function drawGrid(context: Context, scene: Scene): void {
  const scale = scaleOf(scene.view, scene.widthPx);
  context.fillStyle = scene.colours.line;
  for (const at of ticksOf(scene).at) context.fillRect(Math.round(toPx(scale, at + scene.zero)), axisPx, 1, scene.heightPx);
}

function drawAxis(context: Context, scene: Scene): void {
  const { colours, widthPx, zero } = scene;
  const scale = scaleOf(scene.view, widthPx);
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, widthPx, axisPx);
  context.fillStyle = colours.line;
  context.fillRect(0, axisPx - 1, widthPx, 1);
  const { at: all, stepMs } = ticksOf(scene);
  for (const at of all) {
    const x = Math.round(toPx(scale, at + zero));
    context.fillStyle = colours.line;
    context.fillRect(x, axisPx - 6, 1, 6);
    context.fillStyle = colours.muted;
    context.fillText(formatTime(at, stepMs), x + 4, axisPx / 2);
  }
}

/** Left of the zero there was nothing, and right of the newest time nothing has happened. */
function drawShade(context: Context, { colours, view, widthPx, heightPx, now, zero }: Scene): void {
  const scale = scaleOf(view, widthPx);
  const x0 = Math.max(0, toPx(scale, zero));
  const x1 = Math.max(0, toPx(scale, now));
  context.globalAlpha = 0.6;
  context.fillStyle = colours.sunken;
  context.fillRect(0, axisPx, x0, heightPx);
  if (x1 < widthPx) context.fillRect(x1, axisPx, widthPx - x1, heightPx);
  context.globalAlpha = 1;
}

function drawNow(context: Context, { colours, view, widthPx, heightPx, now, isLive, isStale }: Scene): void {
  const x = Math.round(toPx(scaleOf(view, widthPx), now));
  if (!isLive || x >= widthPx) return;
  context.fillStyle = isStale ? colours.failed : colours.accent;
  context.fillRect(x, axisPx, 1, heightPx);
}

function drawRange(context: Context, { colours, range, view, widthPx, heightPx }: Scene): void {
  if (!range) return;
  const scale = scaleOf(view, widthPx);
  const x0 = toPx(scale, range.from);
  const x1 = toPx(scale, range.to);
  context.fillStyle = colours.accent;
  context.globalAlpha = 0.1;
  context.fillRect(x0, axisPx, x1 - x0, heightPx);
  context.globalAlpha = 1;
  context.fillRect(x0, axisPx, 1, heightPx);
  context.fillRect(x1, axisPx, 1, heightPx);
  const text = formatDuration(range.to - range.from);
  const px = context.measureText(text).width;
  context.fillRect((x0 + x1 - px) / 2 - 6, axisPx + 2, px + 12, 16);
  context.fillStyle = colours.onFill;
  context.fillText(text, (x0 + x1 - px) / 2, axisPx + 10);
}

function drawFlow(context: Context, { colours, flow, layout, view, widthPx, scrollPx, now }: Scene): void {
  if (flow.length === 0) return;
  const scale = scaleOf(view, widthPx);
  const heights = middlesOf(layout);
  context.strokeStyle = colours.text;
  context.fillStyle = colours.text;
  context.lineWidth = 1.25;
  for (const { from, to } of flow) {
    const y0 = heights.get(from.ref.ring);
    const y1 = heights.get(to.ref.ring);
    if (y0 === undefined || y1 === undefined) continue;
    const x0 = toPx(scale, from.endedAt ?? now);
    const x1 = toPx(scale, to.startedAt);
    const bend = Math.min(48, Math.max(4, Math.abs(x1 - x0) / 2));
    const top = axisPx - scrollPx;
    context.beginPath();
    context.moveTo(x0, y0 + top);
    context.bezierCurveTo(x0 + bend, y0 + top, x1 - bend, y1 + top, x1, y1 + top);
    context.stroke();
    context.beginPath();
    context.moveTo(x1 + 1, y1 + top);
    context.lineTo(x1 - 5, y1 + top - 3.5);
    context.lineTo(x1 - 5, y1 + top + 3.5);
    context.fill();
  }
}

/** The middle of each sub-lane, from the top of the content. */
function middlesOf({ sections }: Layout): Map<SpanRing, number> {
  const sublanes = sections.flatMap(({ lanes }) => lanes.flatMap(({ sublanes: all }) => all));
  return new Map(sublanes.map(({ ring, y, height }) => [ring, y + height / 2]));
}
