import { describe, expect, test } from 'vitest';
import { chatDialects } from '../../chat-dialects.ts';
import { openaiCompletions } from '../../openai-completions/openai-completions.ts';
import type { Frame } from '../../frame.ts';
import type { RequestFacts } from '../../dialect.ts';
import { loggedTokensMost } from './logprob-size.ts';

/** How likely words were is asked for no answer that would be too long to be read. */

const MOST = 64 * 1024 * 1024;
const messages = [{ role: 'user', content: 'a' }];

/** One word as OpenAI writes it in a whole answer. */
const entry = { token: ' wordsword', logprob: -12.345678901234567, bytes: [...Buffer.from(' wordsword')] };
const written = (top: number, tokens: number): number =>
  JSON.stringify({ ...entry, top_logprobs: Array.from({ length: top }, () => entry) }, null, 2).length *
  tokens;

const gemini = (config: object) =>
  chatDialects.gemini.facts({
    model: 'm',
    contents: [{ parts: [{ text: 'a' }] }],
    generationConfig: { responseLogprobs: true, logprobs: 20, ...config },
  });
const responses = (body: object) =>
  chatDialects['openai-responses'].facts({ model: 'm', input: 'a', top_logprobs: 20, ...body });
const completions = (body: object) => openaiCompletions.facts({ model: 'm', prompt: 'a', ...body });

describe('an answer whose probabilities would take more than 64 MiB', () => {
  test.each([0, 1, 5, 20])('is asked for at a length that fits, with %d alternatives', (top) => {
    const asked = { param: 'p', stream: false, top, answers: 1, maxTokens: 1_000_000 };
    const most = loggedTokensMost(asked).answerTokensMost ?? 0;
    expect(written(top, most)).toBeLessThan(MOST * 1.5);
    expect(written(top, most)).toBeGreaterThan(MOST / 2);
    expect(loggedTokensMost({ ...asked, maxTokens: most })).toEqual({});
    expect(loggedTokensMost({ ...asked, answers: 4 }).answerTokensMost).toBe(Math.floor(most / 4));
  });

  test.each<[string, () => RequestFacts, number]>([
    ['a chat', () => chat({ logprobs: true, top_logprobs: 20, max_tokens: 16_000 }), 9986],
    ['a chat with one number', () => chat({ logprobs: 20, max_tokens: 16_000 }), 9986],
    ['many answers of a length nobody says', () => chat({ logprobs: true, top_logprobs: 20, n: 128 }), 78],
    ['a response', () => responses({ max_output_tokens: 16_000 }), 9986],
    ['a Gemini answer', () => gemini({ maxOutputTokens: 16_000 }), 9986],
    ['a completion', () => completions({ logprobs: 20, max_tokens: 16_000 }), 9986],
  ])('is shorter: %s', (_, ask, most) => {
    expect(ask().answerTokensMost).toBe(most);
  });

  test.each<[string, () => RequestFacts]>([
    [
      'top_logprobs',
      () => chat({ prompt_logprobs: 20, messages: [{ role: 'user', content: 'a '.repeat(40_000) }] }),
    ],
    ['logprobs', () => completions({ prompt: 'a '.repeat(200_000), echo: true, logprobs: 5, max_tokens: 0 })],
  ])('is refused by %s where the prompt alone is too long', (param, ask) => {
    expect(ask).toThrow(expect.objectContaining({ code: 'invalid_request', param }) as Error);
  });

  test.each<[string, () => RequestFacts]>([
    ['a stream', () => chat({ logprobs: true, top_logprobs: 20, max_tokens: 16_000, stream: true })],
    ['no length', () => chat({ logprobs: true, top_logprobs: 20 })],
    ['no wish for them', () => chat({ top_logprobs: 20, n: 128, max_tokens: 16_000 })],
    ['a short answer', () => chat({ logprobs: true, top_logprobs: 20, max_tokens: 9000 })],
    ['a long one without alternatives', () => chat({ logprobs: true, max_tokens: 128_000 })],
  ])('is nothing that %s makes', (_, ask) => {
    expect(ask()).not.toHaveProperty('answerTokensMost');
  });
});

const chat = (body: object) => chatDialects['openai-chat'].facts({ model: 'm', messages, ...body });

test('the last events of a Responses stream repeat a bounded number of them', () => {
  const writer = chatDialects['openai-responses'].openWriter();
  const one = { token: 'a', logprob: -1 };
  const logprobs = [{ ...one, top: Array.from({ length: 20 }, () => one) }];
  const said = (frames: readonly Frame[]): string => frames.map(({ data }) => data.toString()).join('\n');
  let text = '';
  for (let at = 0; at < 5000; at += 1)
    text = said(writer.write({ type: 'text-delta', choice: 0, text: 'a', logprobs }));
  const last = said([...writer.write({ type: 'finish', choice: 0, reason: 'stop' }), ...writer.end()]);
  expect(text).toContain('"logprob":-1');
  expect(last).toContain('"logprobs":[]');
  expect(last.length).toBeLessThan(100_000);
});
