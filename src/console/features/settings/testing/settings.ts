import { cardsOf } from '../../../lib/setting-cards.ts';
import type { Settings } from '../use-settings.ts';

/** The settings of a page on which nothing was changed, except for what `changes` names. */
export const settingsWith = (changes: Partial<Settings>): Settings => ({
  saved: new Map(),
  stored: new Map(),
  secretsSet: new Set(),
  drafts: {},
  problems: {},
  isSaving: false,
  isLocked: () => false,
  toRepeat: new Set(),
  text: () => '',
  change: () => undefined,
  changed: () => [],
  discard: () => undefined,
  save: () => Promise.resolve(true),
  saveTexts: () => Promise.resolve(true),
  ...changes,
});

/** A card of a settings page. */
export const cardOf = (page: Parameters<typeof cardsOf>[0], id: string) => {
  const card = cardsOf(page).find((one) => one.id === id);
  if (card === undefined) throw new Error(`no card ${id}`);
  return card;
};

/** A card without its fields, which belong to the form: only its foot is shown. */
export const footOf = (page: Parameters<typeof cardsOf>[0], id: string) => ({
  ...cardOf(page, id),
  keys: [],
});
