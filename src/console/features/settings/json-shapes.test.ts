import { expect, test } from 'vitest';
import { shapeOf } from './json-shapes.ts';

test.each([
  ['global.model_aliases', { fast: 'gpt-4o-mini' }, [['fast', 'gpt-4o-mini']]],
  ['affinity_setting.minutes_by_model', { 'claude-*': 60 }, [['claude-*', '60']]],
  ['routing_setting.choice', { models: { 'claude-*': 'session' } }, [['claude-*', 'session']]],
  ['routing_setting.choice', {}, []],
  ['availability_setting.models', ['gpt-*'], [['gpt-*']]],
] as const)('%s is shown as rows, and written as it was', (key, value, rows) => {
  const shape = shapeOf(key);
  expect(shape?.read(value)).toEqual(rows);
  expect(shape?.write(rows)).toEqual(value);
});

test('rules of groups have no rows, so that none is lost', () => {
  expect(shapeOf('routing_setting.choice')?.read({ models: {}, groups: { vip: {} } })).toBeUndefined();
});
