/** Parses a JSON text; undefined if it is invalid. */
export const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};
