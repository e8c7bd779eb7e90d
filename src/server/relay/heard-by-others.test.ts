import { expect, test } from 'vitest';
import { countsAgainstChannel } from '#core/channel/health.ts';
import { isWorthAnother } from '#core/channel/retry.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { Secrets } from '#core/secrets.ts';
import { streamAnswer, wholeAnswer } from './answer.ts';
import { heardByOthers } from './heard-by-others.ts';

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
const NO_SECRET = new Secrets([]);
const failed = async (answer: Promise<unknown>): Promise<AppError | undefined> => {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof AppError ? thrown : undefined;
};

test('an answer that only its own format has a word for is a failed attempt to callers of others, worth another channel', async () => {
  const heard = heardByOthers(gemini);
  for (const answer of [
    streamAnswer(replyOf(`data: ${malformed}\n\n`), heard, NO_SECRET),
    wholeAnswer(replyOf(malformed), heard, NO_SECRET),
  ]) {
    const error = await failed(answer);
    expect(error?.code).toBe('upstream_failed');
    expect(error?.message).toContain('MALFORMED_FUNCTION_CALL');
    expect(error !== undefined && isWorthAnother(error, { canRepeat: false })).toBe(true);
    // The model lost its way in one prompt: the channel is as good as before.
    expect(error !== undefined && countsAgainstChannel(error)).toBe(false);
  }
});

test('callers of that format have it as it came', async () => {
  const answers = [
    await streamAnswer(replyOf(`data: ${malformed}\n\n`), gemini, NO_SECRET),
    await wholeAnswer(replyOf(malformed), gemini, NO_SECRET),
  ];
  expect(answers.map(({ kind }) => kind)).toEqual(['stream', 'whole']);
});
