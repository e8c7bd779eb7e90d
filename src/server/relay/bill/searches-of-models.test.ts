import { expect, test } from 'vitest';
import { priceFrom } from '#core/quota/price.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { heldCall } from '../testing/answered-call.ts';
import { affordOf } from './hold/afford-of-call.ts';
import { chargeOf, newMeter, note } from './meter.ts';

/** OpenAI's models that search before each answer do not say so: only their name tells. */

const usage = { prompt_tokens: 9, completion_tokens: 1 };

test.each([
  ['gpt-4o-search-preview', { web_search_preview: 1 }],
  ['gpt-5-search-api', { web_search: 1 }],
  ['gpt-5', undefined],
])('an answer of %s that its caller left before its report has searched', (model, toolCalls) => {
  const facts = { model, inputTokensEstimate: 20 };
  const meter = newMeter();
  expect(chargeOf(meter, facts)).toEqual({ action: 'void', why: 'nothing_produced' });
  note(meter, { content: true, outputBytes: 40 });
  const charge = chargeOf(meter, facts);
  expect(charge.action === 'settle' && charge.usage.toolCalls).toEqual(toolCalls);
  // At an upstream that has another model behind that name, the report decides.
  note(meter, openaiChat.tapWhole({ choices: [], model: 'gpt-5', usage }));
  expect(chargeOf(meter, facts)).toMatchObject({ usage: { inputTokens: 9 } });
  expect(chargeOf(meter, facts)).not.toHaveProperty('usage.toolCalls');
});

test('a caller of any format holds the search', () => {
  const held = heldCall(anthropicMessages);
  const facts = { ...held.request.facts, model: 'gpt-5-search-api' };
  const { size } = affordOf(
    { ...held, request: { ...held.request, facts } },
    priceFrom(factorsOf(), 500_000),
  );
  expect(size.toolCalls).toEqual({ web_search: 1 });
});
