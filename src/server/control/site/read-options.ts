import {
  initialOptions,
  isOptionKey,
  type OptionKey,
  optionRow,
  type OptionValues,
} from '#contract/options.ts';
import { optionPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';

/** Parsed values by option: a text that has not changed is not parsed again. */
export type KnownOptions = Map<OptionKey, { readonly text: string; readonly value: unknown }>;

/**
 * The value of every option: the stored one if it is valid, else its default. An invalid text (from an older version,
 * or encrypted with another master key) is logged and skipped, so that one bad row never stops the server.
 */
export const readOptions = (
  stored: ReadonlyMap<string, string>,
  report: (key: string, issue: string) => void,
  open: Vault['decrypt'],
  known: KnownOptions = new Map(),
): OptionValues => {
  const values: { [Key in OptionKey]: unknown } = { ...initialOptions };
  for (const [key, text] of stored) {
    if (!isOptionKey(key)) continue;
    const last = known.get(key);
    if (last?.text === text) {
      values[key] = last.value;
      continue;
    }
    const { schema, secret } = optionRow(key);
    const plain = secret === true && text !== '' ? opened(key, text, open) : text;
    const read = schema.safeParse(plain);
    if (read.success) {
      values[key] = read.data;
      known.set(key, { text, value: read.data });
    } else report(key, read.error.issues[0]?.message ?? 'does not read');
  }
  return Object.freeze(values) as OptionValues;
};

/** A secret option's text; undefined if it was encrypted with another key. */
const opened = (key: string, sealed: string, open: Vault['decrypt']): string | undefined => {
  try {
    return open(sealed, optionPlace(key));
  } catch {
    return undefined;
  }
};
