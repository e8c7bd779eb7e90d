import { type Steps, ArgumentText } from './argument-text.ts';
import { fieldsOf, isFields, textOf, type Fields } from '#core/json/fields.ts';
import { camelList } from '../fields.ts';

type Holder = Record<string, unknown> | unknown[];

/** A name after a dot, a place in a list, or a name in brackets and quotes. */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g;
/** No real arguments are as deep or as long: a longer path is hostile. */
const MOST_STEPS = 64;
const LONGEST_LIST = 10_000;

/**
 * Combines call arguments that arrive in pieces (`partialArgs`), each a value or a chunk of text at a JSON path
 * (docs.cloud.google.com, PartialArg; RFC 9535), and writes them as streamed JSON text.
 */
export class PartialArguments {
  readonly #root: Record<string, unknown> = {};
  readonly #text = new ArgumentText();

  /** The JSON text these pieces add. `whole`: complete arguments that came with them. */
  add(pieces: unknown, whole?: unknown): string {
    let written = '';
    for (const [name, value] of Object.entries(fieldsOf(whole))) written += this.#add([name], value);
    for (const piece of camelList(pieces)) {
      const steps = stepsOf(textOf(piece['jsonPath']) ?? '');
      if (steps !== undefined) written += this.#add(steps, valueOf(piece));
    }
    return written;
  }

  /** The remaining text at the end. */
  end(): string {
    return this.#text.end(this.#root);
  }

  #add(steps: Steps, value: unknown): string {
    put(this.#root, steps, value);
    return this.#text.add(steps, value);
  }
}

const valueOf = (piece: Fields): unknown => {
  const { stringValue, numberValue, boolValue } = piece;
  return stringValue ?? numberValue ?? boolValue ?? null;
};

/** The steps of a path after its root; undefined if it is invalid. */
const stepsOf = (path: string): Steps | undefined => {
  if (!path.startsWith('$') || path.length === 1) return undefined;
  const steps = [...path.slice(1).matchAll(STEP)].map(([, name, place, quoted, double]) =>
    place === undefined ? (name ?? (quoted ?? double ?? '').replaceAll(/\\(.)/g, '$1')) : Number(place),
  );
  const isBounded = steps.every((step) => typeof step === 'string' || step < LONGEST_LIST);
  return steps.length > 0 && steps.length <= MOST_STEPS && isBounded ? steps : undefined;
};

const put = (root: Record<string, unknown>, steps: Steps, value: unknown): void => {
  let holder: Holder = root;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1];
    const before = valueAt(holder, step);
    if (next === undefined) {
      const isMore = typeof before === 'string' && typeof value === 'string';
      setAt(holder, step, isMore ? before + value : value);
      return;
    }
    const inner: Holder =
      isFields(before) || Array.isArray(before) ? (before as Holder) : typeof next === 'number' ? [] : {};
    setAt(holder, step, inner);
    holder = inner;
  }
};

const valueAt = (holder: Holder, step: string | number): unknown =>
  Array.isArray(holder)
    ? holder[Number(step)]
    : Object.hasOwn(holder, String(step))
      ? holder[String(step)]
      : undefined;

const setAt = (holder: Holder, step: string | number, value: unknown): void => {
  // Defined, not assigned, so that names such as `__proto__` have no special meaning.
  Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true });
};
