import { integerOption } from './option.ts';

/** Quota that is given, and when its lack is told. */
export const quotaOptions = {
  QuotaForNewUser: integerOption(0, 'house', 0),
  QuotaForInviter: integerOption(0, 'house', 0),
  QuotaForInvitee: integerOption(0, 'house', 0),
  QuotaRemindThreshold: integerOption(1000, 'daily', 0),
  /** Tokens, not quota: the least a hold assumes. */
  PreConsumedQuota: integerOption(500, 'house', 0, 10_000_000),
  /** Pieces of a stream that wait for a caller who reads slowly before the upstream has to; at most 1 MiB of them. */
  StreamCacheQueueLength: integerOption(0, 'daily', 0, 1_000_000),
};
