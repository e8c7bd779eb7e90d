import { ApiError } from './api-error.ts';

/** A key is never sent to a browser; this tells whether it is still the same. */
const SHOWN_FOR: Readonly<Record<string, string>> = { key: 'key_mark' };

/** Whether the server refused because others have changed the same since it was read. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.beside['code'] === 'changed_meanwhile';

const picked = <Row extends object>(from: Row, names: readonly string[]): Partial<Row> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<Row>;

/**
 * The fields of a form that differ from those it began with, and what the server had shown for them: it refuses those
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
 * Saves a change of what was read. If others have changed the same meanwhile, reads it again and throws their refusal:
 * whoever was told, and saves again, means to replace what is there.
 */
export const saveOver = async <Row>(
  newest: { current: Row },
  save: (shown: Row) => Promise<unknown>,
  read: () => Promise<Row>,
): Promise<void> => {
  try {
    await save(newest.current);
  } catch (error) {
    if (isChangedMeanwhile(error)) newest.current = await read();
    throw error;
  }
};
