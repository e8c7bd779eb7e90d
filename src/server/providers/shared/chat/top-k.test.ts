import { expect, test } from 'vitest';
import type { ChatRequest } from '#core/chat/request.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { providerOf, relayedTypes } from '../../registry.ts';
import { writtenFor } from '../../../dialects/upstream.ts';

const request: ChatRequest = {
  model: 'a-model',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
  topK: 40,
  extras: {},
};

/** Gemini's programs always send one, which OpenAI, Azure, Groq and Mistral answer with an error. */
test("`top_k` is sent only to those whose reference has it beside OpenAI's fields", () => {
  const told = relayedTypes.filter((type) => {
    const provider = providerOf(type);
    if (provider?.dialect.name !== 'openai-chat') return false;
    const call = { operation: 'chat', model: request.model, stream: false } as const;
    const written = provider.dialect.writeRequest(request);
    return 'top_k' in writtenFor(provider, written, call, channelOf(type));
  });
  expect(told).toEqual([17, 20, 39, 40, 47, 101, 102, 108, 110]);
});
