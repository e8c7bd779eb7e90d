import { expect, test } from 'vitest';
import { modelRateOf } from './model-rate.ts';

const options: Parameters<typeof modelRateOf>[0] = {
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitDurationMinutes: 2,
  ModelRequestRateLimitCount: 10,
  ModelRequestRateLimitSuccessCount: 5,
  ModelRequestRateLimitGroup: { vip: [100, 50] },
  GroupRatio: { vip: 1 },
  'group_setting.former_names': { silver: 'vip' },
};

test("a group has its own pair, every other the site's; a name every object has is none of its groups", () => {
  expect(modelRateOf(options, 'vip')).toEqual({ total: 100, succeeded: 50, windowMs: 120_000 });
  expect(modelRateOf(options, 'silver')).toEqual(modelRateOf(options, 'vip'));
  expect(modelRateOf(options, 'default')).toEqual({ total: 10, succeeded: 5, windowMs: 120_000 });
  expect(modelRateOf(options, 'constructor')).toEqual({ total: 10, succeeded: 5, windowMs: 120_000 });
});

test('nothing is limited while it is switched off, nor within no minutes', () => {
  expect(modelRateOf({ ...options, ModelRequestRateLimitEnabled: false }, 'vip')).toBeUndefined();
  expect(modelRateOf({ ...options, ModelRequestRateLimitDurationMinutes: 0 }, 'vip')).toBeUndefined();
});
