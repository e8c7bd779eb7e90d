import { noUsage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';

/** The log row of a response in the background, before anything of it is charged. */
export const backgroundRow: CallLog = {
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
