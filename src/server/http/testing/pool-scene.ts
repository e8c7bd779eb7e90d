import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PoolMode } from '#core/channel/pool.ts';
import { type Caller, createCaller } from './caller.ts';
import { openScene, type Scene, type Spender } from './scene.ts';

interface Answer {
  readonly status: number;
  readonly message?: string;
  /** `Retry-After`, in seconds. */
  readonly after?: string;
}

/** An upstream that answers to each key what it is told to, and 200 to all others; keys that begin with `slow` wait. */
export interface KeyedUpstream {
  readonly answers: Map<string, Answer>;
  /** The keys it was called with. */
  readonly used: string[];
  /** Lets the calls answer that wait. */
  readonly held: (() => void)[];
}

const reply = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
};

const startUpstream = async ({ answers, used, held }: KeyedUpstream): Promise<Server> => {
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    used.push(key);
    request.resume();
    request.on('end', () => {
      const { status, message = '', after } = answers.get(key) ?? { status: 200 };
      const send = () => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(after && { 'retry-after': after }),
        });
        response.end(JSON.stringify(status === 200 ? reply : { error: { message, type: 'an_error' } }));
      };
      if (key.startsWith('slow')) held.push(send);
      else send();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

/** A server whose channels have several keys at one upstream; channels and answers are new for each test. */
export const setPoolScene = () => {
  const upstream: KeyedUpstream = { answers: new Map(), used: [], held: [] };
  let scene: Scene;
  let server: Server;
  let spender: Spender;
  let call: Caller;
  let baseUrl = '';

  beforeAll(async () => {
    server = await startUpstream(upstream);
    baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    scene = await openScene();
    await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
    await scene.set('RetryTimes', 0);
    await scene.set('AutomaticDisableChannelEnabled', true);
    spender = await scene.spender('caller', 1_000_000_000);
    call = createCaller(scene.server.url, { authorization: `Bearer sk-${spender.key}` });
  });
  afterAll(async () => {
    await scene.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    upstream.answers.clear();
    upstream.used.length = 0;
    upstream.held.length = 0;
    const ids = (await scene.server.parts.stores.channels.all()).map(({ id }) => id);
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
    /** Sends a chat. @returns its status */
    chat: async (): Promise<number> => {
      const messages = [{ role: 'user', content: 'hi' }];
      return (await call('/v1/chat/completions', { method: 'POST', body: { model: 'm', messages } })).status;
    },
    /** The state of each key, by its end. */
    statuses: async (id: number) =>
      Object.fromEntries((await scene.stage.keysOf(id)).map(({ tail, status }) => [tail, status])),
    post: (path: string, body: object, method = 'POST') => scene.asRoot(path, { method, body }),
  };
};

/** A key that ends like this. */
export const keyOf = (end: number | string): string => `sk-a-long-enough-key-${end}`;
