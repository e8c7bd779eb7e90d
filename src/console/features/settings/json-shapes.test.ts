import { expect, test } from 'vitest';
import { shapeOf } from './json-shapes.ts';

test.each([
  ['global.model_aliases', { fast: 'gpt-4o-mini' }, [['fast', 'gpt-4o-mini']]],
  ['affinity_setting.minutes_by_model', { 'claude-*': 60 }, [['claude-*', '60']]],
  ['routing_setting.choice', { models: { 'claude-*': 'session' } }, [['claude-*', '', 'session']]],
  [
    'routing_setting.choice',
    {
      models: { 'm*': 'session' },
      groups: { vip: { '*': 'fastest', 'm*': 'weight' }, auto: { m: 'cheapest' } },
    },
    [
      ['m*', '', 'session'],
      ['*', 'vip', 'fastest'],
      ['m*', 'vip', 'weight'],
      ['m', 'auto', 'cheapest'],
    ],
  ],
  [
    'upstream_setting.first_token',
    { m: { deadline_ms: 'auto', hedge: true }, 'n*': { deadline_ms: 2500 } },
    [
      ['m', 'auto', 'yes'],
      ['n*', '2.5', 'no'],
    ],
  ],
  [
    'upstream_setting.model_timeouts',
    { m: { first_byte_timeout_ms: 1500, idle_timeout_ms: 60_000 } },
    [['m', '1.5', '', '', '60']],
  ],
  ['routing_setting.choice', {}, []],
  ['availability_setting.models', ['gpt-*'], [['gpt-*']]],
] as const)('%s is shown as rows, and written as it was', (key, value, rows) => {
  const shape = shapeOf(key);
  expect(shape?.read(value)).toEqual(rows);
  expect(shape?.write(rows)).toEqual(value);
});

test('what has no row stays a text, so that none is lost', () => {
  expect(shapeOf('routing_setting.choice')?.read({ models: {}, groups: { vip: {} } })).toBeUndefined();
  expect(shapeOf('routing_setting.choice')?.read({ models: {}, groups: { vip: { m: 5 } } })).toEqual([
    ['m', 'vip', '5'],
  ]);
  expect(shapeOf('routing_setting.choice')?.read({ users: {} })).toBeUndefined();
  const first = shapeOf('upstream_setting.first_token');
  expect(first?.read({ m: { deadline_ms: 'auto', factor: 3 } })).toBeUndefined();
  expect(first?.read({ m: {} })).toBeUndefined();
  expect(shapeOf('upstream_setting.model_timeouts')?.read({ m: { other: 5 } })).toBeUndefined();
});

test('what is no number of seconds stays as it was typed, for the option to refuse', () => {
  expect(shapeOf('upstream_setting.first_token')?.write([['m', 'soon', 'no']])).toEqual({
    m: { deadline_ms: 'soon' },
  });
  expect(shapeOf('upstream_setting.model_timeouts')?.write([['m', '', '0.0004', '', '']])).toEqual({
    m: { first_event_timeout_ms: 0 },
  });
});
