import { parsed } from '#contract/json-text.ts';
import type { Outline } from './frame.ts';

const HEAD_BYTES = 4 * 1024;
const TAIL_BYTES = 64 * 1024;

/** Keeps the beginning and the end of an event that is too large to store; the middle is usually a picture. */
export class EventOutline {
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)]);
    const before = this.#tail.subarray(Math.max(0, this.#tail.length + piece.length - TAIL_BYTES));
    this.#tail = Buffer.concat([piece.length >= TAIL_BYTES ? NOTHING : before, piece.subarray(-TAIL_BYTES)]);
  }

  end(): Outline {
    return { head: this.#head, tail: this.#tail };
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * The value of a field in an event of which only beginning and end are known: its last complete occurrence. Inside a
 * JSON string every quotation mark is escaped, so text cannot look like a field.
 */
export const outlinedField = ({ head, tail }: Outline, name: string): unknown => {
  for (const part of [tail, head]) {
    const text = part.toString('latin1');
    for (
      let at = text.lastIndexOf(`"${name}":`);
      at !== -1;
      at = at === 0 ? -1 : text.lastIndexOf(`"${name}":`, at - 1)
    ) {
      const value = wholeValue(part, at + name.length + 3);
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
};

const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^"{}[\],\s]+/y;

const wholeValue = (part: Buffer, from: number): unknown => {
  const text = part.toString('latin1', from);
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const mark = text[at] ?? '';
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    const token = mark === '"' ? STRING : PLAIN;
    token.lastIndex = at;
    const matched = /["{}[\],\s]/.test(mark) && mark !== '"' ? mark : (token.exec(text)?.[0] ?? '');
    if (matched === '') return undefined;
    at += matched.length;
    if (depth < 0) return undefined;
    if (depth === 0 && matched.trim() !== '') return parsed(part.toString('utf8', from, from + at));
  }
  return undefined;
};
