import { AppError } from '#core/error.ts';

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

/** What a form says, and where in its bytes. */
export interface FormParts {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
  readonly boundary: string;
  /** Where the first part's boundary is. */
  readonly start: number;
  /** Where the value of each text field is. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

const MAX_PARTS = 256;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_FIELD_BYTES = 1024 * 1024;
/** All texts together: they stay in memory, while files do not. */
const MAX_FIELDS_BYTES = 8 * 1024 * 1024;
const FILE_HEAD_BYTES = 64;
const BOUNDARY = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/is;
/** What a price is read from: some servers would take the second. */
const ONCE: ReadonlySet<string> = new Set(['model', 'n', 'size', 'quality', 'stream', 'seconds']);
const BLANK_LINE = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** The part that is being read. */
interface OpenPart {
  readonly name: string;
  /** Undefined for a text. */
  readonly filename: string | undefined;
  readonly mediaType: string;
  readonly start: number;
  /** The whole of a text, the first bytes of a file. */
  readonly kept: Buffer[];
  keptBytes: number;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) as its pieces come, and keeps nothing of its files. Throws
 * `invalid_request` for one that is broken or has too many parts, at the piece that shows it.
 */
export class FormScanner {
  readonly #boundary: string;
  readonly #mark: Buffer;
  /** What is read but not yet understood, and where in the body it begins. */
  #rest: Buffer = NOTHING;
  #restStart = 0;
  #state: 'before' | 'boundary' | 'head' | 'body' | 'after' = 'before';
  #part: OpenPart | undefined;
  #start = 0;
  #parts = 0;
  #fieldsBytes = 0;
  readonly #fields: Record<string, string> = {};
  readonly #files: FormFile[] = [];
  readonly #places = new Map<string, { start: number; end: number }>();

  constructor(contentType: string) {
    const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
    const boundary = quoted ?? plain;
    if (boundary === undefined) throw broken('it names no boundary');
    this.#boundary = boundary;
    this.#mark = Buffer.from(`\r\n--${boundary}`);
  }

  /** Takes the next bytes of the body, split wherever they are. */
  push(piece: Buffer): void {
    if (this.#state === 'after') return;
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (this.#step());
  }

  /** What the form says, once its last byte was pushed. */
  end(): FormParts {
    if (this.#state === 'before') throw broken('its boundary is not in it');
    if (this.#state !== 'after') throw broken('a part does not end');
    return {
      fields: this.#fields,
      files: this.#files,
      boundary: this.#boundary,
      start: this.#start,
      places: this.#places,
    };
  }

  /**
   * What a form of `length` bytes says up to a file that is still coming, once it has named its model: that file ends where
   * the form does, at the latest. Undefined before.
   */
  soFar(length: number): FormParts | undefined {
    const part = this.#part;
    const isIn = this.#state === 'body' && part !== undefined && part.keptBytes >= FILE_HEAD_BYTES;
    if (!isIn || part.filename === undefined || this.#fields['model'] === undefined) return undefined;
    const { name, filename, mediaType, start, kept } = part;
    return {
      fields: { ...this.#fields },
      files: [...this.#files, { name, filename, mediaType, head: Buffer.concat(kept), start, end: length }],
      boundary: this.#boundary,
      start: this.#start,
      places: new Map(this.#places),
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
        return false;
    }
  }

  #findFirst(): boolean {
    const first = this.#mark.subarray(2);
    const at = this.#rest.indexOf(first);
    if (at === -1) {
      this.#drop(Math.max(0, this.#rest.length - first.length + 1));
      return false;
    }
    this.#start = this.#restStart + at;
    this.#drop(at + first.length);
    this.#state = 'boundary';
    return true;
  }

  #readBoundary(): boolean {
    if (this.#rest.length < 2) return false;
    this.#state = this.#rest.toString('latin1', 0, 2) === '--' ? 'after' : 'head';
    if (this.#state === 'after') this.#rest = NOTHING;
    return this.#state === 'head';
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(BLANK_LINE);
    if (end > MAX_HEAD_BYTES || (end === -1 && this.#rest.length > MAX_HEAD_BYTES))
      throw broken('a part does not end');
    if (end === -1) return false;
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw broken('it has too many parts');
    this.#part = this.#opened(this.#rest.toString('utf8', 0, end), this.#restStart + end + BLANK_LINE.length);
    // The empty line's end may be the beginning of the next boundary: then the part is empty.
    this.#drop(end + 2);
    this.#state = 'body';
    return true;
  }

  #opened(head: string, start: number): OpenPart {
    const name = parameter(head, 'name');
    if (name === undefined) throw broken('a part has no name');
    const mediaType = /^content-type:\s*(\S+)/im.exec(head)?.[1] ?? 'application/octet-stream';
    return { name, filename: parameter(head, 'filename'), mediaType, start, kept: [], keptBytes: 0 };
  }

  #readBody(): boolean {
    const part = this.#part;
    if (part === undefined) return false;
    const at = this.#rest.indexOf(this.#mark);
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
    // A copy: a few bytes of a piece must not keep all of it.
    part.kept.push(Buffer.from(this.#rest.subarray(from, most)));
    part.keptBytes += most - from;
  }

  #close({ name, filename, mediaType, start: begun, kept }: OpenPart, end: number): void {
    const start = Math.min(begun, end);
    const bytes = Buffer.concat(kept);
    if (filename !== undefined) {
      this.#files.push({ name, filename, mediaType, head: bytes, start, end });
      return;
    }
    // A list comes as the same name several times: the first is what is looked at here.
    if (Object.hasOwn(this.#fields, name)) {
      if (ONCE.has(name)) throw broken(`the field '${name}' is given twice`);
      return;
    }
    Object.defineProperty(this.#fields, name, { value: bytes.toString('utf8'), enumerable: true });
    this.#places.set(name, { start, end });
  }

  #drop(length: number): void {
    this.#rest = this.#rest.subarray(length);
    this.#restStart += length;
  }
}

const parameter = (head: string, name: string): string | undefined => {
  const disposition = /^content-disposition:[^\r\n]*/im.exec(head)?.[0] ?? '';
  const match = new RegExp(`[;\\s]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(disposition);
  return match?.[1] ?? match?.[2];
};

const broken = (why: string): AppError => new AppError('invalid_request', `the form is not valid: ${why}`);
