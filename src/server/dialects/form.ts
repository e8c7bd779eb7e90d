import { type HeldBytes, heldInMemory } from '#core/held-bytes.ts';
import type { OutboundPieces } from '#core/outbound.ts';
import { type FormFile, type FormParts, FormScanner } from './form-scanner.ts';

/** A `multipart/form-data` body (RFC 7578): what it says, and the bytes it came as, which seldom are in memory. */
export interface Form extends FormParts {
  readonly held: HeldBytes;
  /** The same once it is whole, where it is still coming. Rejects with what is wrong with it. */
  readonly whole?: Promise<Form>;
}

/** A file that was read into memory. */
export interface LoadedFile extends FormFile {
  readonly bytes: Buffer;
}

/** Whether a request's content type says that its body is a form. */
export const isForm = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '');

/** Reads a form that is in memory. Throws `invalid_request` for one that is broken or has too many parts. */
export const formIn = (bytes: Buffer, contentType: string): Form => {
  const scanner = new FormScanner(contentType);
  scanner.push(bytes);
  return { ...scanner.end(), held: heldInMemory(bytes) };
};

/** The files of a form in memory, for upstreams that read them inside JSON. Throws `unavailable`. */
export const loadFiles = ({ files, held }: Form): Promise<LoadedFile[]> =>
  Promise.all(files.map(async (file) => ({ ...file, bytes: await held.load(file.start, file.end) })));

/** Bytes of our own, or where those of the form are. */
type Stretch = Buffer | { readonly start: number; readonly end: number };

/** The form as it came. `isWhole` is waited for before its end is sent. */
export const asItCame = ({ held }: Form, isWhole?: Promise<void>): OutboundPieces =>
  piecesOf(held, [{ start: 0, end: held.length }], isWhole);

/** The same form with other values of some text fields; everything else byte for byte. */
export const withFields = (
  form: Form,
  values: Readonly<Record<string, string>>,
  isWhole?: Promise<void>,
): OutboundPieces => {
  const { held, boundary, places } = form;
  const stretches: Stretch[] = [];
  const added = Object.entries(values).filter(([name]) => !places.has(name));
  for (const [name, value] of added)
    stretches.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
      ),
    );
  // What stood before the first boundary means nothing, and would now stand inside a part.
  let at = added.length === 0 ? 0 : form.start;
  const changed = [...places].filter(([name]) => values[name] !== undefined);
  for (const [name, place] of changed.toSorted(([, left], [, right]) => left.start - right.start)) {
    stretches.push({ start: at, end: place.start }, Buffer.from(values[name] ?? ''));
    at = place.end;
  }
  stretches.push({ start: at, end: held.length });
  return piecesOf(held, stretches, isWhole);
};

const piecesOf = (
  held: HeldBytes,
  stretches: readonly Stretch[],
  isWhole: Promise<void> | undefined,
): OutboundPieces => ({
  length: stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0),
  pieces: () => lastAfter(isWhole, piecesIn(held, stretches)),
});

async function* piecesIn(held: HeldBytes, stretches: readonly Stretch[]): AsyncGenerator<Buffer> {
  for (const stretch of stretches) {
    if (Buffer.isBuffer(stretch)) yield stretch;
    else yield* held.read(stretch.start, stretch.end);
  }
}

/** Keeps the last piece back: an upstream does nothing with a form whose end it has not seen. */
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

/** A name as it may stand between quotes (HTML, multipart/form-data encoding algorithm). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
