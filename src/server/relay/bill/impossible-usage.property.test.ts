import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { MOST_ANSWER_TOKENS } from '#core/quota/afford.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import { messagesFacts } from '../../dialects/anthropic-messages/facts.ts';
import { facts as geminiFacts } from '../../dialects/gemini/facts.ts';
import { chatFacts } from '../../dialects/openai-chat/facts.ts';
import { responsesFacts } from '../../dialects/openai-responses/facts.ts';
import { plainWires } from '../../dialects/plain-wires.ts';
import { judgedCall } from '../testing/judged-call.ts';
import { limitsIfLarge, limitsOf } from './limits-of-call.ts';
import { chargeOf, type Meter, newMeter } from './meter.ts';

/**
 * Whatever an honest upstream reports is charged as it reports it: a token for each byte, a prompt of its own, dear pictures,
 * thoughts that nobody sees. What a lying one reports costs no more than that could be.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The request, with fields that all formats have. */
interface Asked {
  readonly model: string;
  readonly texts: readonly string[];
  readonly pictures: number;
  readonly limit: number | undefined;
  readonly tool: boolean;
}

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const formats: Readonly<Record<string, (asked: Asked) => RequestFacts & { readonly body: Fields }>> = {
  'openai-chat': ({ model, texts, pictures, limit, tool }) => {
    const shown = Array.from({ length: pictures }, () => ({
      type: 'image_url',
      image_url: { url: PICTURE },
    }));
    const said = texts.map((text) => ({ type: 'text', text }));
    const tools = tool ? [{ type: 'function', function: { name: 'a', parameters: {} } }] : undefined;
    const body = {
      model,
      messages: [{ role: 'user', content: [...said, ...shown] }],
      max_tokens: limit,
      tools,
    };
    return { ...chatFacts(body), body };
  },
  'openai-responses': ({ model, texts, pictures, limit, tool }) => {
    const shown = Array.from({ length: pictures }, () => ({ type: 'input_image', image_url: PICTURE }));
    const said = texts.map((text) => ({ type: 'input_text', text }));
    const tools = tool ? [{ type: 'function', name: 'a', parameters: {} }] : undefined;
    const input = [{ role: 'user', content: [...said, ...shown] }];
    const body = { model, input, max_output_tokens: limit, tools };
    return { ...responsesFacts(body), body };
  },
  'anthropic-messages': ({ model, texts, pictures, limit, tool }) => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    const shown = Array.from({ length: pictures }, () => ({ type: 'image', source }));
    const said = texts.map((text) => ({ type: 'text', text }));
    const tools = tool ? [{ name: 'a', input_schema: {} }] : undefined;
    const body = {
      model,
      messages: [{ role: 'user', content: [...said, ...shown] }],
      max_tokens: limit,
      tools,
    };
    return { ...messagesFacts(body), body };
  },
  gemini: ({ model, texts, pictures, limit, tool }) => {
    const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    const parts = [
      ...texts.map((text) => ({ text })),
      ...Array.from({ length: pictures }, () => ({ inlineData })),
    ];
    const tools = tool ? [{ functionDeclarations: [{ name: 'a' }] }] : undefined;
    const body = { model, contents: [{ parts }], tools, generationConfig: { maxOutputTokens: limit } };
    return { ...geminiFacts(body), body };
  },
};

/** What makers let an answer have, thoughts included, of those models below that say it. */
const LONGEST: Readonly<Record<string, number>> = { o3: 100_000, 'claude-sonnet-4': 64_000 };

const asked = fc.record({
  model: fc.constantFrom('gpt-4o', 'o3', 'gpt-5.4', 'claude-sonnet-4', 'deepseek-chat', 'some-alias'),
  texts: fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 5 }),
  pictures: fc.nat(4),
  limit: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
  tool: fc.boolean(),
});

const judged = (facts: RequestFacts, fields: Fields, meter: Meter) => judgedCall({ facts, fields, meter });

const heard = (reported: Usage, outputBytes: number, thinks = false): Meter => ({
  ...newMeter(),
  reported,
  outputBytes,
  reportedBytes: outputBytes,
  thinks,
  produced: true,
  finished: true,
});

