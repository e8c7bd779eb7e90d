import { ApiError } from './api-error.ts';

/** A secret is never sent to a browser; this field tells whether it is still the same. */
const SHOWN_FOR: Readonly<Record<string, string>> = { key: 'key_mark' };

/** Whether the server refused because others have changed the same fields since they were read. */
const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.beside['code'] === 'changed_meanwhile';

const picked = <Row extends object>(from: Row, names: readonly string[]): Partial<Row> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<Row>;

/**
 * The fields of a form that differ from its initial values, with the values the server had shown for them: it refuses fields
 * that others have changed since.
 */
export const changesWith = <Values extends object, Row extends object>(
  before: object,
  after: Values,
  shown: Row,
): Partial<Values> & { readonly was?: Partial<Row> } => {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => old.get(name) !== value);
  const names = changed.map(([name]) => name);
  const asShown = names.map((name) => SHOWN_FOR[name] ?? name);
  return names.length === 0 ? {} : { ...picked(after, names), was: picked(shown, asShown) };
};

/**
 * Saves a change. If others have changed the same fields meanwhile, reads them again and throws the refusal; saving a second
 * time then replaces their changes.
 */
export const saveOver = async <Row, Answer>(
  newest: { current: Row },
  save: (shown: Row) => Promise<Answer>,
  read: () => Promise<Row>,
): Promise<Answer> => {
  try {
    return await save(newest.current);
  } catch (error) {
    if (isChangedMeanwhile(error)) newest.current = await read();
    throw error;
  }
};
