// The app's icon, drawn here: four partitions, one of them proved; as in renderer/index.html.

const inProgress = [0x55, 0x70, 0xe8];
const proved = [0x00, 0xa0, 0x78];

/** The picture in rows of pixels, each blue, green, red, alpha, as Electron takes it. */
export function iconBitmap(size: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4);
  // Of 16 parts, 2 are the gap in the middle.
  const part = (at: number) => {
    const place = ((at + 0.5) * 16) / size;
    if (place < 7) return 0;
    return place >= 9 ? 1 : undefined;
  };
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [column, row] = [part(x), part(y)];
      if (column === undefined || row === undefined) continue;
      const [red, green, blue] = column === 1 && row === 1 ? proved : inProgress;
      pixels.set([blue!, green!, red!, 255], (y * size + x) * 4);
    }
  }
  return pixels;
}
