import { isFields, type Fields, parsedObject } from '#contract/json-text.ts';

/* Parts of a channel's settings that have a section of their own in the form; stored, they are fields of its JSON. */

/** The fields of an object; undefined for other values. */
export const objectOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

/** The parsed settings; undefined if they are invalid JSON, which has to be corrected first. */
export const settingOf = (text: string): Fields | undefined => (text.trim() === '' ? {} : parsedObject(text));

/** The settings with this part, or without it if it is empty. */
export const withPart = (setting: string, name: string, part: Fields): string => {
  const { [name]: _, ...rest } = settingOf(setting) ?? {};
  const fields = Object.keys(part).length === 0 ? rest : { ...rest, [name]: part };
  return Object.keys(fields).length === 0 ? '' : JSON.stringify(fields, null, 2);
};
