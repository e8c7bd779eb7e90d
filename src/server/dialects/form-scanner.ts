import { boundaryIn, brokenForm as broken, type FormHead, isPlainHead, readFormHead } from './form-head.ts';
import { FieldNames, readText } from './form-fields.ts';

/** A part of a form that is a file: what is known of it without its bytes, and where those are. */
export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  /** Its first bytes, by which a format is known. */
  readonly head: Buffer;
  readonly start: number;
  readonly end: number;
}

/** A part in its place: what stands over it, and where its bytes are. */
export interface FormPart extends FormHead {
  readonly start: number;
  readonly end: number;
}

/** What a form says, and where in its bytes. */
export interface FormParts {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
  /** Texts and files in the order they came in. */
  readonly parts: readonly FormPart[];
  readonly boundary: string;
}

const MAX_PARTS = 256;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_FIELD_BYTES = 1024 * 1024;
/** All texts together: they stay in memory, while files do not. */
const MAX_FIELDS_BYTES = 8 * 1024 * 1024;
const FILE_HEAD_BYTES = 64;
const CR = 0x0d;
const LF = 0x0a;
const BLANK_LINE = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
/** A boundary that is read alike with and without quotes, and that no file has by chance. */
const PLAIN_BOUNDARY = /^[0-9A-Za-z_'+.-]{6,70}$/;

/** The part that is being read. */
interface OpenPart extends FormHead {
  readonly start: number;
  /** The whole of a text, the first bytes of a file: as many as `keptBytes` says. */
  kept: Buffer;
  keptBytes: number;
}

/** Where is counted what of a form stays in memory; throws where there is no room. */
export interface TextRoom {
  take(bytes: number): void;
}

/** For a form that is in memory as a whole, and counted there. */
const COUNTED: TextRoom = { take: () => undefined };

/**
 * Reads a `multipart/form-data` body (RFC 7578) as its pieces come, and keeps nothing of its files. Throws
 * `invalid_request`, at the piece that shows it, for one that is broken, has too many parts, or could be read in more than
 * one way.
 */
export class FormScanner {
  readonly #boundary: string;
  readonly #mark: Buffer;
  readonly #room: TextRoom;
  /** What is read but not yet understood, and where in the body it begins. */
  #rest: Buffer = NOTHING;
  #restStart = 0;
  #state: 'before' | 'boundary' | 'head' | 'body' | 'after' = 'before';
  #part: OpenPart | undefined;
  #fieldsBytes = 0;
  /** Readers of any skill see the same parts in the bytes as they are. */
  #isPlain: boolean;
  /** What is still to come goes out as it comes. */
  #isOnItsWay = false;
  readonly #names = new FieldNames();
  readonly #fields: Record<string, string> = {};
  readonly #files: FormFile[] = [];
  readonly #parts: FormPart[] = [];

  constructor(contentType: string, room = COUNTED) {
    this.#room = room;
    this.#boundary = boundaryIn(contentType);
    this.#mark = Buffer.from(`\r\n--${this.#boundary}`);
    this.#isPlain = PLAIN_BOUNDARY.test(this.#boundary);
  }

  /** Takes the next bytes of the body, split wherever they are. */
  push(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (this.#step());
    if (this.#isOnItsWay && !this.#isPlain) throw broken('what stands behind its file is written oddly');
  }

  /** What the form says, once its last byte was pushed. */
  end(): FormParts {
    if (this.#state === 'before') throw broken('its boundary is not in it');
    if (this.#state !== 'after') throw broken('a part does not end');
    return {
      fields: this.#fields,
      files: this.#files,
      parts: this.#parts,
      boundary: this.#boundary,
    };
  }

  /**
   * What a form of `length` bytes says up to a file that is still coming, once it has named its model: that file ends where
   * the form does, at the latest. Undefined before, and for forms that may not go out with the bytes they come in. What
   * comes after it then has to be as plain.
   */
  soFar(length: number): FormParts | undefined {
    const part = this.#part;
    const isIn = this.#state === 'body' && part !== undefined && part.keptBytes >= FILE_HEAD_BYTES;
    if (!isIn || part.filename === undefined || this.#fields['model'] === undefined) return undefined;
    if (!this.#isPlain) return undefined;
    this.#isOnItsWay = true;
    return {
      fields: { ...this.#fields },
      files: [...this.#files, fileOf(part, length)],
      parts: [...this.#parts, { ...headOf(part), start: part.start, end: length }],
      boundary: this.#boundary,
    };
  }

  /** One step forward; false where it takes more bytes. */
  #step(): boolean {
    switch (this.#state) {
      case 'before':
        return this.#findFirst();
      case 'boundary':
        return this.#readBoundary();
      case 'head':
        return this.#readHead();
      case 'body':
        return this.#readBody();
      case 'after':
        return this.#readAfter();
    }
  }

  /** Nothing but an empty line stands before the first part: what does is a part to some. */
  #findFirst(): boolean {
    const first = this.#mark.subarray(2);
    const at = this.#rest[0] === CR ? 2 : 0;
    const seen = this.#rest.subarray(0, at + first.length);
    const expected = at === 0 ? first : this.#mark;
    if (!seen.equals(expected.subarray(0, seen.length))) throw broken('its boundary is not at its beginning');
    if (seen.length < expected.length) return false;
    this.#drop(expected.length);
    this.#state = 'boundary';
    return true;
  }

  #readBoundary(): boolean {
    if (this.#rest.length < 2) return false;
    const next = this.#rest.toString('latin1', 0, 2);
    if (next !== '--' && next !== '\r\n') throw broken('something stands behind a boundary');
    this.#state = next === '--' ? 'after' : 'head';
    this.#drop(2);
    return true;
  }

  #readAfter(): boolean {
    if (this.#rest.some((byte) => byte !== CR && byte !== LF))
      throw broken('something stands behind its end');
    this.#drop(this.#rest.length);
    return false;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(BLANK_LINE);
    if (end > MAX_HEAD_BYTES || (end === -1 && this.#rest.length > MAX_HEAD_BYTES))
      throw broken('a part does not end');
    if (end === -1) return false;
    if (this.#parts.length === MAX_PARTS) throw broken('it has too many parts');
    this.#room.take(end);
    const text = this.#rest.toString('utf8', 0, end);
    const head = readFormHead(text);
    this.#names.add(head);
    this.#isPlain &&= isPlainHead(text);
    this.#part = { ...head, start: this.#restStart + end + BLANK_LINE.length, kept: NOTHING, keptBytes: 0 };
    // The empty line's end may be the beginning of the next boundary: then the part is empty.
    this.#drop(end + 2);
    this.#state = 'body';
    return true;
  }

  #readBody(): boolean {
    const part = this.#part;
    if (part === undefined) return false;
    const at = this.#rest.indexOf(this.#mark);
    // Without its line break it ends nothing here, and a part elsewhere.
    const stray = this.#isPlain ? this.#rest.indexOf(this.#mark.subarray(2)) : -1;
    if (stray !== -1 && stray !== at + 2) this.#isPlain = false;
    const sureBytes = at === -1 ? Math.max(0, this.#rest.length - this.#mark.length + 1) : at;
    this.#keep(part, sureBytes);
    this.#drop(sureBytes);
    if (at === -1) return false;
    this.#close(part, this.#restStart);
    this.#drop(this.#mark.length);
    this.#state = 'boundary';
    return true;
  }

  /** Keeps what has to be kept of the first `length` bytes that are read. */
  #keep(part: OpenPart, length: number): void {
    const from = Math.max(0, part.start - this.#restStart);
    if (from >= length) return;
    if (part.filename === undefined) {
      this.#fieldsBytes += length - from;
      if (part.keptBytes + length - from > MAX_FIELD_BYTES || this.#fieldsBytes > MAX_FIELDS_BYTES)
        throw broken(`the field '${part.name}' is too long`);
    }
    const most =
      part.filename === undefined ? length : Math.min(length, from + FILE_HEAD_BYTES - part.keptBytes);
    if (from >= most) return;
    // A copy, all in one: a few bytes must neither keep all of their piece nor be an object each.
    const needed = part.keptBytes + most - from;
    if (needed > part.kept.length) this.#widen(part, needed);
    part.keptBytes += this.#rest.copy(part.kept, part.keptBytes, from, most);
  }

  #widen(part: OpenPart, needed: number): void {
    const length = Math.max(needed, part.kept.length * 2, FILE_HEAD_BYTES);
    this.#room.take(length - part.kept.length);
    const wider = Buffer.allocUnsafeSlow(length);
    part.kept.copy(wider, 0, 0, part.keptBytes);
    part.kept = wider;
  }

  #close(part: OpenPart, end: number): void {
    const { name, filename } = part;
    this.#parts.push({ ...headOf(part), start: Math.min(part.start, end), end });
    this.#part = undefined;
    if (filename !== undefined) {
      this.#files.push(fileOf(part, end));
      return;
    }
    const value = readText(name, keptOf(part));
    // A list comes as the same name several times: the first is what is looked at here.
    if (!Object.hasOwn(this.#fields, name))
      Object.defineProperty(this.#fields, name, { value, enumerable: true });
  }

  #drop(length: number): void {
    this.#rest = this.#rest.subarray(length);
    this.#restStart += length;
  }
}

const headOf = ({ name, filename, mediaType }: OpenPart): FormHead => ({ name, filename, mediaType });

const keptOf = ({ kept, keptBytes }: OpenPart): Buffer => kept.subarray(0, keptBytes);

const fileOf = (part: OpenPart, end: number): FormFile => ({
  name: part.name,
  filename: part.filename ?? '',
  mediaType: part.mediaType ?? 'application/octet-stream',
  head: keptOf(part),
  start: Math.min(part.start, end),
  end,
});
