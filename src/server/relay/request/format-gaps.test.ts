import { expect, it } from 'vitest';
import { FormatGaps } from './format-gaps.ts';

it('what a channel lacks at one address is asked for again at another, and after ten minutes', () => {
  const gaps = new FormatGaps();
  const wrong = { id: 1, baseUrl: 'https://upstream.example/wrong' };
  const right = { id: 1, baseUrl: 'https://upstream.example' };
  gaps.add(wrong, 'openai-responses', 0);
  gaps.add(right, 'anthropic-messages', 0, 'm');
  const has = (channel: typeof wrong, format: string, nowMs: number, model = 'm') =>
    gaps.has(channel, format, nowMs, model);
  expect([has(wrong, 'openai-responses', 1), has(right, 'openai-responses', 1)]).toEqual([true, false]);
  expect([has(right, 'anthropic-messages', 1), has(right, 'anthropic-messages', 1, 'n')]).toEqual([
    true,
    false,
  ]);
  expect(has(wrong, 'openai-responses', 600_000)).toBe(false);
});
