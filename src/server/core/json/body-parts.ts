import type { JsonSurvey, KnownRun, PartReader } from './bounds.ts';
import { type Fields, isFields } from './fields.ts';
import type { KnownPart, KnownParts } from './known-parts.ts';
import { membersRead } from './one-meaning.ts';

const SPACE = 0x20;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;

/** Splitting a shorter body saves nothing. */
const LEAST_BODY_BYTES = 4 * 1024;
/** Longer parts are parsed but not remembered: most are pictures. */
const MOST_BYTES = 128 * 1024;
/** If the new parts are shorter than this on average, parsing the whole body is as fast. */
const LEAST_AVERAGE_BYTES = 512;

/** A part of this body. It is parsed after the survey, which may show that the body is too large for this thread. */
interface MetPart {
  readonly start: number;
  readonly end: number;
  readonly values: number;
  readonly members: number;
  /** Undefined if it is too long to remember. */
  readonly digest: string | undefined;
  readonly known: KnownPart | undefined;
}

/** A body parsed part by part. */
export interface PartedBody {
  readonly body: Fields;
  /** The marks that occur in its text. */
  readonly marks: ReadonlySet<string>;
}

/** Parses a body, except for the parts that are already known. */
export class BodyParts implements PartReader {
  readonly #known: KnownParts;
  readonly #bytes: Buffer;
  readonly #parts: MetPart[] = [];
  #previous: KnownPart | undefined;
  #unknown = 0;

  constructor(known: KnownParts, bytes: Buffer) {
    this.#known = known;
    this.#bytes = bytes;
  }

  skip(start: number): KnownRun | undefined {
    let run: { end: number; values: number; members: number } | undefined;
    for (let at = start; at !== -1; at = this.#nextObject(run.end)) {
      const part = this.#previous?.next;
      if (part === undefined || !this.#stands(part, at)) break;
      const end = at + part.bytes.length;
      const { values, members } = part;
      // The preceding comma is included.
      run =
        run === undefined
          ? { end, values, members }
          : { end, values: run.values + values + 1, members: run.members + members };
      this.#parts.push({ start: at, end, values, members, digest: part.digest, known: part });
      this.#known.keep(part);
      this.#previous = part;
    }
    return run;
  }

  met(start: number, end: number, values: number, members: number): void {
    if (this.#isTooMuch) return;
    const isLong = end - start > MOST_BYTES;
    const digest = isLong ? undefined : this.#known.digest(this.#bytes.subarray(start, end));
    const known = digest === undefined ? undefined : this.#known.find(digest);
    if (known === undefined) this.#unknown += 1;
    else this.#known.keep(known);
    this.#previous = known;
    this.#parts.push({ start, end, values, members, digest, known });
  }

  /**
   * Gives the same result as `JSON.parse` of the whole text. Undefined if the whole must be parsed: it has no parts,
   * is invalid, or repeats a name in one object.
   * Each part is replaced by a small object with its number, and only what is left is parsed. An object may stand
   * wherever another may, so the shortened text is valid exactly if the whole is, and has the same values around its
   * parts.
   */
  read({ members, hasLongNumber }: JsonSurvey): PartedBody | undefined {
    if (this.#parts.length === 0 || hasLongNumber || this.#isTooMuch) return undefined;
    const values: Fields[] = [];
    const marks = new Set<string>();
    let text = '';
    let at = 0;
    let membersAround = members + this.#parts.length;
    let previous: KnownPart | undefined;
    for (const met of this.#parts) {
      const known = met.known ?? this.#learn(met);
      const part = known ?? this.#readPart(met);
      if (part === undefined) return undefined;
      text += `${this.#between(at, met.start)}{"":${values.length}}`;
      for (const mark of part.marks) marks.add(mark);
      values.push(part.value);
      membersAround -= met.members;
      at = met.end;
      if (previous !== undefined) previous.next = known;
      previous = known;
    }
    text += this.#bytes.toString('utf8', at);
    for (const mark of this.#known.marks) if (text.includes(mark)) marks.add(mark);
    const around = parsed(text);
    if (!isFields(around) || membersRead(around) !== membersAround) return undefined;
    return putIn(around, values) ? { body: around, marks } : undefined;
  }

  /** Mostly a comma, which is known without a conversion. */
  #between(at: number, start: number): string {
    return start === at + 1 && this.#bytes[at] === COMMA ? ',' : this.#bytes.toString('utf8', at, start);
  }

  get #isTooMuch(): boolean {
    return this.#unknown * LEAST_AVERAGE_BYTES > this.#bytes.length;
  }

  #stands({ bytes }: KnownPart, at: number): boolean {
    const end = at + bytes.length;
    return end <= this.#bytes.length && this.#bytes.compare(bytes, 0, bytes.length, at, end) === 0;
  }

  /** The index of the next item of the list if it is an object; −1 if not. */
  #nextObject(end: number): number {
    const comma = this.#pastSpaces(end);
    if (this.#bytes[comma] !== COMMA) return -1;
    const next = this.#pastSpaces(comma + 1);
    return this.#bytes[next] === OPEN_OBJECT ? next : -1;
  }

  #pastSpaces(from: number): number {
    let at = from;
    while ((this.#bytes[at] ?? COMMA) <= SPACE) at += 1;
    return at;
  }

  /** Undefined if it is too long to remember, or cannot be parsed. */
  #learn(met: MetPart): KnownPart | undefined {
    const { start, end, values, members, digest } = met;
    if (digest === undefined) return undefined;
    // The same part may occur twice in this body.
    const twin = this.#known.find(digest);
    if (twin !== undefined) return twin;
    const part = this.#readPart(met);
    if (part === undefined) return undefined;
    const bytes = Buffer.from(this.#bytes.subarray(start, end));
    return this.#known.add({ ...part, bytes, digest, values, members });
  }

  #readPart({ start, end, members }: MetPart): Pick<KnownPart, 'value' | 'marks'> | undefined {
    const text = this.#bytes.toString('utf8', start, end);
    const value = parsed(text);
    if (!isFields(value) || membersRead(value) !== members) return undefined;
    return { value, marks: this.#known.marks.filter((mark) => text.includes(mark)) };
  }
}

/** Creates the parts reader for surveying and parsing a body; undefined for a short body. */
export const partsOf = (known: KnownParts, bytes: Buffer): BodyParts | undefined =>
  bytes.length < LEAST_BODY_BYTES ? undefined : new BodyParts(known, bytes);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Puts the parts in place of their numbers. Returns false if something else is there. */
const putIn = (around: Fields, parts: readonly Fields[]): boolean => {
  let left = parts.length;
  for (const list of Object.values(around)) {
    if (!Array.isArray(list)) continue;
    const items: unknown[] = list;
    for (const [index, item] of items.entries()) {
      if (!isFields(item)) continue;
      const number = item[''];
      const part = typeof number === 'number' ? parts[number] : undefined;
      if (part === undefined) return false;
      items[index] = part;
      left -= 1;
    }
  }
  return left === 0;
};
