import { describe, expect, test } from 'vitest';
import type { Channel } from '../channel.ts';
import {
  createBody,
  keyCount,
  keyLeaves,
  newChannel,
  otherFor,
  updateBody,
  valuesOf,
} from './channel-form.ts';

const saved: Channel = {
  id: 7,
  type: 1,
  name: 'main',
  key_mark: 'a mark',
  status: 3,
  key: '',
  openai_organization: '',
  base_url: '',
  other: '',
  models: 'a,b',
  group: 'default',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  param_override: '',
  test_model: '',
  max_input_tokens: 0,
  priority: 5,
  weight: 1,
  auto_ban: 1,
  tag: null,
  remark: '',
  used_quota: 10,
  balance: 0,
  balance_updated_time: 0,
  response_time: 0,
  test_time: 0,
  created_time: 0,
  other_info: '',
  expired_time: -1,
};

test('a new channel is OpenAI, in the default group, disabled by errors, with priority 0 and weight 0', () => {
  expect(newChannel).toMatchObject({
    type: '1',
    groups: ['default'],
    auto_ban: true,
    priority: 0,
    weight: 0,
    max_input_tokens: 0,
  });
  expect(createBody(newChannel)).toMatchObject({ group: 'default', auto_ban: 1, priority: 0, weight: 0 });
});

describe('an edit', () => {
  test('sends only the id if nothing was changed', () => {
    expect(updateBody(saved, valuesOf(saved))).toEqual({ id: 7 });
  });

  test('sends the changed fields, the address without its last slash, and a key only if one was entered', () => {
    const values = { ...valuesOf(saved), base_url: 'https://example.com//', weight: -3, models: ['a'] };
    expect(updateBody(saved, values)).toEqual({
      id: 7,
      base_url: 'https://example.com',
      weight: 0,
      models: 'a',
      was: { base_url: saved.base_url, weight: saved.weight, models: saved.models },
    });
    expect(updateBody(saved, { ...valuesOf(saved), key: ' sk-1 ' })).toEqual({
      id: 7,
      key: 'sk-1',
      was: { key_mark: saved.key_mark },
    });
  });

  test("sends the values as last read, not the form's initial ones, and no fields that only others changed", () => {
    const shown = { ...saved, models: 'b', remark: 'by another' };
    expect(updateBody(saved, { ...valuesOf(saved), models: ['a'] }, shown)).toEqual({
      id: 7,
      models: 'a',
      was: { models: 'b' },
    });
  });
});

describe('the saved key', () => {
  test('stays while host and path of the address stay, also if the default address is written out', () => {
    expect(keyLeaves(saved, valuesOf(saved))).toBeUndefined();
    expect(keyLeaves(saved, { ...valuesOf(saved), base_url: 'https://api.openai.com/v2/' })).toBeUndefined();
  });

  test('must be entered again for another host, port, path or type', () => {
    for (const change of [
      { base_url: 'https://api.openai.com/other-tenant' },
      { base_url: 'https://evil.example' },
      { base_url: 'https://api.openai.com:444' },
      { type: '14' },
    ]) {
      expect(keyLeaves(saved, { ...valuesOf(saved), ...change })).toBe('https://api.openai.com');
    }
  });
});

test('every line is a key, duplicates count once, and a service account of many lines is one key', () => {
  expect(keyCount({ ...newChannel, key: 'a\n\n b \na' })).toBe(2);
  expect(keyCount({ ...newChannel, type: '41', key: '{\n"a": 1\n}' })).toBe(1);
  expect(keyCount(newChannel)).toBe(0);
});

test('several keys make one channel each, or one channel with all of them if chosen', () => {
  const pasted = { ...newChannel, key: 'a\nb' };
  expect(createBody(pasted)).not.toHaveProperty('pool_mode');
  expect(createBody({ ...pasted, is_pool: true })).toMatchObject({ key: 'a\nb', pool_mode: 'in_turn' });
  expect(createBody({ ...newChannel, key: 'a', is_pool: true })).not.toHaveProperty('pool_mode');
});

test('an iFlytek channel starts with version v2.1, and loses it with its type', () => {
  expect(otherFor(18, '')).toBe('v2.1');
  expect(otherFor(18, 'v3.5')).toBe('v3.5');
  expect(otherFor(1, 'v2.1')).toBe('');
  expect(otherFor(3, '2025-04-01')).toBe('2025-04-01');
});
