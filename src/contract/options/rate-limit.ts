import { z } from 'zod';
import { flagOption, groupNames, integerOption, jsonOption } from './option.ts';

/** Limits for all calls, and for successful ones. */
const countPair = z.tuple([z.number().int().min(0).max(1e9), z.number().int().min(1).max(1e9)]);

/** How many calls a user may make. */
export const rateLimitOptions = {
  ModelRequestRateLimitEnabled: flagOption('off', 'daily'),
  ModelRequestRateLimitDurationMinutes: integerOption(1, 'daily', 0, 10_000),
  /** 0 or less means no limit. */
  ModelRequestRateLimitCount: integerOption(0, 'daily', -1, 1e9),
  ModelRequestRateLimitSuccessCount: integerOption(1000, 'daily', 1, 1e9),
  ModelRequestRateLimitGroup: jsonOption({}, 'daily', z.record(groupNames, countPair), {
    groupPlace: 'keys',
  }),
};
