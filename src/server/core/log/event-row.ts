import { noUsage } from '../chat/usage.ts';
import type { CallLog, EventLog } from './log.ts';

/** An event as a log row; the fields of a call are empty. */
export const eventRow = (event: EventLog): CallLog => ({
  requestId: '',
  createdAtMs: event.createdAtMs,
  type: event.type,
  userId: event.userId,
  username: event.username,
  tokenId: 0,
  tokenName: '',
  channelId: 0,
  group: '',
  model: '',
  usage: noUsage,
  quotaUnits: event.quotaUnits ?? 0,
  useTimeMs: 0,
  isStream: false,
  ip: '',
  content: event.content,
  other: event.other ?? '',
});
