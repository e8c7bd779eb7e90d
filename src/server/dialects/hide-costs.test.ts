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
    expect(at({ choices: [{ message: argument, cost: 1 }, { message: { usage: told } }] })).toEqual({
      choices: [{ message: argument }, { message: { usage: kept } }],
    });
  }
  expect(hidden(`data: ${JSON.stringify({ usage: told })}\n\n`)).not.toMatch(/cost|byok/);
});

/** vercel.com/docs (gateway), docs.nano-gpt.com, docs.aimlapi.com, docs.litellm.ai; the last is what a reseller may add. */
it.each<[string, object, object]>([
  [
    'a gateway beside the message',
    {
      choices: [
        {
          message: { content: 'x', provider_metadata: { gateway: { cost: '1', routing: {} }, a: { s: 1 } } },
        },
      ],
    },
    { choices: [{ message: { content: 'x', provider_metadata: { a: { s: 1 } } } }] },
  ],
  [
    'a gateway in a piece of a stream',
    { choices: [{ delta: { providerMetadata: { gateway: { marketCost: '1' } } } }] },
    { choices: [{ delta: { providerMetadata: {} } }] },
  ],
  ['a price at the top', { id: 'x', x_nanogpt_pricing: { amount: 1 }, estimatedCost: 2 }, { id: 'x' }],
  ['credits', { meta: { usage: { credits_used: 7 }, units: 1 } }, { meta: { units: 1, usage: {} } }],
  ['hidden fields', { _hidden_params: { response_cost: 1, id: 2 } }, { _hidden_params: { id: 2 } }],
  ['usage of Gemini', { usageMetadata: { totalCost: 1, a: 2 } }, { usageMetadata: { a: 2 } }],
  [
    'each of a list',
    [
      { cost: 1, a: [] },
      { cost: [], b: 2 },
    ],
    [{ a: [] }, { b: 2 }],
  ],
  [
    'an error',
    { error: { message: 'cost', metadata: { cost: 3 } } },
    { error: { message: 'cost', metadata: {} } },
  ],
  ['each picture', { data: [{ url: 'x', cost: 1 }], cost: 2 }, { data: [{ url: 'x' }] }],
])('what tells a cost is hidden: %s', (_, value, shown) => {
  expect(JSON.parse(hidden(JSON.stringify(value)))).toEqual(shown);
  expect(JSON.parse(hidden(JSON.stringify(value, null, '\t')))).toEqual(shown);
});

it('what callers and models say of costs stays', () => {
  for (const value of [
    { response: { metadata: { cost_center: '7' }, tools: [{ parameters: { properties: { cost: {} } } }] } },
    {
      choices: [
        { message: { content: '{"cost":1}', tool_calls: [{ function: { arguments: '{"cost":2}' } }] } },
      ],
    },
    { content: [{ type: 'tool_use', input: { cost: 1, usage: { cost: 2 } } }] },
    { candidates: [{ content: { parts: [{ functionCall: { args: { cost: 1, gateway: 2 } } }] } }] },
    { text: 'cost', words: [{ word: 'cost' }], gateway: 1 },
  ])
    expect(JSON.parse(hidden(JSON.stringify(value)))).toEqual(value);
});

it('what is nested thousands of times is read without a deeper stack', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"message":', '}'],
    ['{"usage":', '}'],
    ['{"data":[', ']}'],
  ] as const)
    expect(hidden(`${open.repeat(20_000)}{"cost":1}${close.repeat(20_000)}`)).toContain(open);
});

it('any JSON stays JSON, and what only speaks of costs stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.jsonValue(), (value, cost) => {
      const text = JSON.stringify({ value, text: ['cost', cost] });
      expect(hidden(text)).toBe(text);
      const usage = { value, cost, total_cost: value, tokens: 1 };
      expect(JSON.parse(hidden(JSON.stringify({ usage })))).toEqual(
        JSON.parse(JSON.stringify({ usage: { value, tokens: 1 } })),
      );
      hidden(JSON.stringify(value)?.slice(1) ?? '');
    }),
  );
});
