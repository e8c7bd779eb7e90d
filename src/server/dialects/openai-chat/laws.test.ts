import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { noUsage } from '#core/chat/usage.ts';
import { fold } from '../testing/fold.ts';
import type { Frame } from '../frame.ts';
import { readFrames, SseParser } from '../sse.ts';
import { request } from '../testing/chat-arbitraries.ts';
import { reply } from '../testing/chat-replies.ts';
import { openaiChat } from './openai-chat.ts';
import { inPieces, readStream, writeStream } from '../testing/streams.ts';

const stream = (events: readonly ChatEvent[]): Promise<Frame[]> =>
  Array.fromAsync(writeStream(openaiChat, events));

/** The events with the citations of each answer before its end, where they come in a stream. */
const citedLast = (events: readonly ChatEvent[]): ChatEvent[] =>
  events.flatMap((event) => {
    if (event.type === 'citation') return [];
    if (event.type !== 'finish') return [event];
    return [...events.filter((one) => one.type === 'citation' && one.choice === event.choice), event];
  });

describe('the laws of the OpenAI chat format', () => {
  test('a request that is written reads back as itself, also through JSON', () => {
    fc.assert(
      fc.property(request, (written) => {
        const wire: unknown = JSON.parse(JSON.stringify(openaiChat.writeRequest(written)));
        expect(openaiChat.readRequest(wire)).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });

  test('a written request passes the door', () => {
    fc.assert(
      fc.property(request, (written) => {
        const facts = openaiChat.facts(openaiChat.writeRequest(written));
        expect(facts).toMatchObject({
          model: written.model,
          stream: written.stream,
          choices: written.choices ?? 1,
        });
      }),
    );
  });

  test('a stream that is written reads back event by event', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (events) => {
        expect(await Array.fromAsync(readStream(openaiChat, await stream(events)))).toEqual(
          citedLast(events),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('a stream that is written reads the same from bytes cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(reply, fc.integer({ min: 1, max: 40 }), async (events, size) => {
        const bytes = Buffer.concat((await stream(events)).map((frame) => frame.raw));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
        );
        expect(await Array.fromAsync(readStream(openaiChat, readFrames(inPieces(chunks))))).toEqual(
          citedLast(events),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('a whole reply says what the folded stream says', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (events) => {
        const whole: unknown = JSON.parse(JSON.stringify(openaiChat.writeWhole(events)));
        expect(fold(openaiChat.readWhole(whole))).toEqual(fold(events));
        expect(fold(await Array.fromAsync(readStream(openaiChat, await stream(events))))).toEqual(
          fold(events),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('usage in is usage out, and the tap of either form agrees', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (events) => {
        const used = events.find((event) => event.type === 'usage')?.usage;
        const last = events.findLast((event) => event.type === 'finish')?.reason;
        // A tap reads the word alone: what was refused in words stopped.
        const finish = last === 'refusal' ? 'stop' : last;
        expect(openaiChat.tapWhole(openaiChat.writeWhole(events))).toMatchObject({
          ...(used !== undefined && { usage: used }),
          finish,
        });
        const parser = new SseParser();
        const bytes = Buffer.concat((await stream(events)).map((frame) => frame.raw));
        const taps = [...parser.feed(bytes), ...parser.end()].map((frame) => openaiChat.tap(frame));
        expect(taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(used);
        expect(taps.findLast((tapped) => tapped?.finish !== undefined)?.finish).toBe(finish);
        expect(taps.at(-1)).toEqual({ done: true });
      }),
      { numRuns: 200 },
    );
  });

  test('calls are numbered from 0 in a stream, whatever blocks stand between them', async () => {
    const frames = await stream([
      { type: 'tool-call-start', choice: 0, index: 1, id: 'a', name: 'f' },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '{' },
      { type: 'tool-call-start', choice: 0, index: 4, id: 'b', name: 'g' },
      { type: 'tool-call-delta', choice: 0, index: 4, argumentsText: '[' },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '}' },
    ]);
    const numbers = frames.flatMap(
      (frame) => /"tool_calls":\[\{"index":(\d+)/.exec(frame.data.toString())?.[1] ?? [],
    );
    expect(numbers).toEqual(['0', '0', '1', '1', '0']);
  });

  test('two reports of usage are not added up: the last one counts', async () => {
    const frames = [3, 8].map((completion) =>
      openaiChat.writeWhole([
        { type: 'usage', usage: { ...noUsage, inputTokens: 5, outputTokens: completion } },
      ]),
    );
    const events = frames.flatMap((body) => openaiChat.readWhole(body));
    expect(fold(events).usage?.outputTokens).toBe(8);
  });
});
