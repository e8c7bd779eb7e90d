import { expect, test } from 'vitest';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { AnswerRoom } from './answer-room.ts';
import { streamAnswer } from './stream-answer.ts';

const TEXT = 'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n';

const begun = (text: string) => {
  const reply: OutboundReply = {
    status: 200,
    headers: {},
    body: {
      async *[Symbol.asyncIterator]() {
        for (const piece of text.match(/[^]{1,1000}/g) ?? []) yield Buffer.from(piece);
      },
      discard: () => undefined,
    },
  };
  return streamAnswer(reply, chatDialects['openai-chat'], new Secrets([]), {
    room: new AnswerRoom().open({ userId: 1, ip: '127.0.0.1' }),
  });
};

test('comments may come before the first event', async () => {
  expect((await begun(`${': wait\n\n'.repeat(1500)}${TEXT}`)).kind).toBe('stream');
});

test.each([
  ['comments', ': wait\n\n'],
  ['events that say nothing', 'data: {"a":1}\n\n'],
])('a flood of %s before any answer is a failed attempt', async (_, frame) => {
  await expect(begun(`${frame.repeat(5000)}${TEXT}`)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('a lot and no answer'),
  });
});

const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n';
const END = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

test.each([
  [
    'usage',
    'data: {"choices":[],"usage":{"prompt_tokens":9999,"completion_tokens":9999,"total_tokens":19998}}\n\n',
  ],
  ['words', TEXT],
  ['an error', 'data: {"error":{"message":"too late","code":500}}\n\n'],
])('%s after the end mark of a stream counts for nothing, also in the same piece', async (_, late) => {
  const stream = await begun(`${TEXT}${END}${USAGE}data: [DONE]\n\n${late}`);
  if (stream.kind !== 'stream') throw new Error('no stream');
  expect(stream.meter.reported).toMatchObject({ inputTokens: 9, outputTokens: 2 });
  expect(stream.meter.outputBytes).toBe(1);
});
