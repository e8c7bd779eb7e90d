import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { noUsage } from '#core/chat/usage.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { Frame } from '../frame.ts';
import { readFrames, SseParser } from '../sse.ts';
import { anthropicRequest } from '../testing/anthropic-arbitraries.ts';
import { anthropicReply } from '../testing/anthropic-replies.ts';
import { fold } from '../testing/fold.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { inPieces, readStream, writeStream } from '../testing/streams.ts';

const stream = (events: readonly ChatEvent[]): Promise<Frame[]> =>
  Array.fromAsync(writeStream(anthropicMessages, events));
const bytesOf = async (events: readonly ChatEvent[]): Promise<string> =>
  Buffer.concat((await stream(events)).map((frame) => frame.raw)).toString();
const readText = (sse: string, size = sse.length): Promise<ChatEvent[]> => {
  const bytes = Buffer.from(sse);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
  );
  return Array.fromAsync(readStream(anthropicMessages, readFrames(inPieces(chunks))));
};

describe('the laws of the Messages format', () => {
  test('a request that is written reads back as itself, also through JSON', () => {
    fc.assert(
      fc.property(anthropicRequest, (written) => {
        const wire: unknown = JSON.parse(JSON.stringify(anthropicMessages.writeRequest(written)));
        expect(anthropicMessages.readRequest(wire)).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });

  test('a written request passes the door', () => {
    fc.assert(
      fc.property(anthropicRequest, (written) => {
        const facts = anthropicMessages.facts(anthropicMessages.writeRequest(written));
        expect(facts).toMatchObject({
          model: written.model,
          stream: written.stream,
          maxOutputTokens: written.maxOutputTokens,
          choices: 1,
        });
      }),
    );
  });

  test('a stream that is written reads back event by event', async () => {
    await fc.assert(
      fc.asyncProperty(anthropicReply, async (events) => {
        expect(await Array.fromAsync(readStream(anthropicMessages, await stream(events)))).toEqual(events);
      }),
      { numRuns: 300 },
    );
  });

  test('where a stream is cut, how its lines end and what comments stand in it changes nothing', async () => {
    const between: readonly ((sse: string) => string)[] = [
      (sse) => sse,
      (sse) => sse.replaceAll('\n', '\r\n'),
      (sse) => sse.replaceAll('\n', '\r'),
      (sse) => sse.replaceAll('event: ', ': ping\nevent: '),
      (sse) => `: first\n\n${sse}`,
      (sse) => sse.replace(/\n+$/, ''),
      (sse) => sse.replace(/\n+$/, '\n'),
      (sse) => sse.replaceAll(/event: .*\n/g, ''),
      (sse) => sse.replaceAll('data: ', 'data:'),
    ];
    await fc.assert(
      fc.asyncProperty(
        anthropicReply,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...between),
        async (events, size, change) => {
          expect(await readText(change(await bytesOf(events)), size)).toEqual(events);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a whole reply says what the folded stream says', async () => {
    await fc.assert(
      fc.asyncProperty(anthropicReply, async (events) => {
        const whole: unknown = JSON.parse(JSON.stringify(anthropicMessages.writeWhole(events)));
        expect(fold(anthropicMessages.readWhole(whole))).toEqual(fold(events));
        expect(fold(await readText(await bytesOf(events)))).toEqual(fold(events));
      }),
      { numRuns: 300 },
    );
  });

  test('usage in is usage out, and the tap of either form agrees', async () => {
    await fc.assert(
      fc.asyncProperty(anthropicReply, async (events) => {
        const used = events.find((event) => event.type === 'usage')?.usage;
        const finish = events.findLast((event) => event.type === 'finish')?.reason;
        expect(anthropicMessages.tapWhole(anthropicMessages.writeWhole(events))).toMatchObject({
          ...(used !== undefined && { usage: used }),
          finish,
        });
        const parser = new SseParser();
        const taps = [...parser.feed(Buffer.from(await bytesOf(events))), ...parser.end()].map((frame) =>
          anthropicMessages.tap(frame),
        );
        expect(taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(used);
        expect(taps.findLast((tapped) => tapped?.finish !== undefined)?.finish).toBe(finish);
        expect(taps.at(-1)).toEqual({ done: true });
      }),
      { numRuns: 200 },
    );
  });

  test('no event of the stream stands outside its message, and every block that opens closes', async () => {
    await fc.assert(
      fc.asyncProperty(anthropicReply, async (events) => {
        const frames = await stream(events);
        const names = frames.map(({ event }) => event);
        expect(names[0]).toBe('message_start');
        expect(names.slice(-2)).toEqual(['message_delta', 'message_stop']);
        const blocks = frames.slice(1, -2).map(({ event, data }) => {
          const { index, type } = JSON.parse(data.toString()) as { index: number; type: string };
          expect(type).toBe(event);
          return { index, type: type.replace('content_block_', '')[0] ?? '' };
        });
        const inOrder = Array.from({ length: (blocks.at(-1)?.index ?? -1) + 1 }, (_, index) =>
          blocks.filter((block) => block.index === index),
        );
        expect(inOrder.flat()).toEqual(blocks);
        // The first letters tell starts, deltas and stops apart.
        for (const block of inOrder) expect(block.map(({ type }) => type).join('')).toMatch(/^sd*s$/);
      }),
    );
  });

  test('what official clients keep of the start does not contradict what the end says was written to the cache', async () => {
    const usage = { ...noUsage, inputTokens: 3, cacheWrite5mTokens: 2, outputTokens: 1 };
    const [start, end] = (await stream([{ type: 'usage', usage }]))
      .filter(({ event }) => event === 'message_start' || event === 'message_delta')
      .map(({ data }) => fieldsOf(JSON.parse(data.toString())));
    // They take the sums from the end, and the ages from the start alone.
    expect(fieldsOf(end?.['usage'])).toMatchObject({ input_tokens: 3, cache_creation_input_tokens: 2 });
    expect(fieldsOf(fieldsOf(start?.['message'])['usage'])).toMatchObject({ cache_creation: null });
  });
});
