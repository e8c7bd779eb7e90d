import { type SpooledBytes, bytesInMemory } from '#core/limits/spooled-bytes.ts';
import type { OutboundPieces } from '#core/outbound/outbound.ts';
import { type FormHead, writeFormHead } from './form-head.ts';
import { type FormFile, type FormParts, FormScanner } from './form-scanner.ts';

/** A `multipart/form-data` body (RFC 7578): its content and its bytes, which are mostly not in memory. */
export interface Form extends FormParts {
  readonly spooled: SpooledBytes;
  /** The complete form, if it is still arriving. Rejects if the form is invalid. */
  readonly whole?: Promise<Form>;
}

/** A file that was loaded into memory. */
export interface LoadedFile extends FormFile {
  readonly bytes: Buffer;
}

/** Whether a request's content type says that its body is a form. */
export const isForm = (contentType: string | undefined): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '');

/** Parses a form in memory. Throws `invalid_request` if it is broken or has too many parts. */
export const formIn = (bytes: Buffer, contentType: string): Form => {
  const scanner = new FormScanner(contentType);
  scanner.push(bytes);
  return { ...scanner.end(), spooled: bytesInMemory(bytes) };
};

/** Loads the files of a form, for upstreams that take them inside JSON. Throws `unavailable`. */
export const loadFiles = ({ files, spooled }: Form): Promise<LoadedFile[]> =>
  Promise.all(files.map(async (file) => ({ ...file, bytes: await spooled.load(file.start, file.end) })));

/** Our own bytes, or a range of the form's. */
type Stretch = Buffer | { readonly start: number; readonly end: number };

/** A form as sent upstream. */
export interface SentForm {
  readonly contentType: string;
  readonly body: OutboundPieces;
}

/**
 * Rewrites a form with other values for some text fields. Headers and boundary are ours, so that upstreams read the
 * parts we read; texts and files are the caller's bytes. No caller may be able to guess `boundary`. In a form that is
 * still arriving, the last file and all after it keep the caller's own boundary, which the scanner has checked; their
 * end waits for `isWhole`. A field whose value is undefined is left out.
 */
export const sentForm = (
  form: Form,
  values: Readonly<Record<string, string | undefined>>,
  boundary: string,
  isWhole?: Promise<void>,
): SentForm => {
  const { spooled, parts } = form;
  const mark = form.whole === undefined ? boundary : form.boundary;
  const stretches: Stretch[] = [];
  const add = (head: FormHead, value: Stretch): void =>
    void stretches.push(Buffer.from(`--${mark}\r\n${writeFormHead(head)}`), value);
  const known = new Set(parts.map(({ name }) => name));
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && !known.has(name))
      add({ name, filename: undefined, mediaType: undefined }, Buffer.from(`${value}\r\n`));
  for (const part of parts) {
    const isSet = part.filename === undefined && Object.hasOwn(values, part.name);
    const value = isSet ? values[part.name] : undefined;
    if (isSet && value === undefined) continue;
    add(part, value === undefined ? part : Buffer.from(value));
    if (part.end < spooled.length || form.whole === undefined) stretches.push(LINE_END);
  }
  if (form.whole === undefined) stretches.push(Buffer.from(`--${mark}--\r\n`));
  return {
    contentType: `multipart/form-data; boundary=${mark}`,
    body: piecesOf(spooled, stretches, isWhole),
  };
};

const LINE_END = Buffer.from('\r\n');

const piecesOf = (
  spooled: SpooledBytes,
  stretches: readonly Stretch[],
  isWhole: Promise<void> | undefined,
): OutboundPieces => ({
  length: stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0),
  pieces: () => lastAfter(isWhole, piecesIn(spooled, stretches)),
});

async function* piecesIn(spooled: SpooledBytes, stretches: readonly Stretch[]): AsyncGenerator<Buffer> {
  for (const stretch of stretches) {
    if (Buffer.isBuffer(stretch)) yield stretch;
    else yield* spooled.read(stretch.start, stretch.end);
  }
}

/** Holds back the last chunk, because an upstream does nothing with an incomplete form. */
async function* lastAfter(
  isWhole: Promise<void> | undefined,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let last: Buffer | undefined;
  for await (const piece of pieces) {
    if (last !== undefined) yield last;
    last = piece;
  }
  await isWhole;
  if (last !== undefined) yield last;
}

const lengthOf = (stretch: Stretch): number =>
  Buffer.isBuffer(stretch) ? stretch.length : stretch.end - stretch.start;
