import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { createCaller } from '../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { systemClock } from '../../system.ts';

/** A caller is told to send a call again only where that does nothing twice (docs/errors.md). */

let scene: Scene;
let upstream: Server;
let spender: Spender;

/** How many of Baidu's tokens were fetched, and how many of these were withdrawn. */
const tokens = { fetched: 0, withdrawn: 0 };

const asBaidu = (url: string, asked: string): string => {
  const { searchParams, pathname } = new URL(url, 'http://x');
  if (pathname.startsWith('/oauth/'))
    return `{"access_token":"${String((tokens.fetched += 1))}","expires_in":99999}`;
  if (Number(searchParams.get('access_token')) <= tokens.withdrawn)
    return '{"error_code":110,"error_msg":"Access token invalid or no longer valid"}';
  const answer = '{"id":"a","result":"Hi.","is_end":true}';
  return asked.includes('"stream":true') ? `data: ${answer}\n\n` : answer;
};

/** Takes a call and breaks off, or answers with the status that the model is named after. */
const startUpstream = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      if (/^\/(?:oauth|rpc)\//.test(request.url ?? '')) {
        const said = asBaidu(request.url ?? '', text);
        const type = said.startsWith('data:') ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type }).end(said);
        return;
      }
      const status = Number(/"model":"status-(\d+)"/.exec(text)?.[1] ?? 0);
      if (status === 0) {
        response.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no', type: 'a_type' } }));
    });
  });
  await listening(server);
  return server;
};

const MODELS = ['breaks', 'status-429', 'status-500', 'status-503', 'status-504', 'status-524', 'ernie'];

beforeAll(async () => {
  upstream = await startUpstream();
  const baseUrl = addressOf(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 0);
  await scene.stage.channel(scene.root, {
    baseUrl,
    models: MODELS.slice(0, -1).join(','),
    groups: 'default',
  });
  const ofBaidu = { type: 15, key: 'id|secret', models: 'ernie', groups: 'default' };
  await scene.stage.channel(scene.root, { baseUrl, ...ofBaidu });
  spender = await scene.spender('caller', 1_000_000_000);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const retryOf = async (path: string, body: object): Promise<string | null> => {
  const call = createCaller(scene.server.url, { authorization: `Bearer sk-${spender.key}` });
  const { headers } = await call(path, { method: 'POST', body });
  return headers.get('x-should-retry');
};

const messages = [{ role: 'user', content: 'hi' }];
const making: [string, string, object][] = [
  ['a picture', '/v1/images/generations', { prompt: 'a cat' }],
  ['a response in the background', '/v1/responses', { input: 'hi', background: true, store: true }],
  ['a response that is to be stored', '/v1/responses', { input: 'hi', store: true }],
  [
    'a chat that draws',
    '/v1/responses',
    { input: 'hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  ],
];
const harmless: [string, string, object][] = [
  ['a chat', '/v1/chat/completions', { messages, max_tokens: 5 }],
  ['a chat of Anthropic’s', '/v1/messages', { messages, max_tokens: 5 }],
  ['vectors', '/v1/embeddings', { input: 'hi' }],
];

describe.each(making)('%s', (_, path, body) => {
  it.each(['breaks', 'status-504', 'status-524'])(
    'that may have been done is not sent again: %s',
    async (model) => {
      expect(await retryOf(path, { model, ...body })).toBe('false');
    },
  );
  it.each(['status-429', 'status-500', 'status-503'])(
    'that was certainly not done may be sent again: %s',
    async (model) => {
      expect(await retryOf(path, { model, ...body })).toBe('true');
    },
  );
});

describe.each(harmless)('%s', (_, path, body) => {
  it.each(['breaks', 'status-504', 'status-429'])('may be retried: %s', async (model) => {
    expect(await retryOf(path, { model, ...body })).toBe('true');
  });
});

it.each([false, true])(
  'a token that was withdrawn is fetched anew, and its key stays good; streamed: %s',
  async (stream) => {
    const call = createCaller(scene.server.url, { authorization: `Bearer sk-${spender.key}` });
    const asked = { method: 'POST', body: { model: 'ernie', messages, stream } } as const;
    const ask = async (): Promise<number> => (await call('/v1/chat/completions', asked)).status;
    expect(await ask()).toBe(200);
    const { fetched } = tokens;
    tokens.withdrawn = fetched;
    vi.spyOn(systemClock, 'now').mockReturnValue(systemClock.now() + 120_000);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
    expect(tokens.fetched).toBe(fetched + 1);
  },
);
