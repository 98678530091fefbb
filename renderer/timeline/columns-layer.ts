// Columns of a pixel by the ten thousands: as pixels in one picture, since a rectangle each would take the canvas several times as long.

export class ColumnsLayer {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d')!;
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(1);
  #isUsed = false;

  /** Begins a picture of so many CSS pixels. */
  begin(widthPx: number, heightPx: number): void {
    const [width, height] = [Math.max(1, Math.ceil(widthPx)), Math.max(1, Math.ceil(heightPx))];
    if (width !== this.#image.width || height !== this.#image.height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    } else if (this.#isUsed) {
      this.#pixels.fill(0);
    }
    this.#isUsed = false;
  }

  /** A column at `x` from `y` on downwards, in CSS pixels; what is outside of the picture is left out. */
  column(x: number, y: number, height: number, pixel: number): void {
    const { width, height: most } = this.#image;
    if (x < 0 || x >= width) return;
    this.#isUsed = true;
    const from = Math.max(0, Math.round(y));
    const to = Math.min(most, Math.round(y + height));
    for (let at = from * width + x; at < to * width; at += width) this.#pixels[at] = pixel;
  }

  /** Lays the columns over what is drawn. */
  flush(context: CanvasRenderingContext2D): void {
    if (!this.#isUsed) return;
    this.#context.putImageData(this.#image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#canvas, 0, 0, this.#image.width, this.#image.height);
  }

  /** A CSS colour as a pixel; `alpha` from 0 to 1. */
  static pixelOf(colour: string, alpha = 1): number {
    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext('2d')!;
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const { data } = context.getImageData(0, 0, 1, 1);
    data[3] = Math.round(alpha * 255);
    return new Uint32Array(data.buffer)[0]!;
  }
}
