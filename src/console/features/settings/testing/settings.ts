import { cardsOf } from '../../../lib/setting-cards.ts';
import type { Settings } from '../use-settings.ts';

/** Settings without unsaved changes, except `changes`. */
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

/** The foot of a card, without its fields. */
export const footOf = (page: Parameters<typeof cardsOf>[0], id: string) => ({
  ...cardOf(page, id),
  keys: [],
});
