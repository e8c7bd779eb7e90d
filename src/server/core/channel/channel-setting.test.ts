import { expect, test } from 'vitest';
import { channelSettingProblem } from './channel-setting.ts';

test('a wrong setting is named by its field, even if all others are right', () => {
  expect(channelSettingProblem({ system_prompt: 'Be kind.', idle_timeout_ms: 60_000 })).toBeUndefined();
  expect(channelSettingProblem({ system_prompt: 'Be kind.', idle_timeout_ms: 0 })).toMatchObject({
    key: 'channel_setting_value',
    values: { name: 'idle_timeout_ms' },
  });
  expect(channelSettingProblem({ no_such_field: 1 })).toMatchObject({
    key: 'channel_setting_unknown',
    values: { name: 'no_such_field' },
  });
});

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
  'a field called %s, as every object has one, is unknown like any other',
  (name) => {
    const fields = JSON.parse(`{"${name}":1}`) as Record<string, unknown>;
    expect(channelSettingProblem(fields)).toMatchObject({ key: 'channel_setting_unknown', values: { name } });
  },
);

test('a proxy is left to its own parser', () => {
  expect(channelSettingProblem({ proxy: 5 })).toBeUndefined();
  expect(channelSettingProblem({ proxy: 'http://proxy.example:8080' })).toBeUndefined();
});
