import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import { gemini } from './gemini/gemini.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { SseParser } from './sse.ts';

/** An error in the middle of an answer, as programs have to see it to ask again. */

const broken = new AppError('upstream_failed', 'the upstream broke off in the middle of its answer');
const eventsIn = (bytes: Buffer): string[] =>
  new SseParser(100_000)
    .feed(bytes)
    .map(({ data }) => data.toString())
    .filter((data) => data !== '');

test('OpenAI: of the type that its own failures have in streams', () => {
  const [event = '', end] = eventsIn(openaiChat.writeStreamError(broken, 'r1'));
  expect(JSON.parse(event)).toEqual({
    error: {
      message: `${broken.message} (request id: r1)`,
      type: 'server_error',
      param: null,
      code: 'upstream_failed',
    },
  });
  expect(end).toBe('[DONE]');
});

test("OpenAI: a caller's mistake is still one", () => {
  const [event = ''] = eventsIn(openaiChat.writeStreamError(new AppError('invalid_request', 'wrong'), 'r1'));
  expect(JSON.parse(event)).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test('Gemini: readers of events see it once, those of `@google/genai` as what is left and is no event', () => {
  const bytes = gemini.writeStreamError(broken, 'r1');
  const events = eventsIn(bytes);
  expect(events).toHaveLength(1);
  expect(JSON.parse(events[0] ?? '')).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } });
  // As js-genai goes through a stream.
  const event = /^\s*data: (.*)(?:\n\n|\r\r|\r\n\r\n)/;
  let rest = bytes.toString();
  for (let match = event.exec(rest); match !== null; match = event.exec(rest))
    rest = rest.slice(match[0].length);
  expect(JSON.parse(rest)).toEqual(JSON.parse(events[0] ?? ''));
});

test.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
  '%s: a converted stream ends with an error as one that is passed on',
  (name) => {
    const writer = chatDialects[name].openWriter();
    writer.write({ type: 'start', id: 'a', model: 'm' });
    writer.write({ type: 'text-delta', choice: 0, text: 'half' });
    const frames = [...writer.write({ type: 'error', error: broken, requestId: 'r1' }), ...writer.end()];
    const bytes = Buffer.concat(frames.map(({ raw }) => raw));
    expect(bytes.toString()).toBe(chatDialects[name].writeStreamError(broken, 'r1').toString());
  },
);
