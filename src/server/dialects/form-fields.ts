import { isDecisive, spelledRight } from '#core/decisive-fields.ts';
import { brokenForm, type FormHead } from './form-head.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** What some readers leave off a value, and some do not. */
const ODD_EDGE = /^[\s\u{FEFF}]|\s$/u;
const CONTROL = /\p{Cc}/u;
/** What is said, and may have lines. */
const SPOKEN: ReadonlySet<string> = new Set(['prompt', 'input', 'instructions', 'instruction', 'messages']);

/** One of a list whose members are numbered, as some clients write a list: `image[0]`, `image[1]`. */
const NUMBERED = /^([^[]*)\[(?:0|[1-9]\d{0,3})\]$/;

/** `Model`, `n[]` and `max tokens` are a field of ours to readers that fold names, make lists, or clean them. */
const baseOf = (name: string): string => name.replace(/\[.*$/s, '').replaceAll(/[.-]/g, '_');

/**
 * The names of a form's parts, as they come. Throws `invalid_request` for one that readers would take for another: a field
 * twice, a decisive one in another spelling or as a list, a text and a file under one name.
 */
export class FieldNames {
  /** By what a loose reader makes of it. */
  readonly #seen = new Map<string, FormHead>();
  /** As they are written. */
  readonly #written = new Set<string>();

  add(head: FormHead): void {
    const { name } = head;
    const base = baseOf(name);
    const right = isDecisive(base) ? base : spelledRight(base);
    if (right !== undefined && right !== name)
      throw brokenForm(`the field '${name}' is unknown: write '${right}'`);
    const isFile = head.filename !== undefined;
    if (right !== undefined && isFile) throw brokenForm(`the field '${name}' is no file`);
    // It would say how the others are to be read (HTML, form submission).
    if (base === '_charset_') throw brokenForm(`the field '${name}' is unknown`);
    const folded = base.toLowerCase();
    const before = this.#seen.get(folded);
    const isAgain = this.#written.has(name);
    this.#written.add(name);
    this.#seen.set(folded, head);
    if (before === undefined) return;
    const isOfOneKind = (before.filename !== undefined) === isFile;
    const stem = NUMBERED.exec(name)?.[1];
    const isNext =
      stem === undefined
        ? before.name === name && (isFile || name.endsWith('[]'))
        : NUMBERED.exec(before.name)?.[1] === stem && !isAgain;
    if (!isOfOneKind || !isNext) throw brokenForm(`the field '${name}' is given twice`);
  }
}

/** A text as every reader reads it. Throws `invalid_request` where that cannot be. */
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
