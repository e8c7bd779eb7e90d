import { isDecisive, correctSpelling } from '#core/decisive-fields.ts';
import { brokenForm, type FormHead } from './form-head.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Characters at the edges of a value that only some readers trim. */
const ODD_EDGE = /^[\s\u{FEFF}]|\s$/u;
const CONTROL = /\p{Cc}/u;
/** Prose fields, which may contain line breaks. */
const SPOKEN: ReadonlySet<string> = new Set(['prompt', 'input', 'instructions', 'instruction', 'messages']);

/** A numbered list member, as some clients write lists: `image[0]`, `image[1]`. */
const NUMBERED = /^([^[]*)\[(?:0|[1-9]\d{0,3})\]$/;

/** A text of an object, as official clients write it: `chunking_strategy[type]`, `chunking_strategy[threshold]`. */
const MEMBER = /^([^[]*)\[[a-z][a-z0-9_]{0,63}\]$/;

/** The name as loose readers see it: `Model`, `n[]` and `max tokens` count as one of our fields to some of them. */
const baseOf = (name: string): string => name.replace(/\[.*/s, '').replaceAll(/[.-]/g, '_');

/**
 * Checks the names of a form's parts as they arrive. Throws `invalid_request` for names that readers would confuse: a
 * field given twice, a decisive field in another spelling or as a list, a text and a file of one name.
 */
export class FieldNames {
  /** By the name as a loose reader sees it. */
  readonly #seen = new Map<string, FormHead>();
  /** By the name as written. */
  readonly #written = new Set<string>();

  add(head: FormHead): void {
    const { name } = head;
    const base = baseOf(name);
    const right = isDecisive(base) ? base : correctSpelling(base);
    if (right !== undefined && right !== name)
      throw brokenForm(`the field '${name}' is unknown: write '${right}'`);
    const isFile = head.filename !== undefined;
    if (right !== undefined && isFile) throw brokenForm(`the field '${name}' is no file`);
    // It would set the character set of the other fields (HTML, form submission).
    if (base === '_charset_') throw brokenForm(`the field '${name}' is unknown`);
    const folded = base.toLowerCase();
    const before = this.#seen.get(folded);
    const isAgain = this.#written.has(name);
    this.#written.add(name);
    this.#seen.set(folded, head);
    if (before === undefined) return;
    const isOfOneKind = (before.filename !== undefined) === isFile;
    const kind = (isFile ? [NUMBERED] : [NUMBERED, MEMBER]).find((pattern) => pattern.test(name));
    const isNext =
      kind === undefined
        ? before.name === name && (isFile || name.endsWith('[]'))
        : kind.exec(before.name)?.[1] === kind.exec(name)?.[1] && !isAgain;
    if (!isOfOneKind || !isNext) throw brokenForm(`the field '${name}' is given twice`);
  }
}

/** Decodes a text that every reader reads alike. Throws `invalid_request` otherwise. */
export const readText = (name: string, bytes: Buffer): string => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw brokenForm(`the field '${name}' is not UTF-8`);
  }
  const isOdd =
    isDecisive(name) && !SPOKEN.has(name)
      ? ODD_EDGE.test(text) || CONTROL.test(text)
      : text.startsWith('\u{FEFF}');
  if (isOdd || text.includes('\0')) throw brokenForm(`the field '${name}' has odd characters`);
  return text;
};
