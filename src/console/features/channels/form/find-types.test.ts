import { expect, it, test } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import { findTypes } from './find-types.ts';

const found = (search: string): number[] => findTypes(search).map(({ id }) => id);

it.each([
  ['Xunfei', 18],
  ['讯飞', 18],
  ['spark', 18],
  ['GLM', 16],
  ['智谱', 26],
  ['qwen', 17],
  ['DashScope', 17],
  ['通义', 17],
  ['ernie', 46],
  ['文心', 15],
  ['豆包', 45],
  ['ark', 45],
  ['Kimi', 25],
  ['月之暗面', 25],
  ['hunyuan', 23],
  ['混元', 23],
  ['零一万物', 31],
  ['SiliconFlow', 40],
  ['硅基', 40],
  ['bedrock', 33],
  ['google', 41],
  ['Grok', 48],
  ['open router', 20],
  ['one-api', 108],
])('%s finds type %i', (search, id) => {
  expect(found(search)).toContain(id);
});

test('the closest name comes first', () => {
  expect(found('gemini')[0]).toBe(24);
  expect(found('open')[0]).toBe(1);
  expect(found('ark')[0]).toBe(45);
  expect(found('deep')).toEqual([43, 109]);
});

test('an empty search finds every type, an unknown name none', () => {
  expect(found(' ')).toEqual(channelTypes.map(({ id }) => id));
  expect(found('no such provider')).toEqual([]);
});

test('every type can be found by other names, and pages for keys are addresses', () => {
  for (const { id } of channelTypes) {
    expect(typeGuides[id]?.otherNames, String(id)).toMatch(/\S/);
    expect(typeGuides[id]?.keyPage ?? 'https://').toMatch(/^https:\/\//);
  }
});
