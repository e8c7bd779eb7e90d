/** The prefix of the JSON around a free text, as far as it has arrived. */
const BEGINS = /^\s*\{\s*"input"\s*:\s*"/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
};
/** Longer than any spelling of the prefix: text beyond it has another shape. */
const START_MAX_LENGTH = 200;

/**
 * Extracts the text from streamed JSON of the form `{"input": "…"}`. JSON of another shape gives nothing here and is
 * read once complete.
 */
export class InputInPieces {
  #start = '';
  /** Undecided input: half an escape, half a surrogate pair. */
  #pending = '';
  #state: 'before' | 'inside' | 'over' | 'other' = 'before';
  /** The whole text so far. */
  text = '';

  /** False if the JSON has another shape. */
  get isKnown(): boolean {
    return this.#state === 'inside' || this.#state === 'over';
  }

  /** The text that this chunk of JSON adds. */
  add(piece: string): string {
    if (this.#state === 'before') return this.#begin(piece);
    return this.#state === 'inside' ? this.#read(piece) : '';
  }

  #begin(piece: string): string {
    this.#start += piece;
    const begun = BEGINS.exec(this.#start);
    if (begun === null) {
      if (this.#start.length > START_MAX_LENGTH) this.#state = 'other';
      return '';
    }
    this.#state = 'inside';
    return this.#read(this.#start.slice(begun[0].length));
  }

  #read(piece: string): string {
    const json = this.#pending + piece;
    let text = '';
    let at = 0;
    while (at < json.length) {
      const end = nextMark(json, at);
      text += json.slice(at, end);
      at = end;
      if (json[at] === '"') {
        this.#state = 'over';
        at = json.length;
      } else if (at < json.length) {
        const length = json[at + 1] === 'u' ? 6 : 2;
        if (at + length > json.length) break;
        text += unescaped(json.slice(at, at + length));
        at += length;
      }
    }
    this.#pending = json.slice(at);
    return this.#whole(text);
  }

  /** Holds back the first half of a surrogate pair. */
  #whole(text: string): string {
    const last = text.charCodeAt(text.length - 1);
    const isHalf = this.#state === 'inside' && last >= 0xd800 && last <= 0xdbff;
    const whole = isHalf ? text.slice(0, -1) : text;
    if (isHalf) this.#pending = `\\u${last.toString(16)}${this.#pending}`;
    this.text += whole;
    return whole;
  }
}

/** The position of the next quote or backslash, or the end. */
const nextMark = (json: string, from: number): number => {
  let at = from;
  while (at < json.length && json[at] !== '"' && json[at] !== '\\') at += 1;
  return at;
};

const unescaped = (escape: string): string => {
  if (escape[1] !== 'u') return ESCAPES[escape[1] ?? ''] ?? escape;
  const code = Number.parseInt(escape.slice(2), 16);
  return Number.isNaN(code) ? escape : String.fromCharCode(code);
};
