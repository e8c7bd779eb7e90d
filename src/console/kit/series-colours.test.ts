import { expect, it } from 'vitest';
import { seriesColours } from './series-colours.ts';

it('a model keeps its colour whatever the order, and no two of up to eight share one', () => {
  const names = [
    'gpt-5.4',
    'claude-opus-5',
    'gemini-3-pro',
    'o4-mini',
    'deepseek-v4',
    'qwen4',
    'glm-6',
    'kimi-k3',
  ];
  const colours = seriesColours(names);
  expect(seriesColours(names.toReversed())).toEqual(colours);
  expect(new Set(colours.values()).size).toBe(names.length);
});

it('alone or in company, a model has the same colour unless another takes it', () => {
  const alone = seriesColours(['gpt-5.4']).get('gpt-5.4');
  expect(alone).toMatch(/^var\(--chart-[1-8]\)$/);
  expect(seriesColours(['gpt-5.4', 'zebra']).get('gpt-5.4')).toBe(alone);
});
