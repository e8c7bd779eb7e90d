import { isOptionKey, type Option, type OptionValues, optionTable } from '#contract/options.ts';

const table: Readonly<Record<string, Option<unknown>>> = optionTable;

/**
 * The value of every option: what is stored where it reads, else what it is when never set. A stored text that does
 * not read any more (an older version wrote it) is reported and passed over: one bad row never stops the server.
 */
export const readOptions = (
  stored: ReadonlyMap<string, string>,
  report: (key: string, issue: string) => void,
): OptionValues => {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(table)) values[key] = option.initial;
  for (const [key, text] of stored) {
    const option = isOptionKey(key) ? table[key] : undefined;
    if (option === undefined) continue;
    const read = option.schema.safeParse(text);
    if (read.success) values[key] = read.data;
    else report(key, read.error.issues[0]?.message ?? 'does not read');
  }
  return Object.freeze(values) as unknown as OptionValues;
};
