/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tolerant reading of what upstreams send: what has the wrong shape is as if it were not there. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object that bytes are; undefined where they are anything else. */
export const parsedFields = (data: Buffer): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(data.toString());
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const NONE: Fields = {};

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NONE);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The fields of `value` that `known` does not name and that are not null; undefined when none is left. */
export const otherFields = (value: Fields, known: ReadonlySet<string>): Fields | undefined => {
  let rest: Record<string, unknown> | undefined;
  for (const key in value) {
    if (!known.has(key) && value[key] !== null && value[key] !== undefined) (rest ??= {})[key] = value[key];
  }
  return rest;
};
