import { integerOption } from './option.ts';

/** Quota that is given, and when its lack is told. */
export const quotaOptions = {
  QuotaForNewUser: integerOption(0, 'quota', 0),
  QuotaForInviter: integerOption(0, 'quota', 0),
  QuotaForInvitee: integerOption(0, 'quota', 0),
  QuotaRemindThreshold: integerOption(1000, 'quota', 0),
  /** Tokens, not quota: the least a hold assumes. */
  PreConsumedQuota: integerOption(500, 'quota', 0, 10_000_000),
  /** Has no effect: streams are passed on as they come. Kept so that exported settings load. */
  StreamCacheQueueLength: integerOption(0, 'quota', 0, 1_000_000),
};
