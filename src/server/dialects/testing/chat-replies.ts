import fc from 'fast-check';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { dearerCached } from '#core/testing/dearer-cached.ts';
import { base64, inline, text, url, urlMedia, word } from './chat-arbitraries.ts';

/** Replies of the OpenAI chat format: everything it can express in one or several answers. */

const count = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: fc.integer({ min: 1, max: 1000 }),
    cacheReadTokens: count,
    audioCacheReadTokens: count,
    imageCacheReadTokens: count,
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

const finishReason = fc.constantFrom<FinishReason>('stop', 'length', 'tool-calls', 'content-filter');

const citation = (choice: number): fc.Arbitrary<ChatEvent> =>
  fc.record({
    type: fc.constant('citation' as const),
    choice: fc.constant(choice),
    url,
    title: text,
    startIndex: fc.nat(),
    endIndex: fc.nat(),
  });

/** One answer: the pieces of each kind stay together, as they do in a whole reply. */
const answer = (choice: number): fc.Arbitrary<ChatEvent[]> =>
  fc
    .tuple(
      fc.array(
        text.map((said): ChatEvent => ({ type: 'reasoning-delta', choice, text: said })),
        { maxLength: 3 },
      ),
      fc.array(
        fc
          .tuple(word, fc.constantFrom(undefined, 'anthropic-messages' as const, 'gemini' as const))
          .map(([signature, signatureFrom]): ChatEvent => ({
            type: 'reasoning-end',
            choice,
            signature,
            ...(signatureFrom !== undefined && { signatureFrom }),
          })),
        { maxLength: 1 },
      ),
      fc.array(
        text.map((said): ChatEvent => ({ type: 'text-delta', choice, text: said })),
        { maxLength: 4 },
      ),
      fc.array(
        text.map((said): ChatEvent => ({ type: 'refusal-delta', choice, text: said })),
        { maxLength: 2 },
      ),
      fc.array(
        fc.record({
          type: fc.constant('audio-delta' as const),
          choice: fc.constant(choice),
          id: fc.constant('a1'),
          data: base64,
          transcript: text,
        }),
        { maxLength: 1 },
      ),
      fc.array(
        fc.record({
          type: fc.constant('image' as const),
          choice: fc.constant(choice),
          media: fc.oneof(urlMedia, inline('image/png')),
        }),
        { maxLength: 2 },
      ),
      fc.array(citation(choice), { maxLength: 2 }),
      fc.array(fc.tuple(word, word, fc.array(text, { maxLength: 3 })), { maxLength: 3 }).map((calls) =>
        calls.flatMap(([id, name, pieces], index): ChatEvent[] => [
          { type: 'tool-call-start', choice, index, id: `${id}${index}`, name },
          ...pieces.map((argumentsText): ChatEvent => ({
            type: 'tool-call-delta',
            choice,
            index,
            argumentsText,
          })),
        ]),
      ),
      fc
        .tuple(finishReason, fc.option(text, { nil: undefined }))
        .map(([reason, stopSequence]): ChatEvent[] => [
          { type: 'finish', choice, reason, ...(stopSequence !== undefined && { stopSequence }) },
        ]),
    )
    .map((parts) => endedInWords(parts.flat()));

/**
 * This format has no words for some finish reasons: `stop` after a call, or after a refusal alone, is read as what it
 * means.
 */
const endedInWords = (events: readonly ChatEvent[]): ChatEvent[] => {
  const says = (type: ChatEvent['type']): boolean => events.some((event) => event.type === type);
  const meant = says('tool-call-start')
    ? 'tool-calls'
    : says('refusal-delta') && !says('text-delta')
      ? 'refusal'
      : 'stop';
  return events.map((event) =>
    event.type === 'finish' && event.reason === 'stop' ? { ...event, reason: meant } : event,
  );
};

export const reply: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(
    fc.record({
      type: fc.constant('start' as const),
      id: word,
      model: word,
      createdAtMs: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
    }),
    fc
      .integer({ min: 1, max: 3 })
      .chain((choices) => fc.tuple(...Array.from({ length: choices }, (_, choice) => answer(choice)))),
    fc.option(usage, { nil: undefined }),
  )
  .map(([start, answers, used]) => [
    start,
    ...answers.flat(),
    ...(used === undefined ? [] : [{ type: 'usage' as const, usage: used }]),
  ]);