/** How a prompt may be split into what was cached and what was not. */
const split = (tokens: number, share: number): Partial<Usage> => {
  const cacheReadTokens = Math.floor(tokens * share);
  return { inputTokens: tokens - cacheReadTokens, cacheReadTokens };
};

describe.each(Object.entries(formats))('%s', (_, format) => {
  it('what an honest upstream reports is charged as it reports it', () => {
    const shares = fc.record({
      text: fc.double({ min: 0, max: 1, noNaN: true }),
      cached: fc.constantFrom(0, 0.5, 1),
    });
    const own = fc.oneof(fc.constant(0), fc.nat(131_072));
    const picture = fc.constantFrom(0, 258, 1600, 25_501, 36_835);
    const answer = fc.record({
      bytes: fc.nat(600_000),
      perByte: fc.constantFrom(0.2, 0.25, 0.5, 1),
      hidden: fc.constantFrom('none', 'told', 'mentioned') as fc.Arbitrary<'none' | 'told' | 'mentioned'>,
      thoughts: fc.nat(MOST_ANSWER_TOKENS),
      obeys: fc.boolean(),
    });
    fc.assert(
      fc.property(
        asked,
        shares,
        own,
        picture,
        answer,
        (of, share, ownPrompt, perPicture, { obeys, ...made }) => {
          const { body, ...facts } = format(of);
          const bytes = of.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
          const prompt = Math.floor(bytes * share.text) + ownPrompt + of.pictures * perPicture;
          const words = Math.ceil(made.bytes * made.perByte);
          const hidesUntold = /^(?:o3|gpt-5)/.test(of.model);
          const thoughts = made.hidden === 'none' && !hidesUntold ? 0 : made.thoughts;
          const written =
            obeys && of.limit !== undefined ? Math.min(of.limit, words + thoughts) : words + thoughts;
          const all = Math.min(written, LONGEST[of.model] ?? Infinity);
          const reasoningTokens = made.hidden === 'told' ? Math.min(thoughts, all) : 0;
          const reported = { ...noUsage, ...split(prompt, share.cached), outputTokens: all, reasoningTokens };
          fc.pre(promptTokens(reported) > 0 && all > 0);
          const meter = heard(reported, made.bytes, made.hidden === 'mentioned');
          const limits = limitsIfLarge(judged(facts, body, meter));
          expect(chargeOf(meter, facts, limits)).toEqual({
            action: 'settle',
            usage: reported,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('what a lying one reports costs no more than it could be', () => {
    const lie = fc.constantFrom(0, 10, 100_000, 200_000, 1_000_000, 19_999_999);
    // Its head is cut off, so it may be of 36 megapixels.
    const LARGEST_PICTURE = 46_225;
    fc.assert(
      fc.property(asked, lie, lie, fc.nat(5000), (of, input, output, bytes) => {
        const { body, ...facts } = format(of);
        const reported = { ...noUsage, inputTokens: input, outputTokens: output };
        const meter = heard(reported, bytes);
        const charge = chargeOf(meter, facts, limitsIfLarge(judged(facts, body, meter)));
        const used = charge.action === 'settle' ? charge.usage : noUsage;
        const sent = of.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(promptTokens(used)).toBeLessThanOrEqual(
          131_072 + 1000 + sent + of.pictures * (40_000 + LARGEST_PICTURE),
        );
        // A model writes no more than its maker lets it, where that is known.
        const unknown = LONGEST[of.model] ?? Math.max(of.limit ?? 0, 131_072);
        const most = of.model === 'gpt-4o' ? 32_768 : unknown;
        expect(completionTokens(used)).toBeLessThanOrEqual(most + 4096 + bytes);
        const isAsTold = used.inputTokens === input && used.outputTokens === output;
        expect(isAsTold || used.estimated).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what an upstream reads or does beyond what was sent is charged as it reports it', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const pdf = { type: 'file', file: { file_id: 'file-1' } };
  const film = { type: 'video_url', video_url: { url: 'https://example.com/film.mp4' } };
  const chats: readonly (readonly [string, Fields])[] = [
    ['searches', { messages, web_search_options: {} }],
    ['a file by its name', { messages: [{ role: 'user', content: [pdf] }] }],
    ['a film by its address', { messages: [{ role: 'user', content: [film] }] }],
    ['a model that searches by itself', { model: 'sonar-deep-research', messages }],
    ['an application behind a model name', { model: 'bot-20260101-abc', messages }],
  ];
  it.each(chats)('%s', (_, body) => {
    const asking = { model: 'gpt-4o', ...body };
    const meter = heard({ ...noUsage, inputTokens: 3_000_000, outputTokens: 10 }, 40);
    const facts = chatFacts(asking);
    const charge = chargeOf(meter, facts, limitsIfLarge(judged(facts, asking, meter)));
    expect(charge).toMatchObject({ usage: { inputTokens: 3_000_000, estimated: false } });
  });

  const others: readonly (readonly [string, RequestFacts, Fields])[] = [
    [
      'a conversation that is kept',
      responsesFacts({ model: 'm', input: 'hi', previous_response_id: 'r' }),
      {},
    ],
    ['a search', responsesFacts({ model: 'm', input: 'hi', tools: [{ type: 'web_search' }] }), {}],
    [
      'pages',
      messagesFacts({ model: 'm', messages, tools: [{ type: 'web_fetch_20250910', name: 'f' }] }),
      {},
    ],
    ['a cached prompt', geminiFacts({ model: 'm', contents: [{ parts: [] }], cachedContent: 'c' }), {}],
    [
      'a search by Google',
      geminiFacts({ model: 'm', contents: [{ parts: [] }], tools: [{ google_search: {} }] }),
      {},
    ],
    [
      'pictures whose type is not told',
      plainWires.embeddings.facts({ model: 'm', input: [{ image: 'https://example.com/a.png' }] }),
      {},
    ],
  ];
  it.each(others)('%s', (_, facts, body) => {
    expect(limitsOf(judged(facts, body, newMeter()))?.promptTokens).toBeUndefined();
  });

  it('what the operator has a channel add', () => {
    const facts = chatFacts({ model: 'm', messages });
    const setting = { systemPrompt: 'Be brief.' };
    const limits = limitsOf(judgedCall({ facts, fields: {}, meter: newMeter(), setting }));
    expect(limits).toMatchObject({ hasTools: true, promptTokens: undefined });
  });
});

it('searches that an upstream without tools tells of are not charged', () => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  const meter = {
    ...heard({ ...noUsage, inputTokens: 5, outputTokens: 1 }, 4),
    toolCalls: { web_search: 900 },
  };
  const charge = chargeOf(
    meter,
    { inputTokensEstimate: 20 },
    limitsIfLarge(judged(chatFacts(body), body, meter)),
  );
  expect(charge).toEqual({ action: 'settle', usage: { ...noUsage, inputTokens: 5, outputTokens: 1 } });
});

it.each([
  ['texts are searched', plainWires.rerank.facts({ model: 'm', query: 'abc', documents: ['defg', 'h'] })],
  ['texts are judged', plainWires.moderations.facts({ model: 'm', input: 'abc' })],
  ['texts are compared', plainWires.embeddings.facts({ model: 'm', input: ['abc', 'd'] })],
  [
    'texts are compared by Google',
    plainWires['batch-embed-contents'].facts({
      model: 'm',
      requests: [{ model: 'm', content: { parts: [{ text: 'abc' }] } }],
    }),
  ],
  ['a text is edited', plainWires.edits.facts({ model: 'm', input: 'abc', instruction: 'def' })],
  ['a text is completed', plainWires.completions.facts({ model: 'm', prompt: 'abc' })],
  ['a conversation is made shorter', plainWires['responses-compact'].facts({ model: 'm', input: 'abc' })],
  ['a text is spoken', plainWires.speech.facts({ model: 'tts', input: 'abc', voice: 'a' })],
])('where %s, no more can have been read than was sent', (_, facts) => {
  const { promptTokens = Infinity } = limitsOf(judged(facts, {}, newMeter())) ?? {};
  expect(promptTokens).toBeLessThan(131_072 + 100);
});
