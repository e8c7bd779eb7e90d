import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { addressOf, hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { type RunningSimulator, startSimulator } from '../../../../simulator/start.ts';
import { NO_PRICE } from '../../../http/testing/no-price.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';

/** Prices that are published while something runs are not its prices: it costs what it was asked for at. */

let simulator: RunningSimulator;
let upstream: Server;
let scene: Scene;
let alice: Spender;
/** Lets the stream that is open go on to its end. */
let finish: () => void = () => {};

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ choices: [{ index: 0, delta: { content: 'Hi' } }] }));
    finish = () =>
      response.end(
        event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
          event({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 } }) +
          'data: [DONE]\n\n',
      );
  });
  const baseUrl = await listening(upstream);
  [simulator, scene] = [await startSimulator(), await openScene()];
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl, models: 'streamed' });
  await stage.channel(root, { baseUrl: simulator.url, models: 'worked-on' });
  await stage.channel(root, { type: 5, baseUrl: simulator.url, models: 'mj_imagine', key: 'k' });
  alice = await scene.spender('alice', 100_000_000);
  await cost({ ratio: 1, price: 0.1 });
});
afterAll(async () => {
  await scene.close();
  await simulator.stop();
  hangUp(upstream);
});

/** Publishes what each model costs, and returns the version. */
const cost = async ({
  ratio,
  price,
}: {
  readonly ratio: number;
  readonly price: number;
}): Promise<number> => {
  const models = [
    { ...NO_PRICE, model: 'streamed', ratio, completion_ratio: 1 },
    { ...NO_PRICE, model: 'worked-on', ratio, completion_ratio: 1 },
    { ...NO_PRICE, model: 'mj_imagine', price },
  ];
  const { data } = await scene.asRoot('/api/pricing/models', { method: 'PUT', body: { models } });
  const outcome = data as { published: boolean; version: number };
  expect(outcome.published).toBe(true);
  return outcome.version;
};

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const rowsOf = async (model: string) => {
  const { logs } = scene.server.parts.stores;
  const { items } = await logs.page({ userId: alice.user.id, type: 2 }, { page: 1, pageSize: 9 });
  const those = items.filter((row) => row.model === model);
  return those.map(({ quotaUnits, other }) => ({
    units: quotaUnits,
    version: (JSON.parse(other) as { price_version: number }).price_version,
    steps: (JSON.parse(other) as { price_units: number }).price_units,
  }));
};

