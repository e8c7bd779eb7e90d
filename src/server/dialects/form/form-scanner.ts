import { boundaryIn, brokenForm as broken, type FormHead, isPlainHead, readFormHead } from './form-head.ts';
import { FieldNames, readText } from './form-fields.ts';
import { SOUND_HEAD_BYTES, SoundLength } from '../sound/sound-length.ts';

/** A file in a form: its headers, and where its bytes are. */
export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  /** Its first bytes, which identify a format. */
  readonly head: Buffer;
  readonly start: number;
  readonly end: number;
  /** How long it plays, if it is sound; absent while it is still arriving. */
  readonly seconds?: number;
}

/** A part: its headers, and where its bytes are. */
export interface FormPart extends FormHead {
  readonly start: number;
  readonly end: number;
}

/** The content of a form, and where each part is in its bytes. */
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
/** Limit for all texts together: they stay in memory, files do not. */
const MAX_FIELDS_BYTES = 8 * 1024 * 1024;
const CR = 0x0d;
const LF = 0x0a;
const BLANK_LINE = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
/** A boundary that is safe with and without quotes, and unlikely to occur in a file. */
const PLAIN_BOUNDARY = /^[0-9A-Za-z_'+.-]{6,70}$/;

/** The part being read. */
interface OpenPart extends FormHead {
  readonly start: number;
  /** A whole text, or the first bytes of a file: `keptBytes` of them. */
  kept: Buffer;
  keptBytes: number;
  /** Of a file, from its head on. */
  sound: SoundLength | undefined;
}

/** Counts the memory that form texts use; throws if there is no more room. */
export interface TextRoom {
  take(bytes: number): void;
}

/** For a form that is in memory as a whole and counted there. */
const COUNTED: TextRoom = { take: () => undefined };

/**
 * Parses a `multipart/form-data` body (RFC 7578) as it arrives, without storing its files. Throws `invalid_request` as
 * soon as the form is broken, has too many parts, or is ambiguous.
 */
export class FormScanner {
  readonly #boundary: string;
  readonly #mark: Buffer;
  readonly #room: TextRoom;
  /** Bytes not parsed yet, and where in the body they begin. */
  #rest: Buffer = NOTHING;
  #restStart = 0;
  #state: 'before' | 'boundary' | 'head' | 'body' | 'after' = 'before';
  #part: OpenPart | undefined;
  #fieldsBytes = 0;
  /** True while any reader would see the same parts in these bytes. */
  #isPlain: boolean;
  /** True once the form is being forwarded while it still arrives. */
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

  /** Takes the next bytes of the body, split anywhere. */
  push(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (this.#step());
    if (this.#isOnItsWay && !this.#isPlain) throw broken('what stands behind its file is written oddly');
  }

  /** The content of the form, after its last byte. */
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
   * The content of a form of `length` bytes up to a file that is still arriving, once the model is known; the file is
   * taken to reach to the end of the form. Undefined before that, and for forms that must not be forwarded unchanged.
   * The rest of such a form must be unambiguous, too.
   */
  soFar(length: number): FormParts | undefined {
    const part = this.#part;
    const isIn = this.#state === 'body' && part !== undefined && part.keptBytes >= SOUND_HEAD_BYTES;
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

  /** Parses one step; false if it needs more bytes. */
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

  /** Only an empty line may come before the first part: some readers take anything else for a part. */
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
    this.#part = {
      ...head,
      start: this.#restStart + end + BLANK_LINE.length,
      kept: NOTHING,
      keptBytes: 0,
      sound: undefined,
    };
    // The end of the empty line may also begin the next boundary: then the part is empty.
    this.#drop(end + 2);
    this.#state = 'body';
    return true;
  }

  #readBody(): boolean {
    const part = this.#part;
    if (part === undefined) return false;
    const at = this.#rest.indexOf(this.#mark);
    // A boundary without its line break: text to us, but the end of a part to other readers.
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

  /** Stores what is needed of the first `length` unparsed bytes. */
  #keep(part: OpenPart, length: number): void {
    const from = Math.max(0, part.start - this.#restStart);
    if (from >= length) return;
    if (part.filename === undefined) {
      this.#fieldsBytes += length - from;
      if (part.keptBytes + length - from > MAX_FIELD_BYTES || this.#fieldsBytes > MAX_FIELDS_BYTES)
        throw broken(`the field '${part.name}' is too long`);
    }
    const isFile = part.filename !== undefined;
    const most = isFile ? Math.min(length, from + SOUND_HEAD_BYTES - part.keptBytes) : length;
    if (from < most) this.#copy(part, from, most);
    if (part.sound !== undefined) part.sound.push(this.#rest.subarray(from, length));
    else if (isFile && part.keptBytes === SOUND_HEAD_BYTES) {
      part.sound = soundIn(part);
      part.sound.push(this.#rest.subarray(most, length));
    }
  }

  #copy(part: OpenPart, from: number, most: number): void {
    // Copied into one buffer, so that a few bytes do not keep their whole chunk in memory.
    const needed = part.keptBytes + most - from;
    if (needed > part.kept.length) this.#widen(part, needed);
    part.keptBytes += this.#rest.copy(part.kept, part.keptBytes, from, most);
  }

  #widen(part: OpenPart, needed: number): void {
    const length = Math.max(needed, part.kept.length * 2, SOUND_HEAD_BYTES);
    this.#room.take(length - part.kept.length);
    const wider = Buffer.allocUnsafeSlow(length);
    part.kept.copy(wider, 0, 0, part.keptBytes);
    part.kept = wider;
  }

  #close(part: OpenPart, end: number): void {
    const { name, filename } = part;
    // The boundary shares the line break of the empty line: an empty part to us, but broken to other readers.
    if (end < part.start) this.#isPlain = false;
    this.#parts.push({ ...headOf(part), start: Math.min(part.start, end), end });
    this.#part = undefined;
    if (filename !== undefined) {
      this.#files.push({ ...fileOf(part, end), seconds: (part.sound ?? soundIn(part)).end() });
      return;
    }
    const value = readText(name, keptOf(part));
    // A list repeats one name; only its first value is checked here.
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

/** The length of a file of sound, of which the head is known. */
const soundIn = (part: OpenPart): SoundLength => {
  const sound = new SoundLength(keptOf(part));
  sound.push(keptOf(part));
  return sound;
};

const fileOf = (part: OpenPart, end: number): FormFile => ({
  name: part.name,
  filename: part.filename ?? '',
  mediaType: part.mediaType ?? 'application/octet-stream',
  head: keptOf(part),
  start: Math.min(part.start, end),
  end,
});
