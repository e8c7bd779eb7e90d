import { lettersOf } from './digits.ts';
import { type inflater, Untold } from './inflate.ts';

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const HEAD_BYTES = 30;
/** The comment behind the end record is no longer. */
const COMMENT_MAX = 65_535;

/** Where the texts of a document or of slides are (ECMA-376). */
const TEXTS = /^(?:word|ppt)\/.*\.xml$/;
/** The same text may stand in any number of cells. */
const SHEETS = /^xl\//;

const LESS = 0x3c;
const MORE = 0x3e;

/** Bytes outside of tags; a digit counts as two. */
const wordsOf = (xml: Buffer): number => {
  let [words, inTag] = [0, false];
  for (const byte of xml) {
    if (byte === LESS) inTag = true;
    else if (byte === MORE) inTag = false;
    else if (!inTag) words += lettersOf(byte);
  }
  return words;
};

/** Finds the end of a ZIP archive, which tells where its list of files is (PKWARE APPNOTE, 4.3.16). */
const endOf = (bytes: Buffer): number => {
  const from = bytes.lastIndexOf('PK\u0005\u0006');
  if (from < bytes.length - END_BYTES - COMMENT_MAX || from < 0 || from + END_BYTES > bytes.length)
    throw new Untold();
  return from;
};

/**
 * How many bytes of text are in an office document. Throws `Untold` for another archive.
 * @param inflate unpacks with a bound
 */
export const officeText = (bytes: Buffer, inflate: ReturnType<typeof inflater>): number => {
  const end = endOf(bytes);
  let at = bytes.readUInt32LE(end + 16);
  let [words, texts] = [0, 0];
  for (let files = bytes.readUInt16LE(end + 10); files > 0; files -= 1) {
    if (at + ENTRY_BYTES > bytes.length) throw new Untold();
    const method = bytes.readUInt16LE(at + 10);
    const packedBytes = bytes.readUInt32LE(at + 20);
    const nameBytes = bytes.readUInt16LE(at + 28);
    const head = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (SHEETS.test(name)) throw new Untold();
    if (!TEXTS.test(name)) continue;
    if (head + HEAD_BYTES > bytes.length) throw new Untold();
    const from = head + HEAD_BYTES + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
    const packed = bytes.subarray(from, from + packedBytes);
    if (method !== 0 && method !== 8) throw new Untold();
    words += wordsOf(method === 0 ? packed : inflate(packed, 'raw'));
    texts += 1;
  }
  if (texts === 0) throw new Untold();
  return words;
};
