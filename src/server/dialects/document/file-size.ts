import { isUtf8 } from 'node:buffer';
import { pageTokens } from '../picture/picture-tokens.ts';
import { safeTokens } from '../openai/usage/close-tokens.ts';
import { inflater, Untold } from './inflate.ts';
import { officeText } from './office-text.ts';
import { type PagesAndLetters, pdfSize } from './pdf-size.ts';

/** No model reads more of a file, however long it is. */
export const MOST_TOKENS = 1_048_576;
const LETTERS_PER_TOKEN = 2;

/** What files of so many pages and letters count as at most, and how much of that for their pages as pictures. */
export const fileTokens = (
  model: string,
  { pages, letters }: PagesAndLetters,
): { readonly tokens: number; readonly pictures: number } => {
  if (pages === 0 && letters === 0) return { tokens: 0, pictures: 0 };
  const pictures = Math.min(MOST_TOKENS, pages * pageTokens(model));
  return { pictures, tokens: Math.min(MOST_TOKENS, pictures + Math.ceil(letters / LETTERS_PER_TOKEN)) };
};

/** A PDF begins within these bytes (ISO 32000, annex H). */
const HEAD_BYTES = 1024;

/** The file in base64, or in an address of data. */
export const bytesOf = (data: string): Buffer =>
  Buffer.from(data.slice(data.startsWith('data:') ? data.indexOf(',') + 1 : 0), 'base64');

/**
 * The pages and letters of a document or text that is sent along. Undefined for a film, for another kind of file, and
 * for one that may hold more than can be counted.
 * @param data base64, or an address of data
 */
export const fileSize = (data: string): PagesAndLetters | undefined => {
  const bytes = bytesOf(data);
  try {
    const inflate = inflater(bytes.length);
    if (bytes.subarray(0, HEAD_BYTES).includes('%PDF-')) return pdfSize(bytes, inflate);
    if (bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004')
      return { pages: 0, letters: officeText(bytes, inflate) };
    if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
    const tokens = safeTokens(bytes.toString(), bytes.length);
    return { pages: 0, letters: Math.ceil(tokens * LETTERS_PER_TOKEN) };
  } catch (thrown) {
    // A recursion without end is another file that cannot be counted.
    if (thrown instanceof Untold || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
};
