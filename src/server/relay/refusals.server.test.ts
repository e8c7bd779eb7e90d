import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelStatus } from '#contract/codes.ts';
import { addressOf, hangUp, listening } from '../outbound/testing/local-server.ts';
import { createCaller, type Got } from '../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../http/testing/scene.ts';

/** What callers are told when a call is refused, and whether their programs send it again (docs/errors.md). */

const STATUSES = [
  400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 422, 429, 451, 500, 501, 502, 503, 504, 524, 529,
];
const PRICED = ['gpt-small', 'gpt-large', 'gpt-secret', 'gpt-resting', 'gpt-broken'];

/** Answers with the status its model is named after. */
const startStatusUpstream = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const status = Number(/"model":"status-(\d+)"/.exec(text)?.[1] ?? 200);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'the words of the upstream', type: 'a_type' } }));
    });
  });
  await listening(server);
  return server;
};

let scene: Scene;
let upstream: Server;
let spender: Spender;

beforeAll(async () => {
  upstream = await startStatusUpstream();
  const baseUrl = addressOf(upstream);
  scene = await openScene();
  const { stage, root } = scene;
  const names = [...PRICED, ...STATUSES.map((status) => `status-${String(status)}`)];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 0);
  await scene.set('GroupRatio', JSON.stringify({ default: 1, vip: 1 }));
  const statuses = STATUSES.map((status) => `status-${String(status)}`).join(',');
  await stage.channel(root, {
    baseUrl,
    models: `gpt-small,gpt-large,gpt-unpriced,${statuses}`,
    groups: 'default',
  });
  await stage.channel(root, { baseUrl, models: 'gpt-secret', groups: 'vip' });
  const resting = await stage.channel(root, { baseUrl, models: 'gpt-resting', groups: 'default' });
  await scene.server.parts.stores.channels.update(resting.id, { status: channelStatus.disabled });
  spender = await scene.spender('caller', 1_000_000_000);
  await scene.set('CheckSensitiveEnabled', false);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const said = [{ role: 'user', content: 'hi' }];
interface Asked {
  readonly path: string;
  readonly body: object;
}
const formats = {
  chat: (model: string): Asked => ({
    path: '/v1/chat/completions',
    body: { model, messages: said, max_tokens: 5 },
  }),
  responses: (model: string): Asked => ({
    path: '/v1/responses',
    body: { model, input: 'hi', max_output_tokens: 16 },
  }),
  messages: (model: string): Asked => ({
    path: '/v1/messages',
    body: { model, messages: said, max_tokens: 5 },
  }),
  gemini: (model: string): Asked => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ parts: [{ text: 'hi' }] }] },
  }),
};
type Format = keyof typeof formats;
const ALL = Object.keys(formats) as Format[];

const send = (key: string, path: string, body: unknown): Promise<Got> =>
  createCaller(scene.server.url, { authorization: `Bearer sk-${key}` })(path, { method: 'POST', body });
const ask = (format: Format, model: string, key = spender.key): Promise<Got> => {
  const { path, body } = formats[format](model);
  return send(key, path, body);
};
const get = (path: string, key = spender.key): Promise<Got> =>
  createCaller(scene.server.url, { authorization: `Bearer sk-${key}` })(path);
const errorOf = ({ text }: Got): Record<string, unknown> =>
  (JSON.parse(text) as { error: Record<string, unknown> }).error;
const retryOf = ({ headers }: Got): string | null => headers.get('x-should-retry');

