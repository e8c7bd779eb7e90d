import type { BackgroundResponse } from '#core/kept/background-response.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import type { Bill } from '../background-bill.ts';
import type { Shown } from '../kept-reply.ts';

/** The log row of a background response before anything is charged. */
const row: CallLog = {
  requestId: 'call-1',
  createdAtMs: 0,
  type: 2,
  userId: 1,
  username: 'alice',
  tokenId: 1,
  tokenName: 'works',
  channelId: 7,
  keyId: 0,
  group: 'default',
  model: 'gpt',
  usage: noUsage,
  quotaUnits: 0,
  useTimeMs: 0,
  isStream: false,
  ip: '',
  content: '',
  other: '{}',
};

/** What a reader has received of a response; nothing, except for what `more` names. */
export const shownWith = (more: Partial<Shown> = {}): Shown => ({
  reported: undefined,
  produced: false,
  outputBytes: 0,
  ...more,
});

/** The bill of a background response of which this much was shown. */
export const billWith = (shown: Shown): Bill => ({
  factors: factorsOf(),
  quotaPerUnit: 500_000,
  priceVersion: 1,
  heldUnits: 9000,
  inputTokensEstimate: 40,
  row,
  shown,
});

/** A background response of which this much was shown. */
export const backgroundResponse = (shown: Shown): BackgroundResponse => ({
  holdId: 'call-1',
  userId: 1,
  responseId: 'resp_1',
  channelId: 7,
  keyId: 0,
  model: 'gpt',
  createdAtMs: 0,
  askAtMs: 0,
  bill: JSON.stringify(billWith(shown)),
});
