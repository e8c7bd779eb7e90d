import { expect, test } from 'vitest';
import { channelOverrides } from '#contract/channel/channel-overrides.ts';
import { means, newRule, rulesIn, withRules } from './override-rules.ts';

const overrides = [
  { op: 'set', path: 'temperature', value: 0 },
  { op: 'set', path: 'user', value: '1' },
  { op: 'set', path: 'stop', value: null },
  { op: 'set', path: 'a.b', value: { c: [null] } },
  {
    op: 'delete',
    path: 'user',
    when: { model: 'gpt-*', group: 'vip', header: { name: 'user-agent', value: 'x*' } },
  },
  { op: 'replace', path: 'messages.*.content', find: 'a*', value: '1' },
  { op: 'set', on: 'header', path: 'x-n', value: '1' },
  { op: 'pass', on: 'header', path: 'x-app-*', when: { header: { name: 'x-a' } } },
];

test('the table of rules and its JSON mean the same', () => {
  const setting = JSON.stringify({ system_prompt: 'Hi', overrides });
  const rules = rulesIn(setting);
  expect(rules?.map(({ value }) => value)).toEqual(['0', '"1"', 'null', '{"c":[null]}', '', '1', '1', '']);
  const written: unknown = JSON.parse(withRules(setting, rules ?? []));
  expect(written).toEqual({ system_prompt: 'Hi', overrides });
  expect(channelOverrides.safeParse((written as { overrides: unknown }).overrides).error).toBeUndefined();
});

test('rules that do not fit the table are edited as JSON', () => {
  for (const setting of ['{', '[]', '{"overrides":{}}', '{"overrides":[{"op":"jump"}]}'])
    expect(rulesIn(setting)).toBeUndefined();
  expect(withRules('{', [newRule])).toBe('{');
  expect(rulesIn('')).toEqual([]);
  expect(withRules('{"overrides":[]}', [])).toBe('');
});

test('a half-typed value is shown as typed', () => {
  for (const typed of [
    '',
    '1',
    '1.',
    '1.0',
    '1.05',
    '-',
    '-0',
    '-0.5',
    '{ "a": 1 }',
    'a text',
    'null',
    '"7',
  ]) {
    const [kept] = rulesIn(withRules('', [{ ...newRule, path: 'field', value: typed }])) ?? [];
    expect([typed, means(typed, kept?.value ?? '')]).toEqual([typed, true]);
  }
  expect(means('1.0', '2')).toBe(false);
});
