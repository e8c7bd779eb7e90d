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
  [
    'GroupGroupRatio',
    { vip: { default: 0.9, svip: 0.5 }, staff: { default: 0 } },
    [
      ['vip', 'default', '0.9'],
      ['vip', 'svip', '0.5'],
      ['staff', 'default', '0'],
    ],
  ],
  ['GroupServiceTerms', { default: 'strip' }, [['default', 'strip']]],
  ['tool_price_setting.prices', { 'web_search:grok*': 5 }, [['web_search:grok*', '5']]],
  [
    'cost_setting.below_cost',
    { default: 'warn', vip: 'stop' },
    [
      ['default', 'warn'],
      ['vip', 'stop'],
    ],
  ],
  [
    'cost_setting.currency_rates',
    {
      CNY: [
        { from: '2026-01-01', usd: 0.14 },
        { from: '2026-06-01', usd: 0.139 },
      ],
    },
    [
      ['CNY', '2026-01-01', '0.14'],
      ['CNY', '2026-06-01', '0.139'],
    ],
  ],
  [
    'PayMethods',
    [
      { name: '支付宝', type: 'alipay', color: '#1677ff' },
      { name: 'USDT', type: 'usdt' },
    ],
    [
      ['支付宝', 'alipay', '#1677ff'],
      ['USDT', 'usdt', ''],
    ],
  ],
  [
    'claude.model_headers_settings',
    { 'claude-x': { 'anthropic-beta': 'output-128k' } },
    [['claude-x', 'anthropic-beta', 'output-128k']],
  ],
  ['routing_setting.choice', {}, []],
  ['availability_setting.models', ['gpt-*'], [['gpt-*']]],
] as const)('%s is shown as rows, and written back unchanged', (key, value, rows) => {
  const shape = shapeOf(key);
  expect(shape?.read(value)).toEqual(rows);
  expect(shape?.write(rows)).toEqual(value);
});

test('a value that does not fit into rows stays a text, so that nothing is lost', () => {
  expect(shapeOf('routing_setting.choice')?.read({ models: {}, groups: { vip: {} } })).toBeUndefined();
  expect(shapeOf('routing_setting.choice')?.read({ models: {}, groups: { vip: { m: 5 } } })).toEqual([
    ['m', 'vip', '5'],
  ]);
  expect(shapeOf('routing_setting.choice')?.read({ users: {} })).toBeUndefined();
  expect(shapeOf('GroupGroupRatio')?.read({ vip: { default: 0.9 }, staff: {} })).toBeUndefined();
  expect(shapeOf('claude.model_headers_settings')?.read({ m: { beta: ['a', 'b'] } })).toBeUndefined();
  expect(shapeOf('cost_setting.currency_rates')?.read({ CNY: [] })).toBeUndefined();
  expect(shapeOf('PayMethods')?.read([{ name: 'a', type: 'b', fee: '1' }])).toBeUndefined();
  const first = shapeOf('upstream_setting.first_token');
  expect(first?.read({ m: { deadline_ms: 'auto', factor: 3 } })).toBeUndefined();
  expect(first?.read({ m: {} })).toBeUndefined();
  expect(shapeOf('upstream_setting.model_timeouts')?.read({ m: { other: 5 } })).toBeUndefined();
});

test('an invalid number of seconds stays as typed, and the option refuses it', () => {
  expect(shapeOf('upstream_setting.first_token')?.write([['m', 'soon', 'no']])).toEqual({
    m: { deadline_ms: 'soon' },
  });
  expect(shapeOf('upstream_setting.model_timeouts')?.write([['m', '', '0.0004', '', '']])).toEqual({
    m: { first_event_timeout_ms: 0 },
  });
});
