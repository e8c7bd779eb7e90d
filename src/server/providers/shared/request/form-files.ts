import type { LoadedFile } from '../../../dialects/form/form.ts';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';

/**
 * The files of a caller's form, for upstreams that take JSON instead (`formsAsJson`). Undefined where the caller sent no
 * form.
 */
export const filesOf = (body: Fields): readonly LoadedFile[] | undefined =>
  body['$files'] === undefined ? undefined : listOf(body['$files']).map(loaded);

const loaded = (file: unknown): LoadedFile => {
  if (!Buffer.isBuffer(fieldsOf(file)['bytes']))
    throw new Error('a file is not in memory: formsAsJson does not name this operation');
  return file as LoadedFile;
};

/** Fields that are words, whatever is written in them. */
const WORDS: ReadonlySet<string> = new Set(['model', 'prompt', 'negative_prompt', 'user', 'response_format']);

/** The values of a form, which are all texts, as JSON writes them: numbers, and what is true or false. */
export const typedFields = (body: Fields): Fields =>
  body['$files'] === undefined
    ? body
    : Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typed(name, value)]));

const typed = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string' || WORDS.has(name)) return value;
  return /^(?:true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?)$/.test(value) ? JSON.parse(value) : value;
};

/** A file as a `data:` URL. */
export const dataUrl = ({ mediaType, bytes }: LoadedFile): string =>
  `data:${mediaType};base64,${bytes.toString('base64')}`;
