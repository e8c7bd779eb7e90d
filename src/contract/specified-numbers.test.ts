import { describe, expect, it } from 'vitest';
import * as limits from './limits.ts';
import { isOptionKey, optionRow, optionTable } from './options.ts';

/** Numbers that scripts, clients and operators of this family of programs rely on. Source: specification, constants. */

it('a dollar is 500,000 units, a new token has one, a new code 100,000 units', () => {
  expect(limits).toMatchObject({
    QUOTA_PER_UNIT: 500_000,
    TOKEN_DEFAULT_QUOTA: 500_000,
    TOKEN_SUFFIX_LENGTH: 6,
    REDEMPTION_DEFAULT_QUOTA: 100_000,
    REDEMPTION_BATCH_MAX: 100,
    REDEMPTION_NAME_MAX_LENGTH: 20,
    PAGE_SIZES: [10, 20, 50, 100],
    DEFAULT_PAGE_SIZE: 10,
    MAX_PAGE_SIZE: 100,
  });
});

it.each([
  ['QuotaPerUnit', 500_000],
  ['USDExchangeRate', 7.3],
  ['DataExportInterval', 5],
  ['DataExportDefaultTime', 'hour'],
  ['ModelRequestRateLimitEnabled', false],
  ['ModelRequestRateLimitDurationMinutes', 1],
  ['ModelRequestRateLimitCount', 0],
  ['ModelRequestRateLimitSuccessCount', 1000],
  ['claude.thinking_adapter_enabled', true],
  ['claude.thinking_adapter_budget_tokens_percentage', 0.8],
  ['claude.default_max_tokens', { default: 8192 }],
  ['CheckSensitiveEnabled', true],
  ['CheckSensitiveOnPromptEnabled', true],
  ['StopOnSensitiveEnabled', true],
  ['SensitiveWords', 'test_sensitive'],
  ['LogConsumeEnabled', true],
  ['DefaultUseAutoGroup', false],
] as const)('%s is %j at first', (key, value) => {
  expect(optionTable[key].initial).toEqual(value);
});

describe('what an option takes', () => {
  const takes = (key: string, text: string): boolean => {
    if (!isOptionKey(key)) throw new Error(`there is no option ${key}`);
    return optionRow(key).schema.safeParse(text).success;
  };
  it.each([
    ['ModelRequestRateLimitDurationMinutes', ['0', '1'], ['-1', '0.5', '']],
    ['ModelRequestRateLimitCount', ['-1', '0', '60'], ['-2', 'x']],
    ['ModelRequestRateLimitSuccessCount', ['1', '1000'], ['0', '-1']],
    ['ModelRequestRateLimitGroup', ['{}', '{"vip":[0,1]}'], ['{"vip":[0,0]}', '{"vip":[-1,1]}', '{"vip":1}']],
    ['claude.thinking_adapter_budget_tokens_percentage', ['0.1', '0.8', '1'], ['0.09', '1.01']],
    ['gemini.safety_settings', ['{"default":"OFF"}'], ['{', 'OFF', '{"default":1}']],
    ['gemini.version_settings', ['{"default":"v1beta"}'], ['[]']],
    ['claude.default_max_tokens', ['{"default":8192}'], ['{"default":"8192"}', '{"default":0.5}']],
    ['claude.model_headers_settings', ['{"m":{"anthropic-beta":["a","b"]}}'], ['{"m":"a"}']],
    ['ModelRatio', ['{"m":0.5}'], ['{"m":"0.5"}', '{"m":-1}', 'm']],
    ['CompletionRatio', ['{}'], ['[1]']],
    ['ModelPrice', ['{"m":0}'], ['{"m":null}']],
    ['GroupRatio', ['{"vip":0.8}'], ['{"vip":true}']],
    ['Chats', ['[]', '[{"A":"https://a"}]'], ['{"A":"https://a"}', '["https://a"]']],
  ] as const)('%s: %j, and none of %j', (key, good, bad) => {
    expect(good.filter((text) => !takes(key, text))).toEqual([]);
    expect(bad.filter((text) => takes(key, text))).toEqual([]);
  });
});
