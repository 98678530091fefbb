// Where the window stands: what is remembered of it, and whether that is still on a screen. Pure.
import * as z from 'zod';

const finite = z.number().int().min(-100_000).max(100_000);
const placeSchema = z.strictObject({
  x: finite,
  y: finite,
  width: finite,
  height: finite,
  isMaximized: z.boolean(),
});

/** Screen coordinates of the window when it is not maximized. */
export type Place = z.infer<typeof placeSchema>;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Opening {
  /** Left out where the system is to choose. */
  x?: number;
  y?: number;
  width: number;
  height: number;
  isMaximized: boolean;
}

export const smallest = { width: 720, height: 480 } as const;
const usual = { width: 1440, height: 900 } as const;
/** So much of the window's upper edge must be on a screen, for it to be taken hold of and moved. */
const handle = { width: 120, height: 32 } as const;

/** What was remembered, if it is a place. */
export function readPlace(text: string): Place | undefined {
  try {
    return placeSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** How the window opens on these screens (their parts without bars; the main one first). */
export function openingOf(place: Place | undefined, screens: readonly Area[]): Opening {
  const screen = place && screens.find((area) => holdsHandle(area, place));
  if (!screen) {
    const { width, height } = screens[0] ?? usual;
    return { ...fitted(usual, { width, height }), isMaximized: place?.isMaximized ?? false };
  }
  return { x: place.x, y: place.y, ...fitted(place, screen), isMaximized: place.isMaximized };
}

/** No larger than the screen, and no smaller than what can be read. */
function fitted(wanted: { width: number; height: number }, most: { width: number; height: number }) {
  return {
    width: Math.max(smallest.width, Math.min(wanted.width, most.width)),
    height: Math.max(smallest.height, Math.min(wanted.height, most.height)),
  };
}

function holdsHandle(area: Area, { x, y, width }: Place): boolean {
  const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return across >= handle.width && y >= area.y && y + handle.height <= area.y + area.height;
}
