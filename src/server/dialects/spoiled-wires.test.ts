import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import type { Frame } from './frame.ts';
import { writeFrame } from './sse.ts';
import { anthropicRequest } from './testing/anthropic-arbitraries.ts';
import { anthropicReply } from './testing/anthropic-replies.ts';
import { request as chatRequest } from './testing/chat-arbitraries.ts';
import { reply as chatReply } from './testing/chat-replies.ts';
import { geminiReply, geminiRequest } from './testing/gemini-arbitraries.ts';
import { responsesRequest } from './testing/responses-arbitraries.ts';
import { responsesReply } from './testing/responses-replies.ts';

/** Wire data may be damaged anywhere: it is read as far as possible or refused, without unexpected exceptions. */

const replies: Readonly<Record<DialectName, fc.Arbitrary<ChatEvent[]>>> = {
  'openai-chat': chatReply,
  'openai-responses': responsesReply,
  'anthropic-messages': anthropicReply,
  gemini: geminiReply,
};
const requests: Readonly<Record<DialectName, fc.Arbitrary<ChatRequest>>> = {
  'openai-chat': chatRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': anthropicRequest,
  gemini: geminiRequest,
};
const names = Object.keys(chatDialects) as DialectName[];

const JUNK: readonly unknown[] = [
  null,
  [],
  {},
  '',
  0,
  -1,
  1e21,
  'x',
  true,
  [null],
  [[]],
  { a: {} },
  '\ud83d',
];

/** The value with random parts removed or replaced; the same for the same seed. */
const spoiled = (value: unknown, seed: number): unknown => {
  let state = seed;
  const dice = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
  const spoil = (part: unknown): unknown => {
    if (dice() < 0.06) return JUNK[Math.floor(dice() * JUNK.length)];
    if (Array.isArray(part)) return part.map(spoil);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).flatMap(([key, inner]) => (dice() < 0.03 ? [] : [[key, spoil(inner)]])),
    );
  };
  return spoil(value);
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const spoiledFrame = (frame: Frame, seed: number): Frame => {
  const text = frame.data.toString();
  return text === '[DONE]' ? frame : writeFrame(JSON.stringify(spoiled(JSON.parse(text), seed)), frame.event);
};

const sayAgain = (events: readonly ChatEvent[]): void => {
  for (const name of names) {
    const writer = chatDialects[name].openWriter();
    for (const event of events) writer.write(event);
    writer.end();
    chatDialects[name].writeWhole(events);
  }
};

describe.each(names)('%s', (name) => {
  const dialect = chatDialects[name];

  test('a corrupted reply is read, metered and passed on to callers of every format', () => {
    const law = (): void =>
      fc.assert(
        fc.property(replies[name], fc.nat(), (events, seed) => {
          const writer = dialect.openWriter();
          const frames = [...events.flatMap((event) => writer.write(event)), ...writer.end()];
          const reader = dialect.openReader();
          const heard = frames.flatMap((frame, at) => {
            const broken = spoiledFrame(frame, seed + at);
            dialect.tap(broken);
            return reader.read(broken);
          });
          sayAgain([...heard, ...reader.end()]);
          const whole = spoiled(plain(dialect.writeWhole(events)), seed);
          dialect.tapWhole(whole);
          sayAgain(dialect.readWhole(whole));
        }),
        { numRuns: 60 },
      );
    expect(law).not.toThrow();
  });

  test('a corrupted request is read or refused, and passed on or refused for upstreams of every format', () => {
    const isRefused = (run: () => unknown): boolean => {
      try {
        run();
        return false;
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === 'invalid_request') return true;
        throw thrown;
      }
    };
    const law = (): void =>
      fc.assert(
        fc.property(requests[name], fc.nat(), (asked, seed) => {
          const body = spoiled(plain(dialect.writeRequest(asked)), seed);
          const fields = { ...(typeof body === 'object' ? body : {}), model: 'm', stream: false };
          if (isRefused(() => dialect.facts(fields)) || isRefused(() => dialect.readRequest(fields))) return;
          const read = dialect.readRequest(fields);
          for (const target of names) isRefused(() => chatDialects[target].writeRequest(read));
        }),
        { numRuns: 100 },
      );
    expect(law).not.toThrow();
  });
});

test('a time outside the range of dates is ignored', () => {
  const [start] = chatDialects['openai-chat'].readWhole({ id: 'r', model: 'm', created: 1e21, choices: [] });
  expect(start).toEqual({ type: 'start', id: 'r', model: 'm' });
});
