/** Parses a JSON text; undefined if it is invalid. */
export const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields: neither null nor a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON object; undefined for any other text. */
export const parsedObject = (text: string): JsonObject | undefined => {
  const value = parsed(text);
  return isJsonObject(value) ? value : undefined;
};

/** JSON with a line for each value; any other text as it is. */
export const laidOut = (text: string): string => {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
};
