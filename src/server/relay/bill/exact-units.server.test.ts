import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** Prices where it is easy to be off by one unit: nothing, halves, a price per call together with tools. */

let upstream: Server;
let scene: Scene;
let alice: Spender;
let asked = 0;
let answer: (response: ServerResponse) => void;

const MODELS = 'free,half,tenth,by-call,streamed';

const reply =
  (input: number, output: number, more: object = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: 'yes', ...more };
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ object: 'chat.completion', choices, usage }));
  };
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      answer(response);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl, models: MODELS });
  await scene.set('ModelRatio', JSON.stringify({ free: 0, half: 0.5, tenth: 0.1, streamed: 1 }));
  await scene.set('CompletionRatio', JSON.stringify({ free: 1, half: 1, tenth: 1, streamed: 1 }));
  await scene.set('ModelPrice', JSON.stringify({ 'by-call': 0.000003 }));
  alice = await scene.spender('alice', 1_000_000);
});
beforeEach(() => {
  answer = reply(10, 10);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const call = (key: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });
const unitsOf = async (userId: number): Promise<number | undefined> => {
  const { items } = await scene.server.parts.stores.logs.page({ userId, type: 2 }, { page: 1, pageSize: 1 });
  return items[0]?.quotaUnits;
};
const clean = async (): Promise<void> => {
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
};

it.each([false, true])(
  'a free model answers whoever has nothing, and costs nothing (streamed: %s)',
  async (stream) => {
    const user = await scene.stage.person(`poor-${String(stream)}`);
    const { key } = await scene.stage.token(user);
    if (stream)
      answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(event({ choices: [{ index: 0, delta: { content: 'word '.repeat(5000) } }] }));
        response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
        response.end('data: [DONE]\n\n');
      };
    const got = await call(key, { model: 'free', stream });
    await got.text();
    expect(got.status).toBe(200);
    await expect.poll(() => unitsOf(user.id)).toBe(0);
    // What costs anything is refused, and nobody is asked.
    const before = asked;
    expect((await call(key, { model: 'tenth' })).status).toBe(403);
    expect(asked).toBe(before);
    await clean();
  },
);

describe('the sum of a call', () => {
  it.each([
    ['half', 1, 0, 1],
    ['half', 2, 1, 2],
    ['half', 4, 1, 3],
    ['tenth', 2, 2, 1],
    ['tenth', 10, 4, 1],
    ['tenth', 10, 5, 2],
  ])(
    'of %s with %i and %i tokens is rounded once, halves up, and is at least one: %i',
    async (model, ...of) => {
      const [input, output, units] = of;
      answer = reply(input, output);
      expect((await call(alice.key, { model })).status).toBe(200);
      expect(await unitsOf(alice.user.id)).toBe(units);
      await clean();
    },
  );

  it('of a price by the call has its tools beside it, rounded together', async () => {
    // 1.5 units for the call, 5 for each search at ten dollars a thousand.
    await scene.set('tool_price_setting.prices', JSON.stringify({ web_search: 0.011 }));
    const annotations = [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: 'a' } }];
    answer = reply(10, 10, { annotations });
    expect((await call(alice.key, { model: 'by-call', web_search_options: {} })).status).toBe(200);
    const units = await unitsOf(alice.user.id);
    const { items } = await scene.server.parts.stores.logs.page(
      { userId: alice.user.id, type: 2 },
      { page: 1, pageSize: 1 },
    );
    const { price_sum: sum } = JSON.parse(items[0]?.other ?? '{}') as { price_sum: string };
    expect(units).toBe(Math.round(Number(sum)));
    expect(Number(sum)).toBeGreaterThanOrEqual(1.5);
    await clean();
  });
});

it('the ratio of a group that changes in the middle of a stream is not that of the stream', async () => {
  let finish = (): void => undefined;
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ choices: [{ index: 0, delta: { content: 'Hi' } }] }));
    finish = () =>
      response.end(
        event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
          event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 100 } }) +
          'data: [DONE]\n\n',
      );
  };
  const body = { model: 'streamed', stream: true, max_tokens: 1000 };
  const running = await call(alice.key, body);
  const reader = running.body?.getReader();
  await reader?.read();
  await scene.set('GroupRatio', JSON.stringify({ default: 50 }));
  finish();
  while ((await reader?.read())?.done === false);
  await expect.poll(() => unitsOf(alice.user.id)).toBe(200);
  const next = call(alice.key, body).then((got) => got.text());
  await expect.poll(() => asked).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      finish();
      return unitsOf(alice.user.id);
    })
    .toBe(10_000);
  await next;
  await clean();
});
