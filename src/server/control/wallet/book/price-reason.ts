import type { Phrase } from '#contract/messages.ts';
import { SAVED_SETTINGS, SET_IN_LIST } from '#contract/price-book.ts';

/** A reason, as it stands in notices and in the log. */
export const saidReason = (reason: string): Phrase | string =>
  reason === SAVED_SETTINGS
    ? { key: 'price_reason_settings' }
    : reason === SET_IN_LIST
      ? { key: 'price_reason_list' }
      : reason;
