import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { systemClock as clock } from '../../../system.ts';
import { createModelLists } from './upstreams.ts';

const replyOf = (status: number, body: object): OutboundReply => ({
  status,
  headers: {},
  body: {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(JSON.stringify(body));
    },
    discard: () => undefined,
  },
});

/** Lists models under tokens, of which the first few were withdrawn. */
const listedWith = async (
  withdrawn: number,
): Promise<{ readonly asked: string[]; readonly told: string }> => {
  const asked: string[] = [];
  let tokens = 1;
  const { listModels } = createModelLists({
    clock,
    checkUrl: () => undefined,
    sender: {
      send: async ({ headers: { authorization = '' } }) => {
        asked.push(authorization);
        const isGood = Number(authorization) > withdrawn;
        return isGood ? replyOf(200, { data: [{ id: 'm-1' }] }) : replyOf(401, {});
      },
    },
    upstreamOf: () => ({
      offers: { models: {} },
      address: () => ({ url: 'https://upstream.example/models', headers: {} }),
      authorize: (request) => ({ ...request, headers: { authorization: String(tokens) } }),
      forgetToken: () => (tokens += 1) > 0,
      dialect: {
        readError: (status) =>
          new AppError('upstream_failed', 'no', { upstream: { status, message: 'no such token' } }),
      },
    }),
  });
  const told = await listModels(channelOf(41)).then(String, (error: Error) => error.message);
  return { asked, told };
};

test('a list of models is asked for once more with a new token, where the old one was withdrawn', async () => {
  expect(await listedWith(0)).toEqual({ asked: ['1'], told: 'm-1' });
  expect(await listedWith(1)).toEqual({ asked: ['1', '2'], told: 'm-1' });
  const { asked, told } = await listedWith(2);
  expect(asked).toEqual(['1', '2']);
  expect(told).toContain('no such token');
});
