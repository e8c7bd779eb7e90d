import { AppError } from '#core/error.ts';
import { MAX_CONVERTED_BYTES } from '../../sse.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;

const BEFORE = Buffer.from('data: ');
const AFTER = Buffer.from('\n\n');

/**
 * Reads a stream that is one JSON array, which Google sends for `streamGenerateContent` without `alt=sse`, and some
 * servers always. Each element becomes an event once complete. Other bodies pass unchanged. Throws `upstream_failed`
 * for an element larger than an event may be that is converted.
 */
export async function* arrayAsEvents(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let reader: ArrayReader | undefined;
  let isArray: boolean | undefined;
  for await (const chunk of body) {
    isArray ??= startsArray(chunk);
    if (isArray !== true) {
      yield chunk;
      continue;
    }
    reader ??= new ArrayReader();
    const events = reader.feed(chunk);
    if (events.length > 0) yield events;
  }
}

/** Undefined while only white space has arrived. */
const startsArray = (chunk: Buffer): boolean | undefined => {
  for (const byte of chunk) if (byte > SPACE) return byte === OPEN_LIST;
  return undefined;
};

/** Splits an array into elements by counting braces, without parsing them. */
class ArrayReader {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The start of an incomplete element, joined once it is complete: copied with every chunk, a picture took seconds. */
  #open: Buffer[] = [];
  #openBytes = 0;

  feed(chunk: Buffer): Buffer {
    const events: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? SPACE;
      if (this.#inString) {
        this.#readInString(byte);
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (byte === OPEN) {
        if (this.#depth === 0) start = at;
        this.#depth += 1;
      } else if (byte === CLOSE && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        events.push(BEFORE, onOneLine(Buffer.concat([...this.#open, chunk.subarray(start, at + 1)])), AFTER);
        [this.#open, this.#openBytes] = [[], 0];
        start = at + 1;
      } else if (this.#depth === 0 && byte > SPACE && !BETWEEN.has(byte)) {
        throw new AppError('upstream_failed', 'the upstream sent a list that does not contain answers');
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start));
    return Buffer.concat(events);
  }

  #readInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #keep(rest: Buffer): void {
    this.#open.push(rest);
    this.#openBytes += rest.length;
    if (this.#openBytes > MAX_CONVERTED_BYTES)
      throw new AppError('upstream_failed', 'the upstream sent an element that is too large');
  }
}

const BETWEEN: ReadonlySet<number> = new Set([COMMA, OPEN_LIST, CLOSE_LIST]);

/** Replaces line breaks between tokens by spaces; JSON strings contain none. */
const onOneLine = (element: Buffer): Buffer => {
  for (let at = 0; at < element.length; at += 1) if ((element[at] ?? 0) < SPACE) element[at] = SPACE;
  return element;
};
