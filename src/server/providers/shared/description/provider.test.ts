import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { openaiLayout } from './openai-layout.ts';
import { type KeyPlace, provider } from './provider.ts';

const CONTENT = { 'content-type': 'application/json', accept: 'application/json' };
const call = (operation: 'chat' | 'images' | 'rerank') => ({ operation, model: 'm', stream: false });
const channel = (key: string) => channelOf(1, { baseUrl: 'https://up.example', key: new Secret(key) });

const layouts = {
  'a description': (key: KeyPlace) =>
    provider({
      types: [1],
      key,
      dialect: openaiChat,
      offers: { chat: { path: '/v1/chat/completions' } },
    }),
  "OpenAI's layout": (key: KeyPlace) =>
    openaiLayout({ types: [1], key, prefix: '/v1', offers: { chat: {} } }),
};
const CHAT = 'https://up.example/v1/chat/completions';

for (const [name, made] of Object.entries(layouts))
  test.each<[string, KeyPlace, string, object]>([
    ['as a bearer', 'bearer', CHAT, { authorization: 'Bearer a&b' }],
    ['in a header of its own', { header: 'api-key' }, CHAT, { 'api-key': 'a&b' }],
    ['in the query', { query: 'key' }, `${CHAT}?key=a%26b`, {}],
    ['nowhere, where it is a proof made later', { authorize: (request) => request }, CHAT, {}],
  ])(`by ${name} the key stands %s, and nothing stands there without one`, (_, key, url, header) => {
    expect(made(key).address(channel('a&b'), call('chat'))).toEqual({
      url,
      headers: { ...CONTENT, ...header },
    });
    expect(made(key).address(channel(''), call('chat'))).toEqual({ url: CHAT, headers: CONTENT });
  });

test('a call may stand at another path, at another host, and want its key elsewhere', () => {
  const { address } = openaiLayout({
    types: [1],
    prefix: '/v1',
    offers: {
      images: { path: '/draw?size=1', key: { query: 'key' } },
      rerank: { path: ({ model }) => `https://ranks.example/${model}` },
    },
  });
  expect(address(channel('k'), call('images'))).toEqual({
    url: 'https://up.example/draw?size=1&key=k',
    headers: CONTENT,
  });
  expect(address(channel('k'), call('rerank')).url).toBe('https://ranks.example/m');
});
