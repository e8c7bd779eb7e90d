import { type OptionKey, optionRow, optionText } from '#contract/options.ts';
import {
  type PriceOption,
  priceOptions,
  type PriceSetting,
  priceSettings,
  SAVED_SETTINGS,
} from '#contract/price-book.ts';
import { changesBetween, tablesOf } from '#core/price-book/price-tables.ts';
import type { OptionEditor } from '../../site/options.ts';
import { noteAsked } from './price-approval.ts';
import { checked, editOf, type PriceBookDeps } from './price-drafts.ts';
import { askedFor } from './publish-prices.ts';

/** Options that are saved while prices need a second person. */
export interface SettingsToApprove {
  readonly changes: ReadonlyMap<OptionKey, string>;
  /** The stored texts that the change was decided by; undefined where nothing is stored. */
  readonly stored: ReadonlyMap<string, string>;
  readonly mayRemove: readonly string[];
}

const OPTIONS: ReadonlySet<string> = new Set(priceOptions);
const SETTINGS: ReadonlySet<string> = new Set(priceSettings);
const isPriceOption = (key: string): key is PriceOption => OPTIONS.has(key);
const isPriceSetting = (key: string): key is PriceSetting => SETTINGS.has(key);

/**
 * Makes a draft of options that decide prices, which waits for the approval of another admin.
 * @returns its id, 0 where nothing would change, undefined where others have changed what was read
 */
export const askForSettings = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  { changes, stored, mayRemove }: SettingsToApprove,
): Promise<number | undefined> => {
  const nowMs = deps.clock.now();
  const settings = [...changes].flatMap(([key, after]) => {
    const before = stored.get(key) ?? optionText(optionRow(key).initial);
    return isPriceSetting(key) && before !== after ? [{ key, before, after }] : [];
  });
  const id = await deps.priceBook.edit(async (book) => {
    const now = await book.settings();
    const isAsRead = [...changes.keys()].every((key) =>
      isPriceOption(key) ? book.texts[key] === stored.get(key) : now.get(key) === stored.get(key),
    );
    if (!book.needsApproval || !isAsRead) return undefined;
    const before = tablesOf(book.texts);
    const texts = Object.fromEntries([...changes].filter(([key]) => isPriceOption(key)));
    const after = tablesOf({ ...book.texts, ...texts });
    const entries = changesBetween(before, after).map(({ option, key, after: value }) => ({
      option,
      key,
      value,
    }));
    if (entries.length === 0 && settings.length === 0) return 0;
    checked(before, after);
    const draft = { ...editOf(editor, SAVED_SETTINGS, nowMs), base: book.version, entries, settings };
    const { waiting } = await askedFor(book, editor, draft, {
      reason: SAVED_SETTINGS,
      atMs: undefined,
      mayRemove,
      nowMs,
    });
    return waiting;
  });
  if (id !== undefined && id !== 0) await noteAsked(deps, editor, id);
  return id;
};
