import { laidOut } from '#contract/json-text.ts';
import { isOptionKey, type OptionKey, optionRow } from '#contract/options.ts';
import { NOT_JSON } from '#contract/options/option.ts';
import type { TextKey } from '../../lib/text/areas.ts';

/** The saved values as text by key, without secrets. */
export type Saved = ReadonlyMap<OptionKey, string>;

/** Unsaved input. */
export type Drafts = Readonly<Partial<Record<OptionKey, string>>>;

/** Options as the form shows them: JSON is laid out over lines. */
export const readSaved = (listed: readonly { readonly key: string; readonly value: string }[]): Saved => {
  const saved = new Map<OptionKey, string>();
  for (const { key, value } of listed)
    if (isOptionKey(key)) saved.set(key, optionRow(key).kind === 'json' ? laidOut(value) : value);
  return saved;
};

/** The same JSON in another layout is no change: what is saved is laid out already. */
const isSaved = (key: OptionKey, text: string, saved: string): boolean =>
  text === saved || (optionRow(key).kind === 'json' && laidOut(text) === saved);

/** The field's text: unsaved input, else the saved value; empty for secrets. */
export const shownText = (key: OptionKey, saved: Saved, drafts: Drafts): string =>
  drafts[key] ?? saved.get(key) ?? '';

/** The options that saving would change; secrets only if something was typed. */
export const changedKeys = (keys: readonly OptionKey[], saved: Saved, drafts: Drafts): OptionKey[] =>
  keys.filter((key) => {
    const draft = drafts[key];
    return draft !== undefined && !isSaved(key, draft, saved.get(key) ?? '');
  });

/** The error of a text, as a text key; undefined if the option's schema accepts it. */
export const problemOf = (key: OptionKey, text: string): TextKey<'settings'> | undefined => {
  const { schema, kind } = optionRow(key);
  const read = schema.safeParse(text);
  if (read.success) return undefined;
  if (kind === 'json') return read.error.issues[0]?.message === NOT_JSON ? 'wrong.json' : 'wrong.shape';
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? 'wrong.bounds' : 'wrong.number';
  return kind === 'address' ? 'wrong.address' : 'wrong.text';
};
