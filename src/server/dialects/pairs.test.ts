import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { DialectName } from '#core/chat/request.ts';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import { chatDialects } from './chat-dialects.ts';
import { anthropicReply } from './testing/anthropic-replies.ts';
import { reply as chatReply } from './testing/chat-replies.ts';
import { withoutCutCalls } from './testing/without-cut-calls.ts';
import { fold } from './testing/fold.ts';
import { geminiReply } from './testing/gemini-arbitraries.ts';
import { responsesReply } from './testing/responses-replies.ts';
import { readStream, writeStream } from './testing/streams.ts';

/** Everything a format can express, converted to every other: streamed and whole responses agree. */

const replies: Readonly<Record<DialectName, fc.Arbitrary<ChatEvent[]>>> = {
  'openai-chat': chatReply,
  'openai-responses': responsesReply,
  'anthropic-messages': anthropicReply,
  gemini: geminiReply,
};
const names = Object.keys(chatDialects) as DialectName[];
const pairs = names.flatMap((from) => names.map((to): [DialectName, DialectName] => [from, to]));

/** Arguments that are not JSON stay as they are in a stream, and are wrapped in an object in a whole response. */
const plain = (argumentsText: string): unknown => {
  if (argumentsText.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(argumentsText);
    if (typeof value !== 'object' || value === null) return argumentsText;
    if ('raw_arguments' in value) return value.raw_arguments;
    return 'arguments' in value && Object.keys(value).length === 1 ? value.arguments : value;
  } catch {
    return argumentsText;
  }
};
const said = (events: readonly ChatEvent[]) => {
  const { choices, ...reply } = fold(events);
  const answers = Object.values(choices).map((answer) => ({
    ...answer,
    calls: answer.calls.map((call) => ({ ...call, argumentsText: plain(call.argumentsText) })),
  }));
  return { ...reply, answers };
};
/** The parts of an answer that every format has; unordered, since not every format keeps the order of words. */
const kept = (answer: ReturnType<typeof said>['answers'][number] | undefined) => ({
  words: Array.from(`${answer?.text}${answer?.refusal}${answer?.audio?.transcript ?? ''}`)
    .toSorted()
    .join(''),
  reasoning: answer?.reasoning,
  calls: answer?.calls.map(({ name, argumentsText }) => ({ name, argumentsText })),
});
const through = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(pairs)('whatever an upstream of %s says to a caller of %s', (from, to) => {
  const upstream = chatDialects[from];
  const caller = chatDialects[to];

  test('is the same streamed and whole, and costs the same', async () => {
    await fc.assert(
      fc.asyncProperty(replies[from], async (events) => {
        // For Gemini, an end without text is an error if its reason has no equivalent.
        fc.pre(events.some(({ type }) => type.endsWith('delta')) || to !== 'gemini');
        const sent = await Array.fromAsync(writeStream(upstream, events));
        const given = writeStream(caller, readStream(upstream, sent));
        const streamed = said(await Array.fromAsync(readStream(caller, given)));
        const read = upstream.readWhole(through(upstream.writeWhole(events)));
        const whole = said(caller.readWhole(through(caller.writeWhole(read))));
        expect(streamed).toEqual(whole);
        const [first] = said(to === 'gemini' ? withoutCutCalls(events) : events).answers;
        // Formats without pictures have text instead.
        const isDrawn = first !== undefined && first.images.length > 0;
        expect(kept(isDrawn ? first : whole.answers[0])).toEqual(kept(first));
        const used = fold(events).usage;
        const sums = (usage: typeof used): unknown =>
          usage === undefined
            ? undefined
            : [promptTokens(usage), usage.cacheReadTokens, completionTokens(usage)];
        expect(sums(used === undefined ? used : whole.usage)).toEqual(sums(used));
      }),
      { numRuns: 40 },
    );
  });
});
