/** Reading JSON of unknown shape: what is missing or of another kind is empty. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
