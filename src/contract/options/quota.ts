import { integerOption } from './option.ts';

/** Quota given to users, and low-balance warnings. */
export const quotaOptions = {
  QuotaForNewUser: integerOption(0, 'house', 0),
  QuotaForInviter: integerOption(0, 'house', 0),
  QuotaForInvitee: integerOption(0, 'house', 0),
  QuotaRemindThreshold: integerOption(1000, 'daily', 0),
  /** In tokens, not quota: the minimum a hold assumes. */
  PreConsumedQuota: integerOption(500, 'house', 0, 10_000_000),
  /** How long a call waits for quota that running calls of the same account or token hold; 0: it is refused at once. */
  QuotaWaitSeconds: integerOption(30, 'daily', 0, 600),
  /** Stream chunks buffered for a slow caller before the upstream must wait; at most 256 KiB. */
  StreamCacheQueueLength: integerOption(0, 'daily', 0, 1_000_000),
};
