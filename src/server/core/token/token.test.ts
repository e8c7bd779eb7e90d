import { expect, test } from 'vitest';
import { initialSettings } from '#contract/token-settings.ts';
import { initialTokenSettings, settingsFromApi, settingsToApi } from './token.ts';

const sent = {
  ...initialSettings,
  expired_time: 1_900_000_000,
  remain_quota: 7,
  unlimited_quota: true,
  model_limits_enabled: true,
  model_limits: 'a,b',
  allow_ips: '10.0.0.1\n::1',
  group: 'vip',
  tag: 'project',
};

test('settings of a token are read from the API and written to it again as they were', () => {
  expect(settingsFromApi.all(sent)).toMatchObject({
    expiresAtMs: 1_900_000_000_000,
    remainQuotaUnits: 7,
    unlimited: true,
    modelLimitsEnabled: true,
    modelLimits: ['a', 'b'],
    allowIps: '10.0.0.1\n::1',
    group: 'vip',
    tag: 'project',
  });
  expect(settingsToApi.all(settingsFromApi.all(sent))).toEqual(sent);
  expect(settingsToApi.all(initialTokenSettings)).toMatchObject({
    expired_time: -1,
    remain_quota: 500_000,
    unlimited_quota: false,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
    tag: '',
  });
});

test('a change contains only the sent fields: nothing becomes empty, off or zero unless the caller says so', () => {
  expect(settingsFromApi.some({})).toEqual({});
  expect(settingsFromApi.some({ group: undefined })).toEqual({});
  const emptied = { expired_time: -1, remain_quota: 0, unlimited_quota: false, model_limits: '', group: '' };
  expect(settingsFromApi.some(emptied)).toEqual({
    expiresAtMs: null,
    remainQuotaUnits: 0,
    unlimited: false,
    modelLimits: [],
    group: '',
  });
});
