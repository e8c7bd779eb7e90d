import { expect, test } from 'vitest';
import { countsAgainstChannel } from '#core/channel/health/blame.ts';
import { isWorthAnother } from '#core/channel/health/retry.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { AnswerRoom } from '../answer/answer-room.ts';
import { wholeAnswer } from '../answer/answer.ts';
import { streamAnswer } from '../answer/stream-answer.ts';
import { maskingOf } from '../answer/mask.ts';
import { Rewriter } from '../answer/rewriter.ts';
import { SseParser } from '../../dialects/sse.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import { withFailuresAsErrors } from './format.ts';

const malformed = JSON.stringify({
  candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }],
  usageMetadata: { promptTokenCount: 7 },
});
const replyOf = (text: string): OutboundReply => ({
  status: 200,
  headers: {},
  body: {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
    discard: () => undefined,
  },
});
const { gemini } = chatDialects;
const roomFor = () => new AnswerRoom().open({ userId: 1, ip: '127.0.0.1' });
const NO_SECRET = new Secrets([]);
const failed = async (answer: Promise<unknown>): Promise<AppError | undefined> => {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof AppError ? thrown : undefined;
};

test('an end reason that callers of other formats do not know fails the attempt, and another channel is tried', async () => {
  const heard = withFailuresAsErrors(gemini);
  for (const answer of [
    streamAnswer(replyOf(`data: ${malformed}\n\n`), heard, NO_SECRET, { room: roomFor() }),
    wholeAnswer(replyOf(malformed), heard, NO_SECRET, { room: roomFor() }),
  ]) {
    const error = await failed(answer);
    expect(error?.code).toBe('upstream_failed');
    expect(error?.message).toContain('MALFORMED_FUNCTION_CALL');
    expect(error !== undefined && isWorthAnother(error, { canRepeat: false })).toBe(true);
    // The model failed on one prompt: that does not count against the channel.
    expect(error !== undefined && countsAgainstChannel(error)).toBe(false);
  }
});

test.each([
  ['words', '{"text":"Hel"}', '"finish_reason":"stop"'],
  ['thoughts', '{"text":"Hel","thought":true}', 'ended without an answer (OTHER)'],
])('an end that no other format knows, in an event after %s', async (_, part, end) => {
  const frames = [`"content":{"parts":[${part}]}`, '"finishReason":"OTHER"'].map(
    (candidate) => `data: {"candidates":[{${candidate}}]}\n\n`,
  );
  const heard = withFailuresAsErrors(gemini);
  const { first } = await streamAnswer(replyOf(frames.join('')), heard, NO_SECRET, { room: roomFor() });
  expect(first).toHaveLength(2);
  const written: Buffer[] = [];
  const reply = { write: (bytes: Buffer) => written.push(bytes) > 0 };
  const format = { ...gemini, tap: heard.tap };
  const call = answeredCall(heldCall(chatDialects['openai-chat'], reply), format, 'sk-secret-0123456789');
  const rewriter = new Rewriter(call, maskingOf(call.secrets));
  const told = await failed(
    (async () => {
      for (const frame of frames) rewriter.takeFrames(new SseParser().feed(Buffer.from(frame)));
      rewriter.end();
    })(),
  );
  rewriter.flush();
  const said = Buffer.concat([...written, call.live.outlet.takeEnd() ?? Buffer.alloc(0)]).toString();
  expect(said).toContain('"Hel"');
  expect(told?.message ?? said).toContain(end);
});

test('callers of that format get it unchanged', async () => {
  const answers = [
    await streamAnswer(replyOf(`data: ${malformed}\n\n`), gemini, NO_SECRET, { room: roomFor() }),
    await wholeAnswer(replyOf(malformed), gemini, NO_SECRET, { room: roomFor() }),
  ];
  expect(answers.map(({ kind }) => kind)).toEqual(['stream', 'whole']);
});
