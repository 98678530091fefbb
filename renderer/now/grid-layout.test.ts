import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellAt, cellCorner, layoutGrid, neighbour } from './grid-layout.ts';

const counts = fc.integer({ min: 1, max: 70_000 });
const widths = fc.integer({ min: 9, max: 4000 });

describe('the grid of partitions', () => {
  it('keeps every cell inside its width, whatever the numbers', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 104, max: 4000 }), (count, width) => {
        const layout = layoutGrid(count, width);
        expect(layout.width).toBeLessThanOrEqual(width + 0.01);
        expect(layout.columns * layout.rows).toBeGreaterThanOrEqual(count);
        expect((layout.rows - 1) * layout.columns).toBeLessThan(count);
      }),
    );
  });

  it('finds the cell that was drawn at a place', () => {
    fc.assert(
      fc.property(counts, widths, fc.nat(), (count, width, any) => {
        const layout = layoutGrid(count, width);
        const index = any % count;
        const { x, y } = cellCorner(layout, index);
        expect(cellAt(layout, x + layout.cellWidth / 2, y + layout.cellHeight / 2)).toBe(index);
      }),
    );
  });

  it('finds nothing between cells, outside, and behind the last', () => {
    const layout = layoutGrid(10, 1000);
    expect(cellAt(layout, layout.cellWidth + 1, 5)).toBeUndefined();
    expect(cellAt(layout, -1, 5)).toBeUndefined();
    expect(cellAt(layout, 5, layout.height + 40)).toBeUndefined();
    expect(cellAt(layout, layout.stepX * 9 + 1, layout.stepY + 1)).toBeUndefined();
  });

  it('shows 16 partitions with their times, and 4,096 as specks on one screen', () => {
    expect(layoutGrid(16, 900).detail).toBe('full');
    expect(layoutGrid(64, 900).detail).toBe('number');
    expect(layoutGrid(500, 900).detail).toBe('glyph');
    const many = layoutGrid(4096, 900);
    expect(many.detail).toBe('speck');
    expect(many.height).toBeLessThan(500);
  });

  it('leads from cell to cell by the arrows, and never out of it', () => {
    const keys = fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown');
    fc.assert(
      fc.property(counts, widths, fc.array(keys, { maxLength: 30 }), (count, width, pressed) => {
        const layout = layoutGrid(count, width);
        let at = 0;
        for (const key of pressed) at = neighbour(layout, at, key)!;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThan(count);
      }),
    );
    expect(neighbour(layoutGrid(10, 1000), 3, 'x')).toBeUndefined();
  });
});
