import type { Frame } from '../frame.ts';

const OPEN = Buffer.from('[');
const BETWEEN = Buffer.from(',\r\n');
const CLOSE = Buffer.from(']');

/**
 * The other framing of a stream in this format, for callers who do not ask for server-sent events (`alt=sse`): one JSON
 * array whose elements are the frames' payloads, byte for byte, written as they come. Frames without one are left out.
 */
export class JsonArrayWriter {
  #count = 0;

  /** One frame's part of the array; nothing for a comment. */
  write(frame: Pick<Frame, 'data'>): Buffer {
    if (frame.data.length === 0) return frame.data;
    this.#count += 1;
    return Buffer.concat([this.#count === 1 ? OPEN : BETWEEN, frame.data]);
  }

  /** Closes the array; an empty stream is an empty array. */
  end(): Buffer {
    return this.#count === 0 ? Buffer.concat([OPEN, CLOSE]) : CLOSE;
  }
}
