import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';

/** An upstream may have done work that it never answered, and bill the operator for it: its cost is never 0. */

let upstream: Server;
let scene: Scene;
let alice: Spender;
let channelA: number;
let answerOfA: (response: ServerResponse) => void;
/** Models whose answers take several requests. */
const VISION = 'doubao-embedding-vision-250615';
const VOICE = 'qwen3-tts-flash';
const LLAMA = 'meta/llama';
const channelsOfParts = new Map<string, number>();
let answerOfPart: (request: IncomingMessage, response: ServerResponse) => unknown;
let hasAsked = Promise.withResolvers<void>();

const MODELS = Array.from({ length: 9 }, (_, at) => `untold-${at}`);
let used = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.startsWith('/a/') === true) answerOfA(response);
      else if (request.url?.startsWith('/parts/') === true) answerOfPart(request, response);
      else answered(response);
      hasAsked.resolve();
    });
  });
  await listening(upstream);
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const baseUrl = addressOf(upstream);
  const models = Object.fromEntries(MODELS.map((model) => [model, { input: 40, output: 10 }]));
  const setting = JSON.stringify({ cost: { models } });
  const of = { models: MODELS.join(','), setting };
  const { stage, root } = scene;
  channelA = (await stage.channel(root, { ...of, baseUrl: `${baseUrl}/a`, priority: 10 })).id;
  await stage.channel(root, { ...of, baseUrl: `${baseUrl}/b` });
  for (const [type, model] of Object.entries({ 45: VISION, 17: VOICE, 56: LLAMA })) {
    const cost = JSON.stringify({ cost: { models: { [model]: { input: 40, output: 10 } } } });
    const parts = { type: Number(type), models: model, setting: cost, baseUrl: `${baseUrl}/parts` };
    channelsOfParts.set(model, (await stage.channel(root, parts)).id);
  }
  const priced = [...MODELS, VISION, VOICE, LLAMA];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(priced.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 1);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const answered = (response: ServerResponse): void => {
  const message = { role: 'assistant', content: 'yes' };
  const reply = {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 1 },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
};

const call = (signal?: AbortSignal): Promise<Response> => {
  const model = MODELS[used++] ?? '';
  hasAsked = Promise.withResolvers();
  return fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'x'.repeat(2000) }] }),
    ...(signal && { signal }),
  });
};

interface HouseDay {
  readonly channel_id: number;
  readonly kind: string;
  readonly count: number;
  readonly cost_nano_usd: number;
  readonly uncosted: number;
  readonly estimated: number;
}

const attemptsAt = async (channelId: number | undefined): Promise<HouseDay | undefined> => {
  const days = (await scene.asRoot('/api/data/house_costs')).data as HouseDay[];
  return days.find(({ channel_id: id, kind }) => id === channelId && kind === 'attempt');
};
const attemptsAtA = () => attemptsAt(channelA);
/** At 40 dollars a million, of a prompt of 2000 letters. */
const LEAST_NANO = 500 * 40_000;
const MOST_NANO = 1500 * 40_000;

const costsOnce = async (act: () => Promise<unknown>): Promise<void> => {
  const before = await attemptsAtA();
  await act();
  await expect.poll(async () => (await attemptsAtA())?.count).toBe((before?.count ?? 0) + 1);
  const after = await attemptsAtA();
  expect(after?.estimated).toBe((before?.estimated ?? 0) + 1);
  expect(after?.uncosted).toBe(0);
  const nano = (after?.cost_nano_usd ?? 0) - (before?.cost_nano_usd ?? 0);
  expect(nano).toBeGreaterThanOrEqual(LEAST_NANO);
  expect(nano).toBeLessThanOrEqual(MOST_NANO);
};

it.each<[string, (response: ServerResponse) => void]>([
  ['a connection that breaks once the call was sent', (response) => response.destroy()],
  [
    'an answer that breaks off',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{', () => response.destroy());
    },
  ],
  [
    'an answer that nobody can read',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('no JSON at all'),
  ],
  [
    'an answer with nothing in it',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  ],
])('%s costs the operator the estimated prompt, though another channel answers', async (_, of) => {
  answerOfA = of;
  await costsOnce(async () => expect((await call()).status).toBe(200));
});

it('a caller who leaves before anything came costs the operator the prompt', async () => {
  answerOfA = () => undefined;
  const leaving = new AbortController();
  await costsOnce(async () => {
    const reply = call(leaving.signal).catch(() => 'left');
    await hasAsked.promise;
    leaving.abort();
    expect(await reply).toBe('left');
  });
});

it.each<[string, (response: ServerResponse) => void]>([
  ['what an upstream refuses', (response) => response.writeHead(500).end('{"error":{"message":"no"}}')],
  [
    'a web page in place of an answer',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  ],
])('%s costs nothing', async (_, of) => {
  answerOfA = of;
  const before = await attemptsAtA();
  expect((await call()).status).toBe(200);
  expect(await attemptsAtA()).toEqual(before);
});

const ofParts = (path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const asJson = (response: ServerResponse, body: object, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it.each<[string, (response: ServerResponse) => unknown]>([
  ['refused', (response) => asJson(response, { error: { code: 'InvalidParameter', message: 'no' } }, 400)],
  ['lost', (response) => response.destroy()],
])('vectors that come beside one that is %s cost the operator what they told', async (_, fails) => {
  const usage = { prompt_tokens: 700, total_tokens: 700 };
  const others: ServerResponse[] = [];
  let asked = 0;
  answerOfPart = (_request, response) => {
    if (++asked < 3) return others.push(response);
    response.on('close', () => {
      for (const other of others.splice(0)) asJson(other, { data: { embedding: [0.5] }, usage });
    });
    return fails(response);
  };
  const channel = channelsOfParts.get(VISION);
  const before = await attemptsAt(channel);
  expect((await ofParts('embeddings', { model: VISION, input: ['a', 'b', 'c'] })).status).not.toBe(200);
  await expect.poll(async () => (await attemptsAt(channel))?.count).toBe((before?.count ?? 0) + 1);
  const after = await attemptsAt(channel);
  expect(after).toMatchObject({ estimated: 0, uncosted: 0 });
  expect((after?.cost_nano_usd ?? 0) - (before?.cost_nano_usd ?? 0)).toBe(2 * 700 * 40_000);
});

it.each<[string, string, string, (url: string) => object]>([
  ['a sound that was made', VOICE, 'audio/speech', (url) => ({ output: { audio: { url } } })],
  ['a prediction that runs', LLAMA, 'chat/completions', (url) => ({ id: 'p-1', urls: { stream: url } })],
])('%s and cannot be fetched costs the operator its prompt, and no key', async (_, model, path, made) => {
  answerOfPart = (request, response) => {
    if (request.method === 'POST') asJson(response, made(`${addressOf(upstream)}/parts/made`));
    else asJson(response, { message: 'no' }, 404);
  };
  const channel = channelsOfParts.get(model);
  const asked = 'x'.repeat(2000);
  const messages = [{ role: 'user', content: asked }];
  const reply = await ofParts(path, {
    model,
    voice: 'Cherry',
    input: asked,
    messages,
    stream: model === LLAMA,
  });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  await expect.poll(async () => (await attemptsAt(channel))?.count).toBe(1);
  expect(await attemptsAt(channel)).toMatchObject({ estimated: 1, uncosted: 0 });
  expect((await attemptsAt(channel))?.cost_nano_usd).toBeGreaterThanOrEqual(LEAST_NANO);
  expect((await scene.asRoot(`/api/channel/${String(channel)}`)).data).toMatchObject({ status: 1 });
});
