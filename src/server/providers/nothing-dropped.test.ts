import { describe, expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { Egress } from '../dialects/dialect.ts';
import { providers } from './registry.ts';

/** What changes the answer and its cost reaches every kind of upstream, or is refused by the name of its field. */

/** A key that signs at Tencent; models that choose a format. */
const KEY = new Secret('1|id|secret');
const MODELS = ['m', 'claude-x', 'mistral-x', 'llama-x', 'amazon.nova-pro-v1:0', 'bot-x'];

const formats = new Map<Egress, string>();
for (const { types, dialect, dialectFor, natives = [] } of providers)
  for (const type of types)
    for (const model of MODELS) {
      const own = dialectFor?.(model, channelOf(type, { key: KEY })) ?? dialect;
      for (const format of [own, ...natives]) formats.set(format, `${format.name} of type ${type}`);
    }
const named = [...formats].map(([format, name]) => ({ name, format }));

const asking = (changes: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  extras: {},
  ...changes,
});

const writtenOrRefused = (format: Egress, request: ChatRequest): string => {
  try {
    return JSON.stringify(format.writeRequest(request));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_request') return `refused: ${thrown.param}`;
    throw thrown;
  }
};

describe.each(named)('$name', ({ format }) => {
  test('is asked for several answers, or refuses', () => {
    expect(writtenOrRefused(format, asking({ choices: 3 }))).toMatch(/"(?:n|candidateCount)":3|^refused: n$/);
  });

  test('is asked for pictures, or refuses', () => {
    expect(writtenOrRefused(format, asking({ imagesAskedBy: 'modalities' }))).toMatch(
      /odalities":\["(?:image|TEXT)"|^refused: modalities$/,
    );
  });

  test('is told the length of the answer, whatever its caller called it, and however it was lowered', () => {
    const extras = { 'openai-chat': { max_completion_tokens: 900 } };
    // Nobody can tell these how long an answer may be.
    const isUntold = /^(?:tencent|coze|dify|aiproxy-library)$/.test(format.name);
    expect(writtenOrRefused(format, asking({ maxOutputTokens: 77, extras }))).toMatch(
      isUntold ? /^(?!.*900)/ : /^(?!.*900).*:77\b/,
    );
  });
});
