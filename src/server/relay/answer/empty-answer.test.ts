import { describe, expect, test } from 'vitest';
import { Secrets } from '#core/secrets/secrets.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { openaiEmbeddings } from '../../dialects/openai-embeddings/openai-embeddings.ts';
import { openaiImages } from '../../dialects/openai-images/openai-images.ts';
import type { Meter } from '../bill/meter.ts';
import { parseReply } from './answer.ts';

const formats = { ...chatDialects, embeddings: openaiEmbeddings, images: openaiImages };

const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));
const CHAT_USAGE = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 };
const USAGE = { input_tokens: 7, output_tokens: 0, total_tokens: 7 };

const nothing = [
  ['openai-chat', { choices: [], usage: CHAT_USAGE }],
  ['anthropic-messages', { type: 'message', content: [], stop_reason: null, usage: USAGE }],
  ['gemini', { candidates: [], usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 } }],
  ['openai-responses', { id: 'resp_1', object: 'response', output: [], usage: USAGE }],
  ['embeddings', { object: 'list', data: [], usage: { prompt_tokens: 7, total_tokens: 7 } }],
  ['images', { created: 1, data: [], usage: { input_tokens: 7, output_tokens: 0, total_tokens: 7 } }],
] as const;

describe.each(nothing)('a whole reply of %s with usage and nothing else', (name, body) => {
  test('is a failed attempt, and its usage is still recorded', () => {
    const unpaid: Meter[] = [];
    const read = () =>
      parseReply(bytesOf(body), formats[name], new Secrets([]), { unpaid: (meter) => unpaid.push(meter) });
    expect(read).toThrow('the upstream answered with nothing');
    expect(unpaid.map((meter) => meter.reported?.inputTokens)).toEqual([7]);
  });
});

test.each([
  ['openai-chat', { choices: [{ index: 0, message: { content: '' }, finish_reason: 'stop' }] }],
  ['anthropic-messages', { type: 'message', content: [], stop_reason: 'end_turn' }],
  ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }],
  ['openai-responses', { id: 'resp_1', object: 'response', status: 'completed', output: [] }],
  ['embeddings', { object: 'list', data: [{ index: 0, embedding: [0.1] }] }],
  ['images', { created: 1, data: [{ b64_json: 'AA' }] }],
  // Hosts of others call the list otherwise.
  ['images', { images: [{ url: 'https://example.com/a.png' }] }],
] as const)('a whole reply of %s that only ends, or has no usage, is an answer', (name, body) => {
  expect(parseReply(bytesOf(body), formats[name], new Secrets([])).meter.finished).toBe(true);
});

test.each(['queued', 'in_progress'])(
  'a response that is %s is an answer only where it is fetched later',
  (status) => {
    const read = (mayComeLater: boolean) =>
      parseReply(
        bytesOf({ id: 'resp_1', status, output: [] }),
        formats['openai-responses'],
        new Secrets([]),
        {
          mayComeLater,
        },
      );
    expect(() => read(false)).toThrow('the upstream answered with nothing');
    expect(read(true).meter.finished).toBe(true);
  },
);

test.each(Object.keys(chatDialects) as (keyof typeof chatDialects)[])(
  'an error in a list, under status 200, keeps its message in %s',
  (name) => {
    const error = { code: 400, message: 'the prompt is too long for this model', status: 'INVALID_ARGUMENT' };
    const read = (body: object) => parseReply(bytesOf(body), formats[name], new Secrets([]));
    expect(() => read([{ error }])).toThrow('the prompt is too long for this model');
  },
);
