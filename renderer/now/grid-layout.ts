// Where the cells of a job's partitions stand. Pure: the drawing draws what this says.

/** How much a cell can say: all in words and times; its number and a glyph; a glyph; a colour and a few pixels. */
export type Detail = 'full' | 'number' | 'glyph' | 'speck';

export interface GridLayout {
  detail: Detail;
  columns: number;
  rows: number;
  /** From one cell's corner to the next one's. */
  stepX: number;
  stepY: number;
  cellWidth: number;
  cellHeight: number;
  width: number;
  height: number;
  count: number;
}

interface Size {
  detail: Detail;
  /** Cells are at least so wide, and share what is left of the line. */
  minWidth: number;
  height: number;
  gap: number;
  /** The most rows of it: with more a smaller size tells more at a glance. */
  maxRows: number;
}

const sizes: Size[] = [
  { detail: 'full', minWidth: 104, height: 52, gap: 4, maxRows: 6 },
  { detail: 'number', minWidth: 48, height: 24, gap: 3, maxRows: 8 },
  { detail: 'glyph', minWidth: 16, height: 16, gap: 2, maxRows: 20 },
  { detail: 'speck', minWidth: 9, height: 9, gap: 1, maxRows: Number.POSITIVE_INFINITY },
];

/** The largest cells with which `count` of them fit into `width`. */
export function layoutGrid(count: number, width: number): GridLayout {
  for (const { detail, minWidth, height: cellHeight, gap, maxRows } of sizes) {
    const most = Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
    const rows = Math.ceil(count / most);
    if (rows > maxRows) continue;
    // One line that is not full keeps its cells' size: they would be stretched over the page.
    const columns = Math.min(most, Math.max(1, count));
    const stepX = rows <= 1 ? minWidth + gap : Math.floor(((width + gap) / most) * 100) / 100;
    return {
      ...{ detail, columns, rows, stepX, stepY: cellHeight + gap, cellWidth: stepX - gap, cellHeight, count },
      ...{ width: columns * stepX - gap, height: rows === 0 ? 0 : rows * (cellHeight + gap) - gap },
    };
  }
  throw new Error('the last size takes any number');
}

export function cellCorner({ columns, stepX, stepY }: GridLayout, index: number): { x: number; y: number } {
  return { x: (index % columns) * stepX, y: Math.floor(index / columns) * stepY };
}

/** The cell under a point; undefined between cells and behind the last. */
export function cellAt(
  { columns, rows, stepX, stepY, cellWidth, cellHeight, count }: GridLayout,
  x: number,
  y: number,
): number | undefined {
  const column = Math.floor(x / stepX);
  const row = Math.floor(y / stepY);
  if (column < 0 || row < 0 || column >= columns || row >= rows) return undefined;
  if (x - column * stepX > cellWidth || y - row * stepY > cellHeight) return undefined;
  const index = row * columns + column;
  return index < count ? index : undefined;
}

/** Where a key leads from a cell; undefined for keys that lead nowhere. */
export function neighbour({ columns, count }: GridLayout, index: number, key: string): number | undefined {
  const last = count - 1;
  const row = Math.floor(index / columns) * columns;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return index - columns < 0 ? index : index - columns;
    case 'ArrowDown':
      return index + columns > last ? index : index + columns;
    case 'Home':
      return row;
    case 'End':
      return Math.min(last, row + columns - 1);
    case 'PageUp':
      return 0;
    case 'PageDown':
      return last;
    default:
      return undefined;
  }
}
