import type { Frame } from '../../frame.ts';

const OPEN = Buffer.from('[');
const BETWEEN = Buffer.from(',\r\n');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.alloc(0);

/**
 * Writes a stream as one JSON array, for callers without server-sent events (`alt=sse`): the elements are the frames'
 * payloads, byte for byte, as they arrive. Leaves out frames without payload and anything that is not valid JSON: the
 * end mark of some compatible upstreams, an incomplete event.
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
