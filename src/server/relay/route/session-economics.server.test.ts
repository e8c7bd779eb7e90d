import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/**
 * When a session leaves the dearer channel that has its prompt in the cache, worked out by hand. Dollars for a million tokens,
 * reading, from the cache, and writing:
 *
 * | | input | cache read | output |
 * | --- | ---: | ---: | ---: |
 * | home | 10 | 1 | 10 |
 * | new | 6 | 0.6 | 6 |
 *
 * With a prompt of p tokens and answers of 100, the next n calls cost at home n (p + 1000), all of it read from the cache, and
 * at the new one 6 p, as it is cold there, and 0.6 p (n − 1) + 600 n. Moving saves more than a tenth where n > 18 p / (p + 1000):
 * for prompts of 8,000 to 17,000 tokens that is from the 17th call on. A session is expected to last as long as it has.
 */
const LONG = 'a word of the prompt that is cached. '.repeat(600);
const LAST_AT_HOME = 17;

let scene: Scene;
let upstream: Server;
let key = '';
const ids = new Map<string, number>();

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN_ANSWER);
  });
  await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ m: 1, tied: 1 }));
  await scene.set('routing_setting.choice', JSON.stringify({ models: { '*': 'session' } }));
  key = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** @param dollars for a million tokens read; a tenth of it from the cache; undefined if nobody knows */
const channel = async (name: string, models: string, dollars: number | undefined): Promise<void> => {
  const cost = { input: dollars, cache_read: (dollars ?? 0) / 10, output: dollars };
  const setting = dollars === undefined ? '' : JSON.stringify({ cost: { models: { [models]: cost } } });
  const { port } = upstream.address() as AddressInfo;
  const wish = { type: 1, name, baseUrl: `http://127.0.0.1:${String(port)}`, setting, models, weight: 1 };
  ids.set(name, (await scene.stage.channel(scene.root, { ...wish, groups: 'default' })).id);
};
const turn = async (model: string, session: string): Promise<void> => {
  const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      'x-claude-code-session-id': session,
    },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: LONG }] }),
  });
  await reply.text();
  expect(reply.status).toBe(200);
};

interface Route {
  readonly channel: string | undefined;
  readonly passedOver: string | undefined;
  readonly moved:
    | { readonly stay_usd: number; readonly move_usd: number; readonly cold_usd: number }
    | undefined;
}

/** Where the calls of a model went, the first one first. */
const routes = async (model: string): Promise<readonly Route[]> => {
  const { data } = await scene.asRoot(`/api/log/?p=1&page_size=100&type=2&model_name==${model}`);
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const { items } = data as { items: readonly { channel: number; other: string }[] };
  return items.toReversed().map(({ channel: id, other }) => {
    const { session } = (JSON.parse(other) as { admin_info: { session?: Record<string, unknown> } })
      .admin_info;
    const moved = session?.['moved'] as Route['moved'];
    return { channel: names.get(id), passedOver: session?.['passed_over'] as string | undefined, moved };
  });
};

it('a session stays with the dearer channel while that is right, then goes where it is known to be cheaper', async () => {
  await channel('home', 'm', 10);
  await turn('m', 'long');
  await channel('new', 'm', 6);
  // Nobody knows what it costs, so nobody moves there, whatever it would save.
  await channel('unknown', 'm', undefined);
  for (let made = 1; made < LAST_AT_HOME; made += 1) await turn('m', 'long');
  expect((await routes('m')).map((route) => route.channel)).toEqual(
    Array.from({ length: LAST_AT_HOME }, () => 'home'),
  );
  await turn('m', 'long');
  await turn('m', 'long');
  const [leaving, after] = (await routes('m')).slice(LAST_AT_HOME);
  expect([leaving?.channel, leaving?.passedOver, after?.channel, after?.passedOver]).toEqual([
    'new',
    'cheaper',
    'new',
    undefined,
  ]);
  // The prompt's length, from what staying costs, gives what moving does.
  const { stay_usd: stay = 0, move_usd: move = 0, cold_usd: cold = 0 } = leaving?.moved ?? {};
  const prompt = (stay * 1e6) / LAST_AT_HOME - 1000;
  expect(prompt).toBeGreaterThan(8000);
  expect(prompt).toBeLessThan(17_000);
  expect(move * 1e6).toBeCloseTo(6 * prompt + 0.6 * prompt * (LAST_AT_HOME - 1) + 600 * LAST_AT_HOME, 3);
  expect(cold * 1e6).toBeCloseTo(5.4 * prompt, 3);
});

it('a session stays where another channel costs the same, however long it lasts', async () => {
  await channel('first', 'tied', 10);
  await turn('tied', 'even');
  await channel('second', 'tied', 10);
  for (let made = 1; made < 25; made += 1) await turn('tied', 'even');
  expect(new Set((await routes('tied')).map((route) => route.channel))).toEqual(new Set(['first']));
});
