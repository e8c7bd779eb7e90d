import type { Frame } from '../frame.ts';

const OPEN = Buffer.from('[');
const BETWEEN = Buffer.from(',\r\n');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.alloc(0);

/**
 * The other framing of a stream in this format, for callers who do not ask for server-sent events (`alt=sse`): one JSON
 * array whose elements are the frames' payloads, byte for byte, written as they come. Frames without one are left out, and
 * so is what no JSON can hold: the end mark of some look-alikes, an event that broke off.
 */
export class JsonArrayWriter {
  #count = 0;

  /** One frame's part of the array; nothing for a comment. */
  write({ data }: Pick<Frame, 'data'>): Buffer {
    if (data.length === 0 || !isJson(data)) return NOTHING;
    this.#count += 1;
    return Buffer.concat([this.#count === 1 ? OPEN : BETWEEN, data]);
  }

  /** Closes the array; an empty stream is an empty array. */
  end(): Buffer {
    return this.#count === 0 ? Buffer.concat([OPEN, CLOSE]) : CLOSE;
  }
}

const isJson = (data: Buffer): boolean => {
  try {
    JSON.parse(data.toString());
    return true;
  } catch {
    return false;
  }
};