describe('an unknown model', () => {
  it.each([
    ['chat', { type: 'invalid_request_error', code: 'model_not_found', param: 'model' }],
    ['responses', { type: 'invalid_request_error', code: 'model_not_found', param: 'model' }],
    ['messages', { type: 'not_found_error' }],
    ['gemini', { code: 404, status: 'NOT_FOUND' }],
  ] as const)(
    'is 404 as callers of %s know it, with the names near it, and no second try',
    async (format, shape) => {
      const got = await ask(format, 'gpt-smal');
      expect(got.status).toBe(404);
      expect(errorOf(got)).toMatchObject(shape);
      expect(errorOf(got)['message']).toContain(
        'the model gpt-smal does not exist in group default or is not open to you; similar models: gpt-small',
      );
      expect(retryOf(got)).toBe('false');
    },
  );

  it('names the group to a caller whose group has no channels', async () => {
    const { user, key } = await scene.spender('moved', 1_000_000);
    await scene.server.parts.stores.managedUsers.update(user.id, { group: 'vip' });
    scene.server.parts.relay.invalidateUser(user.id);
    expect(errorOf(await ask('chat', 'gpt-small', key))['message']).toContain('in group vip');
  });

  it('that only another group has is refused without naming that group', async () => {
    expect((await ask('chat', 'gpt-secret')).status).toBe(404);
    const { text } = await ask('chat', 'gpt-secre');
    expect(text).not.toContain('gpt-secret');
    expect(text).not.toContain('gpt-unpriced');
  });

  it('is not named where the list of the token leaves it out', async () => {
    const { user, key } = await scene.spender('limited', 1_000_000);
    const page = await scene.server.parts.tokens.list(user, { page: 1, pageSize: 1 });
    const token = page.items[0];
    await scene.server.parts.tokens.update(user, token?.id ?? 0, {
      modelLimitsEnabled: true,
      modelLimits: ['gpt-large', 'gpt-xarge', 'gpt-smal'],
    });
    const unknown = [await ask('chat', 'gpt-smal', key), await ask('chat', 'gpt-xarge', key)];
    expect(unknown.map(({ status }) => status)).toEqual([404, 404]);
    expect(unknown.map(({ text }) => /similar models: ([\w-]+)/.exec(text)?.[1])).toEqual([
      undefined,
      'gpt-large',
    ]);
    const closed = await ask('chat', 'gpt-small', key);
    expect([closed.status, errorOf(closed)['code'], retryOf(closed)]).toEqual([
      403,
      'model_forbidden',
      'false',
    ]);
    const toClaude = await ask('messages', 'gpt-small', key);
    expect([toClaude.status, errorOf(toClaude)['type']]).toEqual([404, 'not_found_error']);
  });

  it('is refused for counting tokens and for reading about it, too', async () => {
    const counts = [
      await send(spender.key, '/v1/messages/count_tokens', { model: 'gpt-smal', messages: said }),
      await send(spender.key, '/v1/responses/input_tokens', { model: 'gpt-smal', input: 'hi' }),
      await send(spender.key, '/v1beta/models/gpt-smal:countTokens', {
        contents: [{ parts: [{ text: 'hi' }] }],
      }),
      await get('/v1/models/gpt-smal'),
    ];
    for (const got of counts) {
      expect([got.status, retryOf(got)]).toEqual([404, 'false']);
      expect(got.text).toContain('similar models: gpt-small');
    }
  });
});

describe('a model whose channels are all switched off', () => {
  it.each(ALL)('is 503 for callers of %s, who may try again', async (format) => {
    const got = await ask(format, 'gpt-resting');
    expect(got.status).toBe(503);
    expect(got.text).toContain('no available channels for model gpt-resting');
    expect(retryOf(got)).toBe('true');
  });
});

describe('a model without a price', () => {
  it('is in no list, and a call says that its price is missing', async () => {
    const got = await ask('chat', 'gpt-unpriced');
    expect([got.status, errorOf(got)['code'], retryOf(got)]).toEqual([400, 'model_price_error', 'false']);
    expect((await get('/v1/models/gpt-unpriced')).status).toBe(404);
    const listed = [await get('/v1/models'), await get('/v1beta/models')];
    for (const { text } of listed)
      expect([text.includes('gpt-small'), text.includes('gpt-unpriced')]).toEqual([true, false]);
    const offered = (await scene.asRoot('/api/user/models')).data;
    expect(offered).toContain('gpt-small');
    expect(offered).not.toContain('gpt-unpriced');
  });

  it('is listed for users who accepted to pay for such models', async () => {
    const { user, key } = await scene.spender('accepts', 1_000_000);
    const asUser = scene.stage.caller(await scene.stage.session(user));
    const body = { accept_unset_model_ratio_model: true };
    expect(await asUser('/api/user/setting', { method: 'PUT', body })).toMatchObject({ success: true });
    expect((await get('/v1/models', key)).text).toContain('gpt-unpriced');
  });
});

