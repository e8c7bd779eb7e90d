import { expect, it } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import type { FarAnswers, FarDesk } from '../far/far-wire.ts';
import { heldCall } from '../testing/answered-call.ts';
import { createCountTokens } from './count-tokens.ts';

const { caller, routing } = heldCall(openaiChat);
const channel = { ...channelOf(1), models: ['m'], groups: ['default'] };

/** Counts a prompt of so many characters, and how many questions went to another thread for it. */
const counted = async (characters: number) => {
  let [asked, left] = [0, 0];
  const desk: FarDesk = {
    ask: async <Kind extends keyof FarAnswers>() => {
      asked += 1;
      return { model: 'm', tokens: 77 } as FarAnswers[Kind];
    },
    leave: () => void (left += 1),
  };
  const count = createCountTokens(
    {
      dialects: chatDialects,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      routing: () => ({
        ...routing,
        channels: new Map([[channel.id, channel]]),
        byModel: new Map([['m', [channel.id]]]),
      }),
      farThreads: {
        open: () => desk,
        hear: () => Promise.resolve(undefined),
        close: () => Promise.resolve(),
      },
    },
    () => caller,
  );
  const body = {
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'word '.repeat(characters / 5) }],
  };
  const { status, body: answer } = await count({
    dialect: 'anthropic-messages',
    headers: {},
    queryKey: undefined,
    pathModel: undefined,
    requestId: 'r',
    ip: '192.0.2.1',
    readBody: () => Promise.resolve(Buffer.from(JSON.stringify(body))),
  });
  return { status, answer, asked, left };
};

it('a prompt of usual length is counted here, one that would keep others waiting in another thread', async () => {
  expect(await counted(100)).toMatchObject({ status: 200, asked: 0 });
  expect(await counted(600_000)).toEqual({ status: 200, answer: { input_tokens: 77 }, asked: 1, left: 1 });
});
