import fc from 'fast-check';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { Media } from '#core/chat/request.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { dearerCached } from '#core/testing/dearer-cached.ts';
import { withStatements } from './statements.ts';

/** Replies that the Responses format can express, and deliberately nothing else. */

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const own = (fields: Readonly<Record<string, unknown>>) => ({ extras: { 'openai-responses': fields } });
const picture: fc.Arbitrary<Media> = base64.map((data) => ({ from: 'base64', data, mediaType: 'image/png' }));

const count = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: fc.integer({ min: 1, max: 1000 }),
    cacheReadTokens: count,
    audioCacheReadTokens: count,
    imageCacheReadTokens: count,
    cacheWrite5mTokens: count,
    cacheWrite1hTokens: count,
    imageInputTokens: count,
    audioInputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    audioOutputTokens: count,
    imageOutputTokens: count,
  })
  .map((counts) => ({
    ...noUsage,
    ...counts,
    ...dearerCached(counts),
    reasoningTokens: Math.min(counts.reasoningTokens, counts.outputTokens),
  }));

const choice = 0;
const thinking: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(fc.array(text, { minLength: 1, maxLength: 3 }), fc.option(base64, { nil: undefined }))
  .map(([pieces, sealed]) => [
    ...pieces.map((piece): ChatEvent => ({ type: 'reasoning-delta', choice, text: piece })),
    ...(sealed === undefined
      ? []
      : [
          {
            type: 'reasoning-end' as const,
            choice,
            signature: sealed,
            signatureFrom: 'openai-responses' as const,
          },
        ]),
  ]);

const talk: fc.Arbitrary<ChatEvent> = fc.oneof(
  text.map((piece): ChatEvent => ({ type: 'text-delta', choice, text: piece })),
  text.map((piece): ChatEvent => ({
    type: 'text-delta',
    choice,
    text: piece,
    logprobs: [
      { token: piece, logprob: -0.5, bytes: [1, 2], top: [{ token: 'b', logprob: -2, bytes: [98] }] },
    ],
  })),
  text.map((piece): ChatEvent => ({ type: 'refusal-delta', choice, text: piece })),
  fc.tuple(word, text).map(([url, title]): ChatEvent => ({
    type: 'citation',
    choice,
    url,
    title,
    startIndex: 0,
    endIndex: 1,
  })),
  base64.map((data): ChatEvent => ({ type: 'audio-delta', choice, data })),
);

const shown: fc.Arbitrary<ChatEvent[]> = fc.oneof(
  picture.map((media): ChatEvent[] => [{ type: 'image', choice, media }]),
  word.map((id): ChatEvent[] => [
    { type: 'opaque', choice, ...own({ type: 'web_search_call', id, status: 'completed' }) },
  ]),
);

/**
 * Calls have arguments in this format, if only `{}`. They are numbered by their position among all items, which only the
 * writer knows, so here they come first.
 */
const calls = fc
  .array(fc.tuple(word, word, fc.array(text, { minLength: 1, maxLength: 3 })), { maxLength: 3 })
  .map((list) =>
    list.flatMap(([id, name, pieces], index): ChatEvent[] => [
      { type: 'tool-call-start', choice, index, id: `${id}${index}`, name },
      ...pieces.map((argumentsText): ChatEvent => ({
        type: 'tool-call-delta',
        choice,
        index,
        argumentsText,
      })),
    ]),
  );

/** Events that form an item or part of their own and thus separate two texts. */
const PARTING: readonly ChatEvent['type'][] = [
  'reasoning-delta',
  'reasoning-end',
  'image',
  'opaque',
  'refusal-delta',
  'audio-delta',
];

export const responsesReply: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(
    fc.record({
      type: fc.constant('start' as const),
      id: word,
      model: word,
      createdAtMs: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
    }),
    calls,
    fc.array(fc.oneof(thinking, fc.array(talk, { minLength: 1, maxLength: 4 }), shown), { maxLength: 4 }),
    fc.constantFrom<FinishReason>('stop', 'length', 'content-filter'),
    fc.option(usage, { nil: undefined }),
  )
  .map(([start, called, spoken, cut, used]) => {
    const events = withStatements([...called, ...spoken.flat()], PARTING);
    return [
      start,
      ...events,
      { type: 'finish' as const, choice, reason: endOf(events, cut) },
      ...(used === undefined ? [] : [{ type: 'usage' as const, usage: used }]),
    ];
  });

/** The finish reason as this format can express it: it must be derived from the content. */
const endOf = (events: readonly ChatEvent[], cut: FinishReason): FinishReason => {
  if (cut !== 'stop') return cut;
  const has = (...types: readonly ChatEvent['type'][]): boolean =>
    events.some((event) => types.includes(event.type));
  if (has('tool-call-start')) return 'tool-calls';
  return has('refusal-delta') && !has('text-delta', 'citation') ? 'refusal' : 'stop';
};
