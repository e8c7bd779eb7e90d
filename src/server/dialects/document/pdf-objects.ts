import { type inflater, Untold } from './inflate.ts';

/** An object of a PDF: its dictionary as text, and its stream as it is packed. */
export interface PdfObject {
  readonly text: string;
  readonly stream: Buffer | undefined;
}

const BEGIN = /(\d{1,10})\s+\d{1,5}\s+obj\b/g;
const FILTER = /\/Filter\s*(?:\[\s*)?\/(\w+)/;

/** Finds the next place of a word, without searching the same bytes twice. */
const finder = (text: string, word: string): ((from: number) => number) => {
  let found = -1;
  let isNone = false;
  return (from) => {
    if (!isNone && found < from) {
      found = text.indexOf(word, from);
      isNone = found < 0;
    }
    return isNone ? text.length : found;
  };
};

/** The bytes of a stream. Throws `Untold` for a filter that texts are not packed with. */
export const unpacked = ({ text, stream }: PdfObject, inflate: ReturnType<typeof inflater>): Buffer => {
  if (stream === undefined) return Buffer.alloc(0);
  if (!text.includes('/Filter')) return stream;
  const isDeflated = FILTER.exec(text)?.[1] === 'FlateDecode';
  const isOnly = !/\/Filter\s*\[\s*\/\w+\s+\//.test(text);
  if (!isDeflated || !isOnly || /\/Predictor\s+(?!1\b)/.test(text)) throw new Untold();
  return inflate(stream, 'zlib');
};

/**
 * Every object of a PDF by its number, also older versions of one and those in streams of objects: what a reader takes is
 * among them. Throws `Untold` for an encrypted file.
 */
export const pdfObjects = (
  bytes: Buffer,
  inflate: ReturnType<typeof inflater>,
): ReadonlyMap<number, PdfObject[]> => {
  const file = bytes.toString('latin1');
  if (file.includes('/Encrypt')) throw new Untold();
  const objects = new Map<number, PdfObject[]>();
  const add = (number: number, one: PdfObject): void => {
    const known = objects.get(number);
    if (known === undefined) objects.set(number, [one]);
    else known.push(one);
  };
  const [endOfObject, beginOfStream, endOfStream] = ['endobj', 'stream', 'endstream'].map((word) =>
    finder(file, word),
  ) as [(from: number) => number, (from: number) => number, (from: number) => number];
  const begin = new RegExp(BEGIN);
  for (let match = begin.exec(file); match !== null; match = begin.exec(file)) {
    const from = begin.lastIndex;
    const [end, streams] = [endOfObject(from), beginOfStream(from)];
    const hasStream = streams < end;
    const one: PdfObject = {
      text: file.slice(from, Math.min(end, streams)),
      stream: hasStream ? streamAt(bytes, streams + 'stream'.length, endOfStream(streams)) : undefined,
    };
    add(Number(match[1]), one);
    if (/\/Type\s*\/ObjStm/.test(one.text)) addPacked(one.text, unpacked(one, inflate), add);
    begin.lastIndex = hasStream ? endOfStream(streams) : end;
  }
  return objects;
};

/** The bytes between `stream`, a line's end, and `endstream`. */
const streamAt = (bytes: Buffer, from: number, to: number): Buffer => {
  const lineEnd = bytes[from] === 0x0d && bytes[from + 1] === 0x0a ? 2 : 1;
  return bytes.subarray(from + lineEnd, to);
};

/** Adds the objects of a stream, which begins with their numbers and places (ISO 32000, 7.5.7). */
const addPacked = (text: string, bytes: Buffer, add: (number: number, one: PdfObject) => void): void => {
  const first = Number(/\/First\s+(\d+)/.exec(text)?.[1]);
  if (!Number.isSafeInteger(first)) throw new Untold();
  const all = bytes.toString('latin1');
  const heads = all.slice(0, first).trim().split(/\s+/).map(Number);
  for (let at = 0; at + 1 < heads.length; at += 2) {
    const [number = 0, place = 0] = heads.slice(at, at + 2);
    const next = heads[at + 3];
    // Places ascend; objects that overlap would be read again and again.
    if (next !== undefined && !(next >= place)) throw new Untold();
    add(number, {
      text: all.slice(first + place, next === undefined ? undefined : first + next),
      stream: undefined,
    });
  }
};
