import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, type Inflate, type InflateRaw, type ZlibOptions } from 'node:zlib';

/** The low half of zlib's first byte names the compression: 8 is deflate (RFC 1950, 2.2). */
const DEFLATED = 8;

/**
 * Decompresses the coding `deflate`. Its data has a zlib header (RFC 9110, 8.4.1.2), which some programs omit; the
 * first byte shows which.
 */
export class AnyInflate extends Transform {
  readonly #options: ZlibOptions;
  #inflate: Inflate | InflateRaw | undefined;

  constructor(options: ZlibOptions = {}) {
    super();
    this.#options = options;
  }

  override _transform(piece: Buffer, _: BufferEncoding, taken: TransformCallback): void {
    if (piece.length === 0) return taken();
    this.#inflate ??= this.#begin((piece[0] ?? 0) % 16 === DEFLATED);
    this.#inflate.write(piece, taken);
  }

  override _flush(ended: TransformCallback): void {
    if (this.#inflate === undefined) return ended();
    this.#inflate.once('end', () => ended());
    this.#inflate.end();
  }

  override _read(size: number): void {
    this.#inflate?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    this.#inflate?.destroy();
    super._destroy(error, destroyed);
  }

  #begin(hasHead: boolean): Inflate | InflateRaw {
    const inflate = hasHead ? createInflate(this.#options) : createInflateRaw(this.#options);
    inflate.on('data', (piece: Buffer) => {
      if (!this.push(piece)) inflate.pause();
    });
    inflate.on('error', (error) => this.destroy(error));
    return inflate;
  }
}