it('a stream, a response in the background and a task keep the prices and the version they began at', async () => {
  const before = await cost({ ratio: 2, price: 0.2 });
  const stream = post('/v1/chat/completions', {
    model: 'streamed',
    stream: true,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const reader = (await stream).body?.getReader();
  await reader?.read();
  const made = await post('/v1/responses', {
    model: 'worked-on',
    input: 'say work on this',
    background: true,
    max_output_tokens: 1000,
    metadata: { queued_ms: '300', work_ms: '300' },
  });
  expect(made.status, await made.clone().text()).toBe(200);
  expect((await post('/mj/submit/imagine', { prompt: 'a red fox' })).status).toBe(200);

  const after = await cost({ ratio: 20, price: 20 });
  expect(after).toBe(before + 1);
  finish();
  while ((await reader?.read())?.done === false);
  const { poller } = scene.server.parts.taskRelay;
  const isDone = async (model: string) => {
    await poller.run();
    return (await rowsOf(model)).length;
  };
  for (const model of ['streamed', 'worked-on', 'mj_imagine']) await expect.poll(() => isDone(model)).toBe(1);

  expect(await rowsOf('streamed')).toEqual([{ units: 2200, version: before, steps: 2200 }]);
  expect(await rowsOf('mj_imagine')).toEqual([{ units: 100_000, version: before, steps: 100_000 }]);
  const [background] = await rowsOf('worked-on');
  expect(background).toMatchObject({ version: before, steps: background?.units });

  const next = post('/v1/chat/completions', {
    model: 'streamed',
    stream: true,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const text = (await next).text();
  finish();
  await text;
  await expect
    .poll(async () => (await rowsOf('streamed'))[0])
    .toMatchObject({ units: 22_000, version: after });
});

/** Schedules a price in a moment; on a slow machine in a longer one, because what is past is refused. @returns when, in seconds */
const scheduleSoon = async (model: string, ratio: number): Promise<number> => {
  for (let aheadSeconds = 2; ; aheadSeconds *= 2) {
    const at = Math.ceil(Date.now() / 1000) + aheadSeconds;
    const models = [{ ...NO_PRICE, model, ratio, completion_ratio: 1 }];
    const body = { models, at, reason: 'at a time' };
    const { success, message } = await scene.asRoot('/api/pricing/models', { method: 'PUT', body });
    if (success === true) return at;
    expect(message).toBe('the time must be later than now');
  }
};

it('a call that begins at the scheduled time or later pays the scheduled price, an earlier one the old price', async () => {
  const { data: before } = await scene.asRoot('/api/price_book?p=1&page_size=1');
  const version = (before as { items: { version: number }[] }).items[0]?.version ?? 0;
  const bob = await scene.spender('bob', 100_000_000);
  const at = await scheduleSoon('worked-on', 9);
  const ask = () =>
    fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${bob.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'worked-on', messages: [{ role: 'user', content: 'a' }] }),
    }).then((reply) => reply.arrayBuffer());
  // A price that is due is looked for once a second: at some moment in between, whatever the second begins with.
  await expect.poll(() => Date.now(), { interval: 10 }).toBeGreaterThan(at * 1000 - 60);
  do await ask();
  while (Date.now() < at * 1000 + 1100);
  const { logs } = scene.server.parts.stores;
  const counted = async () =>
    (await logs.page({ userId: bob.user.id, type: 2 }, { page: 1, pageSize: 2000 })).items;
  await expect
    .poll(async () => (await counted()).some(({ createdAtMs }) => createdAtMs >= at * 1000))
    .toBe(true);
  for (const { createdAtMs, other } of await counted()) {
    const paid = (JSON.parse(other) as { price_version: number }).price_version;
    expect([createdAtMs - at * 1000, paid]).toEqual([
      createdAtMs - at * 1000,
      createdAtMs >= at * 1000 ? version + 1 : version,
    ]);
  }
  const { data: after } = await scene.asRoot('/api/price_book?p=1&page_size=1');
  expect((after as { items: object[] }).items).toMatchObject([{ version: version + 1, created_at: at }]);
});

it('each answer of a conversation pays the prices of the moment it is asked for, scheduled ones too', async () => {
  const usage = { total_tokens: 1100, input_tokens: 1000, output_tokens: 100 };
  const provider = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'realtime' });
  provider.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'session.created', session: {} }));
    socket.on('message', () => {
      socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }));
      socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', usage } }));
    });
  });
  await new Promise((resolve) => provider.once('listening', resolve));
  const baseUrl = addressOf(provider);
  await scene.stage.channel(scene.root, { baseUrl, models: 'spoken' });
  const setPrice = async (ratio: number, at?: number): Promise<void> => {
    const models = [{ ...NO_PRICE, model: 'spoken', ratio, completion_ratio: 1 }];
    const body = { models, reason: 'spoken', ...(at !== undefined && { at }) };
    expect((await scene.asRoot('/api/pricing/models', { method: 'PUT', body })).success).toBe(true);
  };
  await setPrice(1);
  const url = `${scene.server.url.replace('http', 'ws')}/v1/realtime?model=spoken`;
  const socket = new WebSocket(url, ['realtime'], { headers: { authorization: `Bearer sk-${alice.key}` } });
  await new Promise((resolve) => socket.once('open', resolve));
  let answers = 0;
  socket.on('message', (data: Buffer) => (answers += data.includes('"response.done"') ? 1 : 0));
  const ask = async (): Promise<void> => {
    const before = answers;
    socket.send('{"type":"response.create"}');
    await expect.poll(() => answers).toBe(before + 1);
  };
  await ask();
  await setPrice(3);
  await ask();
  await setPrice(5, Math.ceil(Date.now() / 1000) + 3600);
  await ask();
  const at = await scheduleSoon('spoken', 7);
  await expect.poll(() => Date.now(), { interval: 5 }).toBeGreaterThanOrEqual(at * 1000);
  await ask();
  socket.close();
  await expect.poll(async () => (await rowsOf('spoken')).length).toBe(4);
  const inOrder = (await rowsOf('spoken')).map(({ units }) => units).toReversed();
  expect(inOrder).toEqual([1100, 3300, 3300, 7700]);
  for (const client of provider.clients) client.terminate();
  provider.close();
});
