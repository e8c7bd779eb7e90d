import type { DialectName } from '#core/chat/request.ts';

/** What becomes of a field of a request where the upstream speaks another format; docs/dialects.md names the left out. */
export type Fate = 'carried' | 'refused' | 'left out';

export interface RequestField {
  /** What a caller sends; the rest of the request is plain. */
  readonly value: unknown;
  /** What has to stand beside it to mean anything. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** One fate everywhere, or by the upstream's format. */
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

/** The first name of every path of a table. */
export type FieldsOf<Table> = keyof Table extends infer Path
  ? Path extends `${infer First}.${string}`
    ? First
    : Path
  : never;

/** `true`, or the fields of the makers' own type that the table does not have: then this file does not compile. */
export type NoneMissing<Params, Table> = [Exclude<keyof Params, FieldsOf<Table>>] extends [never]
  ? true
  : Exclude<keyof Params, FieldsOf<Table>>;
