import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { createCaller } from '../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** A caller is told to send a call again only where that does nothing twice (docs/errors.md). */

let scene: Scene;
let upstream: Server;
let spender: Spender;

/** Takes a call and breaks off, or answers with the status that the model is named after. */
const startUpstream = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
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

const MODELS = ['breaks', 'status-429', 'status-500', 'status-503', 'status-504', 'status-524'];

beforeAll(async () => {
  upstream = await startUpstream();
  const baseUrl = addressOf(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 0);
  await scene.stage.channel(scene.root, { baseUrl, models: MODELS.join(','), groups: 'default' });
  spender = await scene.spender('caller', 1_000_000_000);
});
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
