// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Offered, useChatSettings, within } from './use-chat-settings.ts';
import { inOrder } from './use-offered.ts';

const chosen = {
  format: 'openai-chat',
  group: 'vip',
  model: 'gpt-4o',
  temperature: 0,
  sendsTemperature: false,
  maxTokens: 0,
  systemPrompt: '',
  extra: '',
} as const;

test('a first visit has the defaults of the specification, and changes are stored', () => {
  localStorage.clear();
  const offered = { groups: ['default'], models: undefined };
  const { result } = renderHook(() => useChatSettings(7, offered));
  expect(result.current[0]).toEqual({
    format: 'openai-chat',
    group: 'default',
    model: 'gpt-4o-mini',
    temperature: 0,
    sendsTemperature: false,
    maxTokens: 0,
    systemPrompt: 'You are a helpful assistant.',
    extra: '',
  });
  act(() => result.current[1]({ temperature: 0.3, sendsTemperature: true, format: 'gemini' }));
  const again = renderHook(() => useChatSettings(7, offered)).result.current[0];
  expect(again).toMatchObject({ temperature: 0.3, sendsTemperature: true, format: 'gemini' });
  expect(renderHook(() => useChatSettings(8, offered)).result.current[0].temperature).toBe(0);
});

test("the user's group comes first; `auto` is first if the site prefers it, else last", () => {
  const names = ['auto', 'svip', 'default', 'vip'];
  expect(inOrder(names, 'vip', false)).toEqual(['vip', 'svip', 'default', 'auto']);
  expect(inOrder(names, 'vip', true)).toEqual(['auto', 'vip', 'svip', 'default']);
  expect(inOrder(['svip', 'default'], 'gone', true)).toEqual(['svip', 'default']);
});

test('a choice stays while it is offered', () => {
  expect(within(chosen, { groups: ['default', 'vip'], models: ['gpt-4o', 'gpt-4o-mini'] })).toEqual(chosen);
  expect(within(chosen, { groups: ['vip'], models: undefined })).toEqual(chosen);
});

test('a choice stays until the offers are known, also when another setting changes', () => {
  localStorage.setItem('playground_config:6', JSON.stringify(chosen));
  const unknown: Offered = { groups: undefined, models: undefined };
  const { result, rerender } = renderHook((offered: Offered) => useChatSettings(6, offered), {
    initialProps: unknown,
  });
  expect(result.current[0]).toEqual(chosen);
  act(() => result.current[1]({ maxTokens: 9 }));
  rerender({ groups: ['default', 'vip'], models: ['gpt-4o', 'gpt-4o-mini'] });
  expect(result.current[0]).toEqual({ ...chosen, maxTokens: 9 });
  rerender({ groups: ['default'], models: ['gpt-4o-mini'] });
  expect(result.current[0]).toMatchObject({ group: 'default', model: 'gpt-4o-mini' });
  act(() => result.current[1]({ maxTokens: 0 }));
  rerender({ groups: ['default', 'vip'], models: ['gpt-4o', 'gpt-4o-mini'] });
  expect(result.current[0]).toEqual(chosen);
});

test('a choice that is no longer offered becomes the first group, and gpt-4o-mini or the first model', () => {
  const offered = { groups: ['default'], models: ['claude', 'gpt-4o-mini'] };
  expect(within(chosen, offered)).toMatchObject({ group: 'default', model: 'gpt-4o-mini' });
  expect(within(chosen, { groups: [], models: ['claude'] })).toMatchObject({ group: '', model: 'claude' });
  expect(within(chosen, { groups: [''], models: [] })).toMatchObject({ group: '', model: '' });
});

test('an invalid stored temperature or limit becomes the default', () => {
  const kept = (config: object) => {
    localStorage.setItem('playground_config:9', JSON.stringify(config));
    const { temperature, maxTokens } = renderHook(() => useChatSettings(9, { groups: [], models: undefined }))
      .result.current[0];
    return [temperature, maxTokens];
  };
  expect(kept({ temperature: 1, maxTokens: 5 })).toEqual([1, 5]);
  expect(kept({ temperature: 1.1, maxTokens: -1 })).toEqual([0, 0]);
  expect(kept({ temperature: '1', maxTokens: null })).toEqual([0, 0]);
});
