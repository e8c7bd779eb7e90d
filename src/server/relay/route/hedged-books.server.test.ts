import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { PLAIN_STREAM } from '../testing/plain-answer.ts';

/** A race of two channels is one charge for its caller, and a cost of both for the operator. */

const DAY_MS = 86_400_000;
const DEADLINE_MS = 100;
/** One for each test, because a channel that was late rests with its model. */
const MODELS = ['one-late', 'both-late', 'both-fail'];
let upstream: Server;
let scene: Scene;
let caller = '';
/** Late answers, by channel: what lets each of them come. */
const late = new Map<string, (status?: number) => void>();
const ids = new Map<string, number>();
let areBothLate = false;

const stream = (response: ServerResponse) => (status?: number) => {
  response.writeHead(status ?? 200, { 'content-type': 'text/event-stream' }).end(PLAIN_STREAM);
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const name = (request.url ?? '').split('/')[1] ?? '';
    request.resume().on('end', () => {
      late.set(name, stream(response));
      if (name === 'second' && !areBothLate) stream(response)();
    });
  });
  const url = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, 1]))));
  await scene.set(
    'upstream_setting.first_token',
    JSON.stringify({ '*': { deadline_ms: DEADLINE_MS, hedge: true } }),
  );
  await scene.set('upstream_setting.hedge_percent', 100);
  const costs = Object.fromEntries(MODELS.map((model) => [model, { input: 1, output: 1 }]));
  const setting = JSON.stringify({ cost: { models: costs } });
  for (const [at, name] of ['first', 'second'].entries()) {
    const wish = { baseUrl: `${url}/${name}`, models: MODELS.join(','), priority: -at, setting };
    ids.set(name, (await scene.stage.channel(scene.root, wish)).id);
  }
  caller = (await scene.spender('caller', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const chat = async (model: string): Promise<readonly [number, string]> => {
  const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${caller}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return [reply.status, await reply.text()];
};
/** Calls that were charged, by channel, and those that only the operator pays. */
const books = async () => {
  const { logs, houseCosts } = scene.server.parts.stores;
  const { items } = await logs.page({ type: 2 }, { page: 1, pageSize: 50 });
  const days = await houseCosts.days({ fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS });
  return {
    charged: items.map(({ channelId }) => channelId),
    lost: days.map(({ channelId, kind, calls, uncosted }) => ({ channelId, kind, calls, uncosted })),
  };
};

it('the loser is stopped, and is a cost of the house', async () => {
  expect(await chat('one-late')).toEqual([200, expect.stringContaining('[DONE]')]);
  const lost = [{ channelId: ids.get('first'), kind: 'hedge', calls: 1, uncosted: 0 }];
  await expect.poll(books).toEqual({ charged: [ids.get('second')], lost });
});

it('of two answers in one moment one is charged and the other a cost of the house', async () => {
  areBothLate = true;
  late.clear();
  const both = chat('both-late');
  await expect.poll(() => late.size).toBe(2);
  for (const answer of late.values()) answer();
  expect(await both).toEqual([200, expect.stringContaining('[DONE]')]);
  const count = async () => {
    const { charged, lost } = await books();
    return [charged.length, lost.reduce((sum, { calls }) => sum + calls, 0)];
  };
  await expect.poll(count).toEqual([2, 2]);
});

it('where both fail nothing is charged, and the books are sound', async () => {
  late.clear();
  const both = chat('both-fail');
  await expect.poll(() => late.size).toBe(2);
  for (const answer of late.values()) answer(500);
  expect((await both)[0]).toBeGreaterThanOrEqual(500);
  expect((await books()).charged).toHaveLength(2);
  const { database } = scene.server.parts.stores;
  const audit = () => brokenRules(database);
  await expect.poll(audit).toEqual([]);
});
