import { isFields, type Fields, parsedObject } from '#contract/json-text.ts';

/** Reads JSON from other sources: a field of the wrong type counts as missing. */

export type JsonFields = Fields;

export const readFields = (json: string): JsonFields => parsedObject(json) ?? {};

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
  return isFields(value) ? value : undefined;
};
