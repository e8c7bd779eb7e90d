import { describe, expect, test } from 'vitest';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { chatFacts } from '../../dialects/openai-chat/facts.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { messagesFacts } from '../../dialects/anthropic-messages/facts.ts';
import { unpaidUsage } from './cost/cost-of-call.ts';
import { chargeOf, newMeter, note } from './meter.ts';

/**
 * What is kept in a cache for an hour costs more to write. Upstreams tell the ages of what they wrote by several names, or
 * only the sum; then a caller who asked for an hour pays for one.
 */

const chatUsage = (usage: object): Usage | undefined => openaiChat.tapWhole({ choices: [], usage }).usage;

describe('ages of what was written are told', () => {
  const ages = {
    inputTokens: 200,
    cacheReadTokens: 300,
    cacheWrite5mTokens: 100,
    cacheWrite1hTokens: 400,
    outputTokens: 1,
  };

  test.each<[string, object, Partial<Usage>]>([
    [
      'by a gateway of the New API family',
      {
        prompt_tokens_details: { cached_tokens: 300, cached_creation_tokens: 500 },
        claude_cache_creation_5_m_tokens: 100,
        claude_cache_creation_1_h_tokens: 400,
      },
      ages,
    ],
    [
      'by LiteLLM',
      {
        cache_creation_input_tokens: 500,
        prompt_tokens_details: {
          cached_tokens: 300,
          cache_creation_tokens: 500,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 },
        },
      },
      ages,
    ],
    [
      'by nobody, beside names that are always there and 0',
      {
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, cached_creation_tokens: 500 },
        cache_read_input_tokens: 300,
        claude_cache_creation_5_m_tokens: 0,
        claude_cache_creation_1_h_tokens: 0,
      },
      { ...ages, cacheWrite5mTokens: 500, cacheWrite1hTokens: 0, writesUndated: true },
    ],
  ])('%s', (_, usage, expected) => {
    expect(chatUsage({ prompt_tokens: 1000, completion_tokens: 1, ...usage })).toEqual({
      ...noUsage,
      ...expected,
    });
  });
});

describe('the age of what was written is not told', () => {
  const hour = { type: 'ephemeral', ttl: '1h' };
  const marked = (mark: object): object[] => [
    { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: mark }] },
  ];
  const asks = {
    'a part, of Messages': messagesFacts({ model: 'm', max_tokens: 9, messages: marked(hour) }),
    'the whole prompt, of Messages': messagesFacts({
      model: 'm',
      max_tokens: 9,
      messages: marked({}),
      cache_control: hour,
    }),
    'the system, of Messages': messagesFacts({
      model: 'm',
      max_tokens: 9,
      messages: marked({}),
      system: [{ type: 'text', text: 'x', cache_control: hour }],
    }),
    'a part, of a chat': chatFacts({ model: 'm', messages: marked(hour) }),
  };
  const sum = {
    prompt_tokens: 1000,
    completion_tokens: 1,
    prompt_tokens_details: { cache_write_tokens: 800 },
  };
  const writesOf = (usage: object, facts: object | undefined): unknown => {
    const meter = newMeter();
    note(meter, { ...openaiChat.tapWhole({ choices: [], usage }), content: true, done: true });
    const charge = chargeOf(meter, { ...facts, inputTokensEstimate: 1000 });
    if (charge.action === 'void') return charge;
    expect(charge.usage).not.toHaveProperty('writesUndated');
    return [charge.usage.cacheWrite5mTokens, charge.usage.cacheWrite1hTokens];
  };

  test.each(Object.entries(asks))('and an hour was asked for, for %s: an hour is paid', (_, facts) => {
    expect(writesOf(sum, facts)).toEqual([0, 800]);
  });

  test('and nobody pays the answer: an hour is the cost of the house', () => {
    const meter = newMeter();
    note(meter, openaiChat.tapWhole({ choices: [], usage: sum }));
    expect(unpaidUsage(meter, { keepsAnHour: true })).toMatchObject({ cacheWrite1hTokens: 800 });
    expect(unpaidUsage(meter)).toMatchObject({ cacheWrite5mTokens: 800, cacheWrite1hTokens: 0 });
  });

  test('and no hour was asked for: five minutes are paid', () => {
    expect(writesOf(sum, chatFacts({ model: 'm', messages: marked({ type: 'ephemeral' }) }))).toEqual([
      800, 0,
    ]);
  });

  test('an upstream that tells the age is believed', () => {
    const told = { ...sum, cache_creation: { ephemeral_5m_input_tokens: 800, ephemeral_1h_input_tokens: 0 } };
    expect(writesOf(told, asks['a part, of a chat'])).toEqual([800, 0]);
  });

  test('a last report that tells only the sum leaves the ages of those before', () => {
    const meter = newMeter();
    const start = {
      type: 'message_start',
      message: {
        usage: {
          input_tokens: 10,
          output_tokens: 1,
          cache_creation_input_tokens: 800,
          cache_creation: { ephemeral_5m_input_tokens: 800, ephemeral_1h_input_tokens: 0 },
        },
      },
    };
    const end = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 800 },
    };
    for (const event of [start, end]) {
      const data = Buffer.from(JSON.stringify(event));
      const frame = { event: event.type, data, raw: data };
      note(meter, anthropicMessages.tap(frame) ?? {});
    }
    const charge = chargeOf(meter, { ...asks['a part, of Messages'], inputTokensEstimate: 1000 });
    expect(charge).toMatchObject({ usage: { cacheWrite5mTokens: 800, cacheWrite1hTokens: 0 } });
  });
});
