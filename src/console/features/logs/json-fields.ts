/** Reads JSON from other sources: a field of the wrong type counts as missing. */

export type JsonFields = Readonly<Record<string, unknown>>;

export const readFields = (json: string): JsonFields => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
};

export const textOf = (fields: JsonFields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

export const numberOf = (fields: JsonFields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

export const objectOf = (fields: JsonFields, name: string): JsonFields | undefined => {
  const value = fields[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
};
