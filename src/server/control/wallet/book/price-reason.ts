import type { Phrase } from '#contract/messages.ts';
import { GROUP_RENAMED, SAVED_SETTINGS, SET_IN_LIST } from '#contract/price-book.ts';

const phrases = new Map<string, Phrase>([
  [SAVED_SETTINGS, { key: 'price_reason_settings' }],
  [SET_IN_LIST, { key: 'price_reason_list' }],
  [GROUP_RENAMED, { key: 'price_reason_group' }],
]);

/** A reason, as it stands in notices and in the log. */
export const saidReason = (reason: string): Phrase | string => phrases.get(reason) ?? reason;
