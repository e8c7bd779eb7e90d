import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hideCosts } from './hide-costs.ts';

const hidden = (text: string): string => {
  const bytes = Buffer.from(text);
  hideCosts(bytes);
  expect(bytes).toHaveLength(Buffer.byteLength(text));
  return bytes.toString();
};

/** As makers' references have it (openrouter.ai/docs: usage accounting, docs.x.ai, deepinfra.com/docs). */
const told = {
  cost: 0.95,
  cost_details: { upstream_inference_cost: 19, more: ['"}', { cost: 1 }] },
  prompt_tokens: 194,
  is_byok: false,
  completion_tokens: 2,
  estimated_cost: 4.5e-7,
  cost_in_usd_ticks: 37_756_000,
};
const kept = { prompt_tokens: 194, completion_tokens: 2 };

it('what an upstream says of costs in its usage is hidden, wherever usage stands, and nothing else changes', () => {
  const argument = { input: { usage: { cost: 5 } }, text: '"usage":{"cost":1}' };
  for (const space of [0, 2]) {
    const at = (value: object) => JSON.parse(hidden(JSON.stringify(value, null, space))) as unknown;
    expect(at({ id: 'x', content: [argument], usage: told })).toEqual({
      id: 'x',
      content: [argument],
      usage: kept,
    });
    expect(at({ type: 'response.completed', response: { usage: told, id: 'r' } })).toEqual({
      type: 'response.completed',
      response: { usage: kept, id: 'r' },
    });
    expect(at({ usage: { cost: 1 }, cost: 'of the caller' })).toEqual({ usage: {}, cost: 'of the caller' });
  }
  expect(hidden(`data: ${JSON.stringify({ usage: told })}\n\n`)).not.toMatch(/cost|byok/);
});

it('any JSON stays JSON, and what has no usage stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.jsonValue(), (value, cost) => {
      const text = JSON.stringify({ value, cost });
      expect(hidden(text)).toBe(text);
      const usage = { value, cost, total_cost: value, tokens: 1 };
      expect(JSON.parse(hidden(JSON.stringify({ usage })))).toEqual(
        JSON.parse(JSON.stringify({ usage: { value, tokens: 1 } })),
      );
      hidden(JSON.stringify(value)?.slice(1) ?? '');
    }),
  );
});
