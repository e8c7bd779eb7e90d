import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { fold } from '../testing/fold.ts';
import type { Frame } from '../frame.ts';
import { readFrames, SseParser } from '../sse.ts';
import { reply as chatReply } from '../testing/chat-replies.ts';
import { responsesRequest } from '../testing/responses-arbitraries.ts';
import { responsesReply } from '../testing/responses-replies.ts';
import { openaiResponses } from './openai-responses.ts';
import { inPieces, readStream, writeStream } from '../testing/streams.ts';

const stream = (events: readonly ChatEvent[]): Promise<Frame[]> =>
  Array.fromAsync(writeStream(openaiResponses, events));
const read = (frames: readonly Frame[]): Promise<ChatEvent[]> =>
  Array.fromAsync(readStream(openaiResponses, frames));
const through = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

interface Body {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: { readonly id?: string };
}

/** What the first answer says, in writing or aloud. */
const wordsIn = (events: readonly ChatEvent[]): string =>
  events
    .map((event) => {
      if (event.type === 'text-delta' && event.choice === 0) return event.text;
      return event.type === 'audio-delta' && event.choice === 0 ? (event.transcript ?? '') : '';
    })
    .join('');

describe('the laws of the Responses format', () => {
  test('a request that is written reads back as itself, also through JSON', () => {
    fc.assert(
      fc.property(responsesRequest, (written) => {
        expect(openaiResponses.readRequest(through(openaiResponses.writeRequest(written)))).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });

  test('a written request passes the door', () => {
    fc.assert(
      fc.property(responsesRequest, (written) => {
        expect(openaiResponses.facts(openaiResponses.writeRequest(written))).toMatchObject({
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
      fc.asyncProperty(responsesReply, async (events) => {
        expect(await read(await stream(events))).toEqual(events);
      }),
      { numRuns: 300 },
    );
  });

  test('a stream reads the same from bytes cut anywhere, whatever its line ends, with comments, without an end', async () => {
    await fc.assert(
      fc.asyncProperty(
        responsesReply,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (events, size, lineEnd) => {
          const text = (await stream(events)).map((frame) => `: hello\n${frame.raw.toString()}`).join('');
          const bytes = Buffer.from(text.replace(/\n+$/, '\n').replaceAll('\n', lineEnd));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
          );
          expect(await Array.fromAsync(readStream(openaiResponses, readFrames(inPieces(chunks))))).toEqual(
            events,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a whole reply says what the folded stream says, and so does the last event of the stream', async () => {
    await fc.assert(
      fc.asyncProperty(responsesReply, async (events) => {
        const whole = through(openaiResponses.writeWhole(events));
        expect(fold(openaiResponses.readWhole(whole))).toEqual(fold(events));
        const last = JSON.parse(String((await stream(events)).at(-1)?.data)) as Record<string, unknown>;
        expect(last['response']).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('usage in is usage out, and the tap of either form agrees', async () => {
    await fc.assert(
      fc.asyncProperty(responsesReply, async (events) => {
        const used = events.find((event) => event.type === 'usage')?.usage;
        const finish = events.findLast((event) => event.type === 'finish')?.reason;
        const whole = openaiResponses.tapWhole(openaiResponses.writeWhole(events));
        expect([whole.usage, whole.finish, whole.error]).toEqual([used, finish, undefined]);
        const parser = new SseParser();
        const bytes = Buffer.concat((await stream(events)).map((frame) => frame.raw));
        const taps = [...parser.feed(bytes), ...parser.end()].map((frame) => openaiResponses.tap(frame));
        const last = taps.at(-1);
        expect([last?.usage, last?.finish, last?.done]).toEqual([used, finish, true]);
        const said = taps.reduce((sum, tapped) => sum + (tapped?.outputBytes ?? 0), 0);
        expect(said).toBe(whole.outputBytes ?? 0);
        expect(taps.some((tapped) => tapped?.content === true)).toBe(whole.content ?? false);
      }),
      { numRuns: 200 },
    );
  });

  test('every event has the next number, a name, and a place that was announced', async () => {
    await fc.assert(
      fc.asyncProperty(responsesReply, async (events) => {
        const ids: unknown[] = [];
        for (const [number, frame] of (await stream(events)).entries()) {
          const body = JSON.parse(frame.data.toString()) as Body;
          expect([body.sequence_number, body.type]).toEqual([number, frame.event]);
          const isNew = frame.event === 'response.output_item.added';
          const place = body.output_index ?? 0;
          expect(isNew ? place : ids.length).toBe(ids.length);
          if (isNew) ids.push(body.item?.id);
          expect(body.item_id ?? ids[place]).toBe(ids[place]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('the first answer of a reply of another format is carried whole', async () => {
    await fc.assert(
      fc.asyncProperty(chatReply, async (events) => {
        const before = fold(events).choices[0];
        const after = fold(await read(await stream(events))).choices[0];
        // What another format's upstream sealed comes back marked, so that it is not taken for this format's own.
        const {
          seals: _,
          finish,
          stopSequence: _stop,
          images: _images,
          text: _text,
          audio,
          ...kept
        } = before as NonNullable<typeof before>;
        const isCut = finish === 'length' || finish === 'content-filter';
        const calls = kept.calls.map(({ argumentsText, ...call }) => ({
          ...call,
          argumentsText: argumentsText === '' && !isCut ? '{}' : argumentsText,
        }));
        expect(after).toMatchObject({ ...kept, calls });
        // The format has no place for the words of sound: they become text, in their order.
        expect(after?.text.startsWith(wordsIn(events))).toBe(true);
        expect([after?.audio?.data ?? '', after?.audio?.transcript ?? '']).toEqual([audio?.data ?? '', '']);
        expect(isCut ? after?.finish : finish).toBe(finish);
      }),
      { numRuns: 200 },
    );
  });
});
