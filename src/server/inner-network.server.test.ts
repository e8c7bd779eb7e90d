import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { typedChannel } from '#core/channel/testing/channel.ts';
import { drawing } from '#core/task/testing/drawing.ts';
import { hangUp, listening } from './outbound/testing/local-server.ts';
import { createCaller } from './http/testing/caller.ts';
import { openScene, type Scene } from './http/testing/scene.ts';

/**
 * A server on this machine, and every way in which this program can be made to connect to it, by however it is spelled, where the
 * environment gives no leave. Only connections are counted: what is refused with words was not called. Webhooks are in
 * `inner-webhooks.server.test.ts`.
 */

let inner: Server;
let port: string;
let connections = 0;
let scene: Scene;

const HOSTS = [
  '127.0.0.1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '127.0.0.1.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[::127.0.0.1]',
] as const;

beforeAll(async () => {
  inner = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  inner.on('connection', () => (connections += 1));
  port = new URL(await listening(inner)).port;
  scene = await openScene({
    TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'false',
    TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: 'false',
    TOLLGATE_ALLOW_PRIVATE_MAIL: 'false',
  });
});
afterAll(async () => {
  await scene.close();
  hangUp(inner);
});

/** A channel that was saved when it was allowed, or by hand. */
const stored = async (fields: object): Promise<number> => {
  const { stores, refreshRouting } = scene.server.parts;
  const [id = 0] = await stores.channels.create([
    {
      ...typedChannel,
      name: 'old',
      models: 'm',
      createdAtMs: 0,
      keyMac: 'mac',
      encryptKey: (of) => stores.vault.encrypt('sk-canary', `channel:${of}`),
      ...fields,
    },
  ]);
  await refreshRouting();
  return id;
};
/** Whatever is not refused when it is saved is asked. */
const set = (key: string, value: string): Promise<unknown> =>
  scene.server.parts.stores.options.set(key, value, 1).then(() => scene.server.parts.refreshRouting());
