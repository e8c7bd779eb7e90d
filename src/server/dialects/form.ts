import { AppError } from '#core/error.ts';

/** A part of a form that is a file: its bytes stay where they are. */
export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A `multipart/form-data` body (RFC 7578): its texts by name, its files, and the bytes it came as. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
  readonly bytes: Buffer;
  readonly boundary: string;
  /** Where the value of each text field is. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

const MAX_PARTS = 256;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_FIELD_BYTES = 1024 * 1024;
const BOUNDARY = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/is;
/** What a price is read from: some servers would take the second. */
const ONCE: ReadonlySet<string> = new Set(['model', 'n', 'size', 'quality', 'stream', 'seconds']);
const BLANK_LINE = '\r\n\r\n';

/** Whether a request's content type says that its body is a form. */
export const isForm = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '');

/** Reads a form without copying its files. Throws `invalid_request` for one that is broken or has too many parts. */
export const readForm = (bytes: Buffer, contentType: string): Form => {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw broken('it names no boundary');
  const fields: Record<string, string> = {};
  const files: FormFile[] = [];
  const places = new Map<string, { start: number; end: number }>();
  for (const part of partsOf(bytes, boundary)) {
    const name = parameter(part.head, 'name');
    if (name === undefined) throw broken('a part has no name');
    const filename = parameter(part.head, 'filename');
    if (filename !== undefined) {
      const mediaType = /^content-type:\s*(\S+)/im.exec(part.head)?.[1] ?? 'application/octet-stream';
      files.push({ name, filename, mediaType, bytes: bytes.subarray(part.start, part.end) });
      continue;
    }
    if (part.end - part.start > MAX_FIELD_BYTES) throw broken(`the field '${name}' is too long`);
    // A list comes as the same name several times: the first is what is looked at here.
    if (Object.hasOwn(fields, name)) {
      if (ONCE.has(name)) throw broken(`the field '${name}' is given twice`);
      continue;
    }
    Object.defineProperty(fields, name, {
      value: bytes.toString('utf8', part.start, part.end),
      enumerable: true,
    });
    places.set(name, { start: part.start, end: part.end });
  }
  return { fields, files, bytes, boundary, places };
};

/** The same form with other values of some text fields; everything else byte for byte. */
export const withFields = (form: Form, values: Readonly<Record<string, string>>): Buffer => {
  const { bytes, boundary, places } = form;
  const pieces: Buffer[] = [];
  const added = Object.entries(values).filter(([name]) => !places.has(name));
  for (const [name, value] of added)
    pieces.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${BLANK_LINE}${value}\r\n`,
      ),
    );
  // What stood before the first boundary means nothing, and would now stand inside a part.
  let at = added.length === 0 ? 0 : bytes.indexOf(`--${boundary}`);
  const changed = [...places].filter(([name]) => values[name] !== undefined);
  for (const [name, place] of changed.toSorted(([, left], [, right]) => left.start - right.start)) {
    pieces.push(bytes.subarray(at, place.start), Buffer.from(values[name] ?? ''));
    at = place.end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
};

/** A name as it may stand between quotes (HTML, multipart/form-data encoding algorithm). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

interface Part {
  readonly head: string;
  readonly start: number;
  readonly end: number;
}

const partsOf = (bytes: Buffer, boundary: string): Part[] => {
  const mark = Buffer.from(`\r\n--${boundary}`);
  const first = bytes.indexOf(mark.subarray(2));
  if (first === -1) throw broken('its boundary is not in it');
  const parts: Part[] = [];
  let at = first + mark.length - 2;
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const headEnd = bytes.indexOf(BLANK_LINE, at);
    const end = headEnd === -1 ? -1 : bytes.indexOf(mark, headEnd + 2);
    if (end === -1 || headEnd - at > MAX_HEAD_BYTES) throw broken('a part does not end');
    const start = Math.min(headEnd + BLANK_LINE.length, end);
    parts.push({ head: bytes.toString('utf8', at, headEnd), start, end });
    if (parts.length > MAX_PARTS) throw broken('it has too many parts');
    at = end + mark.length;
  }
  return parts;
};

const parameter = (head: string, name: string): string | undefined => {
  const disposition = /^content-disposition:[^\r\n]*/im.exec(head)?.[0] ?? '';
  const match = new RegExp(`[;\\s]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(disposition);
  return match?.[1] ?? match?.[2];
};

const broken = (why: string): AppError => new AppError('invalid_request', `the form is not valid: ${why}`);
