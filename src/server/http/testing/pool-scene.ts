import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PoolMode } from '#core/channel/keys/pool.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from './scene.ts';

interface Answer {
  readonly status: number;
  readonly message?: string;
  /** `Retry-After`, in seconds. */
  readonly after?: string;
}

/**
 * An upstream that gives each key the answer it was told to, and 200 to all others. Calls with keys that begin with
 * `slow` wait; streams wait after their first word.
 */
export interface KeyedUpstream {
  readonly answers: Map<string, Answer>;
  /** The keys it was called with. */
  readonly used: string[];
  /** Lets the waiting calls go on. */
  readonly held: (() => void)[];
}

const reply = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
};

const eventOf = (content: string | undefined): string => {
  const choice = { index: 0, delta: content === undefined ? {} : { content }, finish_reason: null };
  const end = { choices: [{ ...choice, finish_reason: 'stop' }], usage: reply.usage };
  const head = { id: 'c', object: 'chat.completion.chunk', model: 'm' };
  return `data: ${JSON.stringify({ ...head, ...(content === undefined ? end : { choices: [choice] }) })}\n\n`;
};

/** @returns a function that sends the rest of the stream after its first word */
const beginStream = (response: ServerResponse): (() => void) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(eventOf('First'));
  return () => void response.end(`${eventOf(' and last.')}${eventOf(undefined)}data: [DONE]\n\n`);
};

const startUpstream = async ({ answers, used, held }: KeyedUpstream): Promise<Server> => {
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    used.push(key);
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      const { status, message = '', after } = answers.get(key) ?? { status: 200 };
      const isStream = status === 200 && body.includes('"stream":true');
      const whole = () => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(after && { 'retry-after': after }),
        });
        response.end(JSON.stringify(status === 200 ? reply : { error: { message, type: 'an_error' } }));
      };
      const send = isStream ? beginStream(response) : whole;
      if (key.startsWith('slow')) held.push(send);
      else send();
    });
  });
  await listening(server);
  return server;
};

/** Sends a chat on a new connection, so that any relay of the server may get it. @returns status and body */
const chatAt = (url: string, key: string, stream: boolean) =>
  new Promise<{ readonly status: number; readonly body: AsyncIterable<unknown> }>((resolve, reject) => {
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
    const asked = request(`${url}/v1/chat/completions`, { agent: false, method: 'POST', headers });
    asked.on('response', (response) => resolve({ status: response.statusCode ?? 0, body: response }));
    asked.on('error', reject);
    asked.end(JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }));
  });

/** A server whose channels have several keys at one upstream; each test gets new channels and answers. */
export const setPoolScene = (open: () => Promise<Scene> = openScene) => {
  const upstream: KeyedUpstream = { answers: new Map(), used: [], held: [] };
  let scene: Scene;
  let server: Server;
  let spender: Spender;
  let baseUrl = '';

  beforeAll(async () => {
    server = await startUpstream(upstream);
    baseUrl = addressOf(server);
    scene = await open();
    await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
    await scene.set('RetryTimes', 0);
    await scene.set('AutomaticDisableChannelEnabled', true);
    spender = await scene.spender('caller', 1_000_000_000);
  });
  afterAll(async () => {
    await scene.close();
    hangUp(server);
  });
  beforeEach(async () => {
    upstream.answers.clear();
    upstream.used.length = 0;
    upstream.held.length = 0;
    const ids = (await allChannels(scene.server.parts.stores.channels)).map(({ id }) => id);
    if (ids.length > 0) await scene.asRoot('/api/channel/batch', { method: 'POST', body: { ids } });
  });

  return {
    ...upstream,
    get scene() {
      return scene;
    },
    get spender() {
      return spender;
    },
    get baseUrl() {
      return baseUrl;
    },
    pool: (keys: readonly string[], mode?: PoolMode) =>
      scene.stage.pool(scene.root, { baseUrl, models: 'm', groups: 'default', key: keys.join('\n') }, mode),
    /** Sends a chat, to another server if one is given. @returns its status */
    chat: async (url: string = scene.server.url): Promise<number> => {
      const { status, body } = await chatAt(url, spender.key, false);
      for await (const bytes of body) void bytes;
      return status;
    },
    /** Sends a streamed chat. @returns its pieces */
    stream: async (): Promise<AsyncIterable<unknown>> =>
      (await chatAt(scene.server.url, spender.key, true)).body,
    /** The state of each key, by its last characters. */
    statuses: async (id: number) =>
      Object.fromEntries((await scene.stage.keysOf(id)).map(({ tail, status }) => [tail, status])),
    post: (path: string, body: object, method = 'POST') => scene.asRoot(path, { method, body }),
  };
};

/** A key that ends with this. */
export const keyOf = (end: number | string): string => `sk-a-long-enough-key-${end}`;