const ask = (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
  scene.asRoot(path, { method, ...(body !== undefined && { body }) });

type Way = (url: string, host: string) => Promise<unknown>;

let drawings = 0;
const ways: Readonly<Record<string, Way>> = {
  'the address of a channel that is saved': (base_url) =>
    ask('/api/channel', { name: 'n', key: 'sk-canary', models: 'm', base_url }),
  'the test of a channel': async (baseUrl) => ask(`/api/channel/test/${await stored({ baseUrl })}`),
  'the test of a channel that is not saved': (base_url) =>
    ask('/api/channel/test', { name: 'n', key: 'sk-canary', models: 'm', base_url }),
  'the prices of a channel that is not saved': (base_url) =>
    ask('/api/channel/prices', { name: 'n', key: 'sk-canary', models: 'm', base_url }),
  'the models of a channel': async (baseUrl) => ask(`/api/channel/fetch_models/${await stored({ baseUrl })}`),
  'the models of a channel that is not saved': (base_url) =>
    ask('/api/channel/fetch_models', { base_url, type: 1, key: 'sk-canary' }),
  'the balance of a channel': async (baseUrl) =>
    ask(`/api/channel/update_balance/${await stored({ baseUrl })}`),
  'the proxy of a channel': async (url) => {
    const at = url.replace('http://', '');
    for (const scheme of ['http', 'https', 'socks5'])
      await ask(
        `/api/channel/test/${await stored({ baseUrl: 'https://up.example', setting: JSON.stringify({ proxy: `${scheme}://${at}` }) })}`,
      );
  },
  'the proxy of models that are asked for': (url) =>
    ask('/api/channel/fetch_models', {
      base_url: 'https://up.example',
      type: 1,
      key: 'sk-canary',
      proxy: url,
    }),
  'where a service account gets its token': async (url) => {
    const key = JSON.stringify({
      type: 'service_account',
      project_id: 'p',
      private_key_id: 'k',
      private_key: 'x',
      client_email: 'a@b.example',
      token_uri: url,
    });
    return ask('/api/channel/fetch_models', { base_url: '', type: 41, key, other: 'us-central1' });
  },
  'a call': async (baseUrl) => {
    await stored({ baseUrl, models: 'called' });
    await set('ModelRatio', '{"called":1}');
    const { key } = await scene.spender(`caller${(drawings += 1)}`, 10_000);
    return createCaller(scene.server.url, { Authorization: `Bearer sk-${key}` })('/v1/chat/completions', {
      method: 'POST',
      body: { model: 'called', messages: [{ role: 'user', content: 'hi' }] },
    });
  },
  'the picture of a drawing': async (imageUrl) => {
    const publicId = `drawing-${(drawings += 1)}`;
    await scene.server.parts.stores.tasks.create(drawing({ publicId, imageUrl }));
    return fetch(`${scene.server.url}/mj/image/${publicId}`);
  },
  'the mail server': async (_, host) => {
    await set('SMTPServer', host.replace(/^\[|\]$/g, ''));
    await set('SMTPPort', port);
    await set('SMTPFrom', 'gate@site.example');
    return ask('/api/option/test_mail', { to: 'somebody@site.example' });
  },
  'pages of what is up': async (url) => {
    const group = { id: 1, categoryName: 'c', url, slug: 's', description: '' };
    await set('console_setting.uptime_kuma_groups', JSON.stringify([group]));
    return ask('/api/uptime/status');
  },
  'the description of an OpenID service': async (url) => {
    for (const [key, value] of [
      ['oidc.client_id', 'c'],
      ['oidc.client_secret', ''],
      ['oidc.enabled', 'true'],
      ['oidc.well_known', `${url}/.well-known/openid-configuration`],
    ] as const)
      await set(key, value);
    return createCaller(scene.server.url)('/api/oauth/state?provider=oidc');
  },
  'the token of an OpenID service': async (url) => {
    await set('oidc.well_known', '');
    await set('oidc.authorization_endpoint', 'https://service.example/authorize');
    await set('oidc.token_endpoint', `${url}/token`);
    await set('oidc.user_info_endpoint', `${url}/userinfo`);
    const begun = await createCaller(scene.server.url)('/api/oauth/state?provider=oidc');
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return createCaller(scene.server.url, { cookie })(`/api/oauth/oidc?code=c&state=${String(begun.data)}`);
  },
  'the server of a WeChat account': async (url) => {
    await set('WeChatServerAddress', url);
    await set('WeChatAuthEnabled', 'true');
    return createCaller(scene.server.url)('/api/oauth/wechat?code=1');
  },
  'where releases are': async (url) => {
    await set('UpdateCheckUrl', url);
    return ask('/api/update');
  },
  'a list of prices': (url) => ask('/api/price_book/compare', { url }),
  'a worker': async (url) => {
    await set('WorkerUrl', url);
    const got = await ask('/api/price_book/compare', { url: 'https://prices.example/list' });
    await set('WorkerUrl', '');
    return got;
  },
};

it('this machine can be reached at all', async () => {
  await fetch(`http://127.0.0.1:${port}/`);
  expect(connections).toBe(1);
  connections = 0;
});

describe('nothing on this machine hears of', () => {
  it.each(Object.entries(ways))('%s', async (_, way) => {
    for (const host of HOSTS) {
      await way(`http://${host}:${port}`, host);
      expect([host, connections]).toEqual([host, 0]);
    }
  });
});

it('nor does an admin who asks for it', async () => {
  const { stage } = scene;
  const asAdmin = stage.caller(await stage.session(await stage.person('admin', role.admin)));
  for (const host of HOSTS) {
    const url = `http://${host}:${port}`;
    for (const [path, body] of [
      ['/api/price_book/compare', { url }],
      ['/api/channel/fetch_models', { base_url: url, type: 1, key: 'sk-canary' }],
    ] as const)
      expect((await asAdmin(path, { method: 'POST', body })).success).not.toBe(true);
  }
  expect(connections).toBe(0);
});
