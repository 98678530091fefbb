// Where lanes stand: sections from top to bottom, each with its lanes, each with its sub-lanes. Pixels are CSS pixels.
import type { Lane } from './lanes.ts';
import type { SpanRing } from './span-ring.ts';

export const sectionPx = 24;
export const lanePx = 24;
/** Of a finalizer: they are many. */
export const finalizerPx = 16;
const sectionGapPx = 8;

export interface SublanePlace {
  ring: SpanRing;
  /** From the top of the content. */
  y: number;
  height: number;
}

export interface LanePlace {
  lane: Lane;
  y: number;
  height: number;
  sublanes: SublanePlace[];
}

export interface Section {
  /** `synthesis`, or the device. */
  name: string;
  device: string | undefined;
  y: number;
  isFolded: boolean;
  lanes: LanePlace[];
}

export interface Layout {
  sections: Section[];
  height: number;
}

/** Lanes of a kind that few use are shown only once something was on them. */
const isShown = ({ about: { kind }, sublanes }: Lane) =>
  (kind !== 'monolithic' && kind !== 'finalizer') || sublanes.some((ring) => ring.head > 0);

export function layoutOf(lanes: readonly Lane[], folded: ReadonlySet<string> = new Set()): Layout {
  const sections: Section[] = [];
  let y = 0;
  for (const lane of lanes.filter(isShown)) {
    const { kind, device } = lane.about;
    const name = kind === 'synthesis' ? 'synthesis' : device!;
    let section = sections.at(-1);
    if (section?.name !== name) {
      if (section) y += sectionGapPx;
      section = { name, device: kind === 'synthesis' ? undefined : device, y, isFolded: folded.has(name), lanes: [] };
      sections.push(section);
      y += sectionPx;
    }
    if (section.isFolded) continue;
    const height = kind === 'finalizer' ? finalizerPx : lanePx;
    const sublanes = lane.sublanes.map((ring, i) => ({ ring, y: y + i * height, height }));
    section.lanes.push({ lane, y, height: height * sublanes.length, sublanes });
    y += height * sublanes.length;
  }
  return { sections, height: y };
}

/** What stands at a height, in pixels from the top of the content. */
export function placeAt(
  { sections }: Layout,
  y: number,
): { section: Section; lane?: LanePlace; sublane?: SublanePlace } | undefined {
  const section = sections.findLast((one) => one.y <= y);
  if (!section) return undefined;
  const lane = section.lanes.find((one) => y >= one.y && y < one.y + one.height);
  const sublane = lane?.sublanes.find((one) => y >= one.y && y < one.y + one.height);
  return { section, ...(lane ? { lane } : {}), ...(sublane ? { sublane } : {}) };
}