describe('what an upstream answers', () => {
  it.each([
    [400, 400, 'false', true],
    [401, 502, 'false', false],
    [402, 502, 'false', false],
    [403, 502, 'false', false],
    [404, 404, 'false', true],
    [405, 502, 'true', false],
    [408, 504, 'true', false],
    [409, 409, 'true', true],
    [413, 413, 'false', true],
    [415, 415, 'false', true],
    [422, 422, 'false', true],
    [429, 429, 'true', true],
    [451, 400, 'false', true],
    [500, 502, 'true', true],
    [501, 501, 'false', true],
    [502, 502, 'true', true],
    [503, 503, 'true', true],
    [504, 504, 'true', false],
    [524, 504, 'true', false],
    [529, 503, 'true', true],
  ])(
    '%i is %i to callers of every format (529 stays that in Messages), worth another try: %s',
    async (status, told, retry, isTold) => {
      for (const format of ALL) {
        const got = await ask(format, `status-${String(status)}`);
        const own = status === 529 && format === 'messages' ? 529 : told;
        const seen = [format, got.status, retryOf(got), got.text.includes('the words of the upstream')];
        expect(seen).toEqual([format, own, retry, isTold]);
      }
    },
  );
});

describe('an error that will not pass by itself is not retried', () => {
  it('a key that is not good, on every path a key is asked for', async () => {
    const answers = [
      await ask('chat', 'gpt-small', 'wrong'),
      await ask('messages', 'gpt-small', 'wrong'),
      await ask('gemini', 'gpt-small', 'wrong'),
      await get('/v1/models', 'wrong'),
      await get('/v1/responses/resp_1', 'wrong'),
      await send('wrong', '/v1/conversations', {}),
      await send('wrong', '/v1/messages/count_tokens', { model: 'x', messages: said }),
      await send('wrong', '/mj/submit/imagine', { prompt: 'x' }),
    ];
    for (const got of answers) expect([got.status, retryOf(got)]).toEqual([401, 'false']);
  });

  it('a WebSocket with a wrong key, with two, and at a path that is none', async () => {
    const opened = (path: string, more: Readonly<Record<string, string>>): Promise<string> =>
      new Promise((resolve, reject) => {
        const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
        const headers = { ...upgrade, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', ...more };
        request(`${scene.server.url}${path}`, { headers }, (response) => {
          response.resume();
          resolve(`${String(response.statusCode)} ${String(response.headers['x-should-retry'])}`);
        })
          .on('error', reject)
          .end();
      });
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const twice = { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.sk-other' };
    expect([
      await opened('/v1/realtime?model=gpt-small', bearer('wrong')),
      await opened('/v1/responses', bearer('wrong')),
      await opened('/v1/realtime?model=gpt-small', { ...bearer(`sk-${spender.key}`), ...twice }),
      await opened('/v1/nothing', bearer(`sk-${spender.key}`)),
    ]).toEqual(['401 false', '401 false', '400 false', '404 false']);
  });

  it('a body that does not read, and a path that is none', async () => {
    expect(retryOf(await send(spender.key, '/v1/chat/completions', '{'))).toBe('false');
    for (const path of ['/v1/nothing', '/v1/batches', '/v1beta/nothing', '/v1/messages/batches'])
      expect(retryOf(await send(spender.key, path, {}))).toBe('false');
  });
});
