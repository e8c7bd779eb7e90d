import type { DialectName } from '#core/chat/request.ts';

/** What becomes of a request field if the upstream speaks another format; docs/dialects.md lists those left out. */
export type Fate = 'carried' | 'refused' | 'left out';

export interface RequestField {
  /** The field's value; the rest of the request is minimal. */
  readonly value: unknown;
  /** Other fields that it needs to have a meaning. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** One fate for all upstream formats, or one for each. */
  readonly fate: Fate | Partial<Readonly<Record<DialectName, Fate>>>;
}

export const all = (value: unknown, fate: RequestField['fate'], beside = {}): RequestField => ({
  value,
  fate,
  beside,
});

export const carried = (value: unknown, beside = {}): RequestField => all(value, 'carried', beside);
export const refused = (value: unknown, beside = {}): RequestField => all(value, 'refused', beside);
export const leftOut = (value: unknown, beside = {}): RequestField => all(value, 'left out', beside);

export const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
export const PICTURE = 'iVBORw0KGgo=';

/** The top-level names of a table's paths. */
export type FieldsOf<Table> = keyof Table extends infer Path
  ? Path extends `${infer First}.${string}`
    ? First
    : Path
  : never;

/** `true`, or else the fields of the library's own type that the table lacks: then this file does not compile. */
export type NoneMissing<Params, Table> = [Exclude<keyof Params, FieldsOf<Table>>] extends [never]
  ? true
  : Exclude<keyof Params, FieldsOf<Table>>;
