/** Parses a JSON text; undefined if it is invalid. */
export const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** For lenient reading of outside data: a value of the wrong shape counts as absent. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON object; undefined for any other text. */
export const parsedObject = (text: string): Fields | undefined => {
  const value = parsed(text);
  return isFields(value) ? value : undefined;
};

/** JSON with a line for each value; any other text as it is. */
export const laidOut = (text: string): string => {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
};
