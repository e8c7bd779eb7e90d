import { expect, it } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import type { Upstream } from '../../dialects/upstream.ts';
import { WatchedExchanges } from './watched-exchanges.ts';

const SECRET = 'a-secret-of-twenty-letters';

const replyOf = (text: string, headers = {}): OutboundReply => {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return { status: 200, headers, body: Object.assign(body, { discard: () => undefined }) };
};
const sent = async (request: Partial<OutboundRequest>, reply: OutboundReply) => {
  const watched = new WatchedExchanges({ monotonic: () => 5 });
  const sender = watched.sender({ send: () => Promise.resolve(reply) });
  const { body } = await sender.send({ method: 'POST', url: 'https://up.example/', headers: {}, ...request });
  for await (const _ of body);
  return watched.shown(new Secrets([SECRET]))[0];
};

it('masks credentials, and secrets anywhere', async () => {
  const headers = { 'x-api-key': 'k', authorization: 'Bearer t', accept: `*/*;${SECRET}` };
  const shown = await sent(
    { url: `https://up.example/v1?key=abc&model=m&at=${SECRET}`, headers, body: `{"a":"${SECRET}"}` },
    replyOf(`said ${SECRET}`, { 'set-cookie': ['a=1', 'b=2'], vary: ['x', 'y'] }),
  );
  const stars = '*'.repeat(SECRET.length);
  expect(shown).toMatchObject({
    url: `https://up.example/v1?key=***&model=m&at=${stars}`,
    headers: { 'x-api-key': '***', authorization: '***', accept: `*/*;${stars}` },
    body: `{"a":"${stars}"}`,
    replyHeaders: { 'set-cookie': '***', vary: 'x, y' },
    reply: `said ${stars}`,
    headMs: 0,
  });
});

it('shows the first 16 KB, even if a secret is at the cut', async () => {
  const before = 'x'.repeat(16 * 1024 - 4);
  const shown = await sent({}, replyOf(`${before}${SECRET}${before}`));
  expect(shown?.reply).toBe(`${before}****`);
  expect(shown?.replyBytes).toBe(2 * before.length + SECRET.length);
});

it('does not show requests for credentials, which are made of secrets', async () => {
  const watched = new WatchedExchanges({ monotonic: () => 5 });
  const sender = watched.sender({ send: () => Promise.resolve(replyOf('a token')) });
  const request = { method: 'POST', url: 'https://up.example/', headers: {} } as const;
  const upstream = watched.upstream({
    authorize: async (asked: OutboundRequest) => {
      await sender.send({ ...asked, url: 'https://tokens.example/', body: 'assertion=signed' });
      return asked;
    },
  } as Partial<Upstream> as Upstream);
  const tools = { send: sender.send, nowMs: 1, signal: undefined };
  await sender.send((await upstream.authorize?.(request, {} as Channel, tools)) ?? request);
  expect(watched.shown(new Secrets([])).map(({ url }) => url)).toEqual(['https://up.example/']);
});
