import { unreadable } from './unreadable.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

/** Enough to see a byte order mark and the signs of packed files. */
const LEAST_HEAD_BYTES = 4;
/** The first bytes of ZIP files, which spreadsheets are too, and of gzip. */
const PACKED: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/**
 * Exports of Chinese spreadsheets are often GB 18030. Nearly no such text is UTF-8 as well, so what is not UTF-8 is taken
 * for it.
 */
const encodingOf = (head: Uint8Array): Encoding => {
  if (PACKED.some((start) => startsWith(head, start))) throw unreadable('reconcile_packed');
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'gb18030';
  }
};

/** The text of a file that arrives in pieces. Refuses what is no text. */
export class FileText {
  #head = new Uint8Array();
  #decoder: TextDecoder | undefined;

  /** The text that this piece completes. */
  add(piece: Uint8Array): string {
    if (this.#decoder !== undefined) return this.#decode(piece, 'more');
    const head = new Uint8Array(this.#head.length + piece.length);
    head.set(this.#head);
    head.set(piece, this.#head.length);
    this.#head = head;
    return head.length < LEAST_HEAD_BYTES ? '' : this.#decode(this.#begin(), 'more');
  }

  /** The text after the last piece. */
  end(): string {
    return this.#decoder === undefined
      ? this.#decode(this.#begin(), 'last')
      : this.#decode(new Uint8Array(), 'last');
  }

  #begin(): Uint8Array {
    this.#decoder = new TextDecoder(encodingOf(this.#head), { fatal: true });
    return this.#head;
  }

  #decode(piece: Uint8Array, which: 'more' | 'last'): string {
    let text: string;
    try {
      text = this.#decoder?.decode(piece, { stream: which === 'more' }) ?? '';
    } catch {
      throw unreadable('reconcile_not_text');
    }
    if (text.includes('\0')) throw unreadable('reconcile_not_text');
    return text;
  }
}
