import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Fields } from '#core/json/fields.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { bytesReply, wholeReply } from '../shared/reply/synthetic-reply.ts';
import { sentFields } from '../shared/request/sent-fields.ts';
import { drawImages, writeImages } from './alibaba-images.ts';

const URLS = ['https://result.example/1.png', 'https://result.example/2.png'];

/** What is sent for a request, and what comes back. `lost`: an address where nothing is. */
const draw = async (asked: Fields, lost?: string) => {
  const sent: OutboundRequest[] = [];
  const noted: unknown[] = [];
  const content = URLS.map((image) => ({ image }));
  const tools = standIn<AuthorizeTools>({
    signal: new AbortController().signal,
    nowMs: 5000,
    readWhole: undefined,
    noteWork: (answered) => void noted.push(answered),
    send: async (request) => {
      sent.push(request);
      if (request.url === lost) return wholeReply(404, {});
      if (request.method === 'GET') return bytesReply(Buffer.from(request.url.slice(-5)), 'image/png');
      return wholeReply(200, { output: { choices: [{ message: { content } }] } });
    },
  });
  const headers = { authorization: 'Bearer k' };
  const body = JSON.stringify(writeImages({ model: 'm', prompt: 'a', ...asked }));
  const request = { method: 'POST' as const, url: 'https://ali.example', headers, body };
  const reply = drawImages(request, channelOf(17), tools);
  const came = reply.then(async (one): Promise<unknown> => JSON.parse(String(await readAll(one.body, 9000))));
  return { sent, noted, came };
};

test('images come as addresses, or in base64 for those who ask for that', async () => {
  const plain = await draw({ response_format: 'url' });
  expect(await plain.came).toEqual({ created: 5, data: URLS.map((url) => ({ url })) });
  const { sent, came } = await draw({ response_format: 'b64_json' });
  expect(await came).toEqual({
    created: 5,
    data: ['1.png', '2.png'].map((bytes) => ({ b64_json: btoa(bytes) })),
  });
  // The key stays at its host, and the wish with us.
  expect(sent.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
    ['https://ali.example', 'Bearer k'],
    ...URLS.map((url) => [url, undefined]),
  ]);
  expect(sent.slice(0, 1).map(sentFields)).toEqual([writeImages({ model: 'm', prompt: 'a' })]);
});

test('images that were made and cannot be fetched are noted as work', async () => {
  const { noted, came } = await draw({ response_format: 'b64_json' }, URLS[1]);
  await expect(came).rejects.toThrow('could not be fetched');
  expect(noted).toEqual([{ data: URLS.map((url) => ({ url })) }]);
});
