import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import { SseParser } from '../dialects/sse.ts';
import { anthropicReply } from '../dialects/testing/anthropic-replies.ts';
import { reply as chatReply } from '../dialects/testing/chat-replies.ts';
import { responsesReply } from '../dialects/testing/responses-replies.ts';
import { type SeenFrame, maskingOf, maskAndTap } from '../relay/answer/mask.ts';
import { type EventCall, tappedFar } from '../relay/far/far-events.ts';
import { createFarThreads } from './far-threads.ts';

const SECRET = 'sk-secret-0123456789';
const threads = createFarThreads();
afterAll(() => threads.close());

const OPENAI = 1;
const ANTHROPIC = 14;
const GEMINI = 24;
const SPACES = ' '.repeat(520 * 1024);

const callOf = (wire: Dialect, type: number): EventCall => ({
  call: { operation: 'chat', dialect: wire.name },
  wire,
  format: wire,
  channel: channelOf(type, { key: new Secret(SECRET) }),
  upstreamModel: 'm',
  secrets: new Secrets([SECRET]),
});

const plain = ({ frame, tapped }: SeenFrame): unknown => ({
  raw: frame.raw.toString('latin1'),
  data: frame.data.toString('latin1'),
  event: frame.event,
  unterminated: frame.unterminated,
  tapped: Object.fromEntries(
    Object.entries(tapped ?? { nothing: true }).map(([name, value]) => [
      name,
      value instanceof AppError ? [value.code, value.message, value.upstream, value.reason] : value,
    ]),
  ),
});

/** The events of a reply in a format, some with a key in them, each as large as one with a picture. */
const framesOf = (dialect: Dialect, events: readonly ChatEvent[]): Frame[] => {
  const writer = dialect.openWriter();
  const written = [...events.flatMap((event) => [...writer.write(event)]), ...writer.end()];
  const text = written
    .map(({ raw }) => raw.toString().replace('{', `{${SPACES}`).replace('"m"', `"${SECRET}"`))
    .join('');
  const parser = new SseParser();
  return [...parser.feed(Buffer.from(text)), ...parser.end()];
};

const failure: ChatEvent = {
  type: 'error',
  error: new AppError('upstream_failed', 'the model is overloaded', {
    upstream: { status: 529, type: 'overloaded_error', message: 'the model is overloaded' },
  }),
};
const formats = [
  [chatDialects['openai-chat'], OPENAI, chatReply],
  [chatDialects['openai-responses'], OPENAI, responsesReply],
  [chatDialects['anthropic-messages'], ANTHROPIC, anthropicReply],
  [chatDialects.gemini, GEMINI, chatReply],
] as const;

test.each(formats)(
  'a large event read in another thread yields the same, with its key masked: $name',
  async (wire, type, reply) => {
    const call = callOf(wire, type);
    await fc.assert(
      fc.asyncProperty(reply, fc.boolean(), async (events, fails) => {
        const said = fails ? [...events.slice(0, 2), failure] : events;
        const frames = framesOf(wire, said);
        const far = await tappedFar(threads, call, frames);
        // The bare body behind a Gemini error is no event.
        const large = frames.filter(({ raw, data }) => raw.length > SPACES.length && data.length > 0);
        expect(far?.size).toBe(large.length);
        const seen = large.map((frame) => far?.get(frame)).filter((one) => one !== undefined);
        // Compared second, because this masks the frames in place.
        expect(seen.map(plain)).toEqual(
          large.map((frame) => plain(maskAndTap(frame, wire, maskingOf(call.secrets)))),
        );
        expect(seen.some(({ frame }) => frame.raw.includes(SECRET))).toBe(false);
      }),
      { numRuns: 15 },
    );
  },
);

test('small events are read on this thread, and so are large ones if no other thread is left', async () => {
  const [wire, type] = formats[0];
  const [frame] = framesOf(wire, [{ type: 'text-delta', choice: 0, text: 'hi' }]);
  const [small] = new SseParser().feed(Buffer.from('data: {"choices":[]}\n\n'));
  if (frame === undefined || small === undefined) throw new Error('no frame');
  expect(tappedFar(threads, callOf(wire, type), [small])).toBeUndefined();
  const closed = createFarThreads();
  await closed.close();
  expect((await tappedFar(closed, callOf(wire, type), [frame]))?.size).toBe(0);
});

test('a large prompt is searched for the words listed now, and for none once the list is empty', async () => {
  const found = async (list: string): Promise<string | undefined> => {
    const desk = threads.open(1, '192.0.2.1');
    const { word } = await desk.ask({
      kind: 'read',
      call: {
        operation: 'chat',
        dialect: 'openai-chat',
        playground: false,
        pathModel: undefined,
        pathStream: undefined,
        headers: {},
      },
      bytes: new TextEncoder().encode('{"model":"m","messages":[{"role":"user","content":"one and two"}]}'),
      words: {
        CheckSensitiveEnabled: true,
        CheckSensitiveOnPromptEnabled: true,
        StopOnSensitiveEnabled: true,
        SensitiveWords: list,
      },
    });
    desk.leave();
    return word;
  };
  const words: (string | undefined)[] = [];
  for (const list of ['one', 'one', '', 'two', '', 'two']) words.push(await found(list));
  expect(words).toEqual(['one', 'one', undefined, 'two', undefined, 'two']);
});
