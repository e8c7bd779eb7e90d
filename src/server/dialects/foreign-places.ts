import { type AppError, reworded, withUpstream } from '#core/error.ts';
import { isFields, type Fields } from '#core/json/fields.ts';
import { wordFor } from './callers-words.ts';

// Upstreams name messages by their index in the body they received. If that body was rewritten (another format, added
// instructions, merged turns), its indexes are not the caller's, and no index is better than a wrong one.

/** `messages.3.content.0`, `contents[3].parts[1]`, `GenerateContentRequest.tools[0]`, and lists of steps (`"messages", 3`). */
const NAMES = 'messages|input|contents|tools|system|instructions|system_instruction|systemInstruction';
const PATHS = new RegExp(
  String.raw`(?:GenerateContentRequest\.|\$\.|\bbody\.)?\b(${NAMES})(?:\.\d+|\[\d+\])(?:\.\w+|\[\w+\])*`,
  'g',
);
const STEPS = /(["'](?:messages|input|contents|tools)["'])\s*,\s*\d+/g;
const LIST = /^(?:messages|input|contents|tools)$/;

/** The same error of an upstream without the places in a body that is not the caller's. */
export const withoutForeignPlaces = (error: AppError, caller: string): AppError => {
  if (error.upstream === undefined) return error;
  const clean = (text: string): string =>
    text.replaceAll(PATHS, (_, list: string) => wordFor(list, caller)).replaceAll(STEPS, '$1');
  const { extras, ...said } = error.upstream;
  const param = error.param === undefined ? undefined : clean(error.param);
  const bare = cleaned(extras, clean);
  const upstream = { ...said, ...(isFields(bare) && { extras: bare }) };
  return reworded(withUpstream(error, upstream), clean(error.message), param);
};

const cleaned = (value: unknown, clean: (text: string) => string): unknown => {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) {
    const at = value.findIndex((step) => typeof step === 'string' && LIST.test(step));
    const isPlace = at !== -1 && typeof value[at + 1] === 'number';
    return (isPlace ? value.slice(0, at + 1) : value).map((item: unknown) => cleaned(item, clean));
  }
  if (!isFields(value)) return value;
  const fields: Fields = value;
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, cleaned(inner, clean)]));
};
