import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { EventOutline, outlinedField } from './event-outline.ts';
import type { Frame } from './frame.ts';
import { MAX_EVENT_BYTES, SseParser } from './sse.ts';

/** Events with a picture, too large to parse. */

const PICTURE = 'iVBORw0KGgo'.repeat(MAX_EVENT_BYTES / 11 + 1);
const EVENTS: Partial<Readonly<Record<DialectName, (picture: string) => string>>> = {
  'openai-responses': (result) =>
    `event: response.completed\ndata: ${JSON.stringify({
      type: 'response.completed',
      response: {
        id: 'resp_1',
        status: 'completed',
        output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result }],
        tool_usage: { image_gen: { input_tokens: 5, output_tokens: 1056, total_tokens: 1061 } },
        usage: {
          input_tokens: 20,
          output_tokens: 30,
          total_tokens: 50,
          output_tokens_details: { reasoning_tokens: 7 },
        },
        metadata: { note: '"usage":{"input_tokens":9}' },
      },
    })}\n\n`,
  gemini: (data) =>
    `data: ${JSON.stringify({
      candidates: [
        {
          content: { parts: [{ inlineData: { mimeType: 'image/png', data } }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 8,
        candidatesTokenCount: 1290,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      },
    })}\n\n`,
  'openai-chat': (picture) =>
    `data: ${JSON.stringify({
      id: 'c',
      choices: [
        {
          index: 0,
          delta: { images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }] },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 8, completion_tokens: 1290, total_tokens: 1298 },
    })}\n\n`,
};
const framesOf = (text: string, size: number): Frame[] => {
  const parser = new SseParser();
  const bytes = Buffer.from(text);
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...parser.feed(bytes.subarray(at, at + size)));
  return [...frames, ...parser.end()];
};

describe.each(Object.entries(EVENTS))('%s', (name, eventOf) => {
  const { tap } = chatDialects[name as DialectName];

  test.each([65_536, 1_000_003, 100_000_000])(
    'usage and end of an event too large to be read are told, in chunks of %i bytes',
    (size) => {
      const small = framesOf(eventOf('iVBO'), size)
        .map(tap)
        .find((told) => told?.usage !== undefined);
      const frames = framesOf(eventOf(PICTURE), size);
      expect(frames.every(({ oversized }) => oversized === true)).toBe(true);
      const told = frames.map(tap);
      const large = told.find((tapped) => tapped?.usage !== undefined);
      expect(large?.usage).toEqual(small?.usage);
      expect(large?.finish).toBe(small?.finish);
      expect(large?.pictures?.usage).toEqual(small?.pictures?.usage);
      // Bytes that are not text do not count as text.
      expect(told.every((tapped) => (tapped?.outputBytes ?? 0) === 0)).toBe(true);
      expect(Buffer.concat(frames.map(({ raw }) => raw)).toString()).toBe(eventOf(PICTURE));
    },
  );

  test('one that breaks off in its middle has no end', () => {
    const told = framesOf(eventOf(PICTURE.repeat(2)).slice(0, MAX_EVENT_BYTES * 1.5), 65_536).map(tap);
    expect(told.every((tapped) => tapped?.finish === undefined && tapped?.done === undefined)).toBe(true);
  });
});

test('a field is found whatever its value and wherever its bytes are cut', () => {
  const noise = fc.record({ b: fc.jsonValue({ maxDepth: 2 }), c: fc.string() });
  fc.assert(
    fc.property(fc.jsonValue(), noise, fc.integer({ min: 1, max: 50 }), (usage, beside, size) => {
      fc.pre(usage !== null);
      const bytes = Buffer.from(JSON.stringify({ z: '"usage":1', usage, beside: JSON.stringify(beside) }));
      const outline = new EventOutline();
      for (let at = 0; at < bytes.length; at += size) outline.add(bytes.subarray(at, at + size));
      expect(outlinedField(outline.end(), 'usage')).toEqual(JSON.parse(JSON.stringify(usage)));
    }),
    { numRuns: 300 },
  );
});
