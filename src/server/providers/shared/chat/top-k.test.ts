import { expect, test } from 'vitest';
import type { ChatRequest } from '#core/chat/request.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { providerOf } from '../../registry.ts';
import { writtenFor } from '../../../dialects/upstream.ts';

const request: ChatRequest = {
  model: 'a-model',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
  topK: 40,
  extras: {},
};

const takesTopK = (type: number): boolean => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error(`no provider for ${String(type)}`);
  const call = { operation: 'chat', model: request.model, stream: false } as const;
  const written = provider.dialect.writeRequest(request);
  return 'top_k' in writtenFor(provider, written, call, channelOf(type));
};

test.each([17, 20, 39, 40, 47, 101, 102, 108, 110])(
  "type %i, whose reference has `top_k` beside OpenAI's fields, is sent it",
  (type) => {
    expect(takesTopK(type)).toBe(true);
  },
);

/** Gemini's programs always send one. */
test.each([1, 3, 42, 100])('type %i, which answers `top_k` with an error, is not', (type) => {
  expect(takesTopK(type)).toBe(false);
});
