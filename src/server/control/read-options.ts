import { isOptionKey, optionRow, type OptionValues, optionTable } from '#contract/options.ts';
import type { Vault } from '#core/vault.ts';

/**
 * The value of every option: what is stored where it reads, else what it is when never set. A stored text that does
 * not read any more (an older version wrote it, or another master key sealed it) is reported and passed over: one bad
 * row never stops the server.
 */
export const readOptions = (
  stored: ReadonlyMap<string, string>,
  report: (key: string, issue: string) => void,
  open: Vault['decrypt'],
): OptionValues => {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(optionTable)) values[key] = option.initial;
  for (const [key, text] of stored) {
    if (!isOptionKey(key)) continue;
    const { schema, secret } = optionRow(key);
    const plain = secret === true && text !== '' ? opened(key, text, open) : text;
    const read = schema.safeParse(plain);
    if (read.success) values[key] = read.data;
    else report(key, read.error.issues[0]?.message ?? 'does not read');
  }
  return Object.freeze(values) as unknown as OptionValues;
};

/** A secret option's text, or undefined where it was sealed under another key. */
const opened = (key: string, sealed: string, open: Vault['decrypt']): string | undefined => {
  try {
    return open(sealed, optionPlace(key));
  } catch {
    return undefined;
  }
};

/** Where a secret option is sealed: it opens as no other. */
export const optionPlace = (key: string): string => `option:${key}`;
