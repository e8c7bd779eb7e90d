import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { type RunningProxy, startProxy } from '../../../simulator/proxy/start.ts';
import type { RunningServer } from '../../main.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** Channels that reach their upstream by way of a proxy, which alone knows its name. */

const PASSWORD = 'canary-of-a-proxy';
let scene: Scene;
let server: RunningServer;
let upstream: SmallUpstream;
let proxy: RunningProxy;
let root: User;
let call: Caller;
let payerKey: string;
/** A separate upstream for each test, because connections are reused. */
let name = '';
let tests = 0;

beforeAll(async () => {
  [upstream, proxy, scene] = await Promise.all([startSmallUpstream(), startProxy(), openScene()]);
  ({ server, root } = scene);
  call = scene.stage.caller({ ...(await scene.stage.session(root)), 'Accept-Language': 'zh' });
  payerKey = (await scene.spender('payer', 1_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  await Promise.all([upstream.close(), proxy.stop()]);
});
beforeEach(async () => {
  for (const { id } of await allChannels(server.parts.stores.channels))
    await server.parts.channels.delete(root, id);
  name = `upstream-${(tests += 1)}.example`;
  await proxy.set({
    fault: 'none',
    password: PASSWORD,
    name,
    to: new URL(upstream.url).host,
  });
});

const send = (method: string, path: string, body?: unknown): Promise<Got> =>
  call(path, { method, ...(body !== undefined && { body }) });
const address = (password = PASSWORD): string => `socks5://operator:${password}@${proxy.host}`;
const wish = (setting: object, more: object = {}) => ({
  type: 1,
  name: 'far',
  key: 'sk-1',
  models: 'gpt-4o-mini',
  base_url: `http://${name}`,
  setting: JSON.stringify(setting),
  ...more,
});
/** Makes the channel. @returns its id */
const made = async (setting: object, more: object = {}): Promise<number> => {
  expect((await send('POST', '/api/channel', wish(setting, more))).message).toBe('');
  return (await allChannels(server.parts.stores.channels))[0]?.id ?? 0;
};
const settingOf = async (id: number): Promise<unknown> =>
  JSON.parse(((await call(`/api/channel/${id}`)).data as { setting: string }).setting || '{}');
const set = async (key: string, value: string): Promise<void> => {
  expect((await send('PUT', '/api/option', { key, value })).message).toBe('');
};
/** A chat through the relay. @returns status and answer */
const chat = async (): Promise<[number, string]> => {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${payerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  });
  return [answer.status, await answer.text()];
};
const targets = async () => (await proxy.carried()).map(({ target }) => target);

describe.each(['socks5', 'http'])('a channel with a %s proxy', (scheme) => {
  it('is tested, asked for models and balance, and serves calls by way of it', async () => {
    const proxied = { proxy: address().replace('socks5', scheme) };
    const id = await made(proxied);
    expect(await call(`/api/channel/test/${id}`)).toMatchObject({ success: true });
    expect((await call(`/api/channel/fetch_models/${id}`)).data).toContain('gpt-small');
    expect(await call(`/api/channel/update_balance/${id}`)).toMatchObject({ success: true });
    const before = upstream.requests.length;
    expect(await chat()).toEqual([200, expect.stringContaining('Hi.')]);
    expect(upstream.requests.length).toBe(before + 1);
    const carried = await proxy.carried();
    expect(carried.length).toBeGreaterThan(0);
    for (const one of carried) expect(one).toMatchObject({ target: `${name}:80`, user: 'operator' });
  });
});

it.each(['refuse', 'close', 'nonsense'] as const)(
  'a proxy that fails (%s) fails one attempt: the call goes to the next channel',
  async (fault) => {
    await set('RetryTimes', '1');
    await made({ proxy: address() }, { priority: 10 });
    const direct = { ...wish({}), setting: '', base_url: upstream.url, name: 'near' };
    expect((await send('POST', '/api/channel', direct)).message).toBe('');
    await proxy.set({ fault });
    expect(await chat()).toEqual([200, expect.stringContaining('Hi.')]);
    const [row] = ((await call('/api/log?type=2&page_size=1')).data as { items: { other: string }[] }).items;
    const { admin_info: info } = JSON.parse(row?.other ?? '{}') as {
      admin_info: { attempts: { error?: string }[] };
    };
    expect(info.attempts.map(({ error }) => error)).toEqual([
      expect.stringContaining('the proxy of the channel'),
      undefined,
    ]);
    expect(row?.other).not.toContain(PASSWORD);
    await set('RetryTimes', '0');
  },
);

describe('the password of a proxy', () => {
  it('is sealed, shown to nobody and logged nowhere, and stays when it comes back masked', async () => {
    const id = await made({ proxy: address(), idle_timeout_ms: 9000 });
    const masked = { idle_timeout_ms: 9000, proxy: address('******') };
    expect(await settingOf(id)).toEqual(masked);
    expect((await call('/api/channel')).text).not.toContain(PASSWORD);
    const stored = (await server.parts.stores.channels.byId(id))?.setting ?? '';
    expect(stored).not.toContain(PASSWORD);

    const change = { id, setting: JSON.stringify({ ...masked, idle_timeout_ms: 8000 }) };
    expect((await send('PUT', '/api/channel', change)).text).not.toContain(PASSWORD);
    expect(await settingOf(id)).toEqual({ ...masked, idle_timeout_ms: 8000 });
    expect(await call(`/api/channel/test/${id}`)).toMatchObject({ success: true });

    await proxy.set({ password: 'another' });
    await made({ proxy: address() }, { base_url: 'http://new.example' });
    const refused = await call(`/api/channel/test/${id + 1}`);
    expect(refused).toMatchObject({ success: false, message: '上游出错：渠道的代理拒绝了用户名或密码' });
    expect(scene.log.lines.join('\n') + refused.text).not.toContain(PASSWORD);
    const logs = await call(`/api/log?type=${logType.manage}`);
    expect(logs.text).not.toContain(PASSWORD);
  });

  it('goes to its own proxy alone: another address or user needs it again', async () => {
    const id = await made({ proxy: address() });
    for (const other of [
      'socks5://operator:******@proxy.example:1080',
      address('******').replace('operator', 'somebody'),
      address('******').replace('socks5', 'http'),
    ]) {
      const answer = await send('PUT', '/api/channel', {
        id,
        key: 'sk-1',
        setting: JSON.stringify({ proxy: other }),
      });
      expect(answer.message).toBe(
        `密码只会发送到 socks5://operator@${proxy.host}：修改代理时，请重新填写代理密码`,
      );
    }
    expect(await settingOf(id)).toEqual({ proxy: address('******') });
    // Nobody puts a sealed text there, wherever it is from.
    const sealed = JSON.stringify({ proxy: `socks5://operator@${proxy.host}`, proxy_password: 'stolen' });
    await send('PUT', '/api/channel', { id, key: 'sk-1', setting: sealed });
    expect((await server.parts.stores.channels.byId(id))?.setting).not.toContain('stolen');
  });

  it('that another program has written in the open is not shown, and is sealed with the next change', async () => {
    const id = await made({});
    const open = JSON.stringify({ proxy: address() });
    await server.parts.stores.channels.update(id, { setting: open });
    await server.parts.refreshRouting();
    expect(await settingOf(id)).toEqual({ proxy: address('******') });
    expect(await call(`/api/channel/test/${id}`)).toMatchObject({ success: true });
    const masked = JSON.stringify({ proxy: address('******'), idle_timeout_ms: 9000 });
    expect((await send('PUT', '/api/channel', { id, setting: masked })).message).toBe('');
    expect((await server.parts.stores.channels.byId(id))?.setting).not.toContain(PASSWORD);
    expect(await call(`/api/channel/test/${id}`)).toMatchObject({ success: true });
  });

  it('goes with the proxy, and with the channel that is copied', async () => {
    const id = await made({ proxy: address() });
    expect((await send('POST', `/api/channel/copy/${id}`, {})).success).toBe(true);
    const [copy] = (await allChannels(server.parts.stores.channels)).toSorted(
      (left, right) => right.id - left.id,
    );
    expect(await call(`/api/channel/test/${copy?.id ?? 0}`)).toMatchObject({ success: true });
    await send('PUT', '/api/channel', { id, setting: '' });
    expect((await server.parts.stores.channels.byId(id))?.setting).toBe('');
  });
});

describe('a proxy that is refused', () => {
  it.each([
    ['proxy.example:1080', '代理地址须为'],
    ['ftp://proxy.example', '代理地址须为'],
    ['http://proxy.example/path', '代理地址须为'],
    [7, '代理地址须为'],
  ])('%s, in words of the reader', async (given, words) => {
    const answer = await send('POST', '/api/channel', wish({ proxy: given }));
    expect([answer.success, answer.message]).toEqual([false, expect.stringContaining(words)]);
  });

  it('an upstream that is not reached over TLS shows its key to a proxy: another needs the key again', async () => {
    const id = await made({ proxy: address() });
    const other = JSON.stringify({ proxy: `http://${proxy.host}` });
    expect((await send('PUT', '/api/channel', { id, setting: other })).message).toContain('请重新填写密钥');
    expect((await send('PUT', '/api/channel', { id, key: 'sk-2', setting: other })).message).toBe('');
    const secure = await send('PUT', '/api/channel', {
      id,
      key: 'sk-2',
      base_url: `https://${name}`,
    });
    expect(secure.message).toBe('');
    expect((await send('PUT', '/api/channel', { id, setting: '{"proxy":"http://p.example"}' })).message).toBe(
      '',
    );
  });

  it('models of a channel that is not saved yet are asked for by way of it', async () => {
    const body = { type: 1, base_url: `http://${name}`, key: 'sk-1' };
    expect((await send('POST', '/api/channel/fetch_models', { ...body, proxy: address() })).data).toContain(
      'gpt-small',
    );
    expect(await targets()).toEqual([`${name}:80`]);
    const masked = await send('POST', '/api/channel/fetch_models', { ...body, proxy: address('******') });
    expect(masked.message).toContain('请重新填写代理密码');
  });
});

it('without leave from the environment no proxy inside the network is saved', async () => {
  const strict = await openScene({ TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'false' });
  for (const at of [
    'http://127.0.0.1:3128',
    'socks5://localhost',
    'socks5://u:p@[::1]:1080',
    'http://10.0.0.1',
  ]) {
    const body = wish({ proxy: at }, { base_url: `https://${name}` });
    const answer = await strict.asRoot('/api/channel', { method: 'POST', body });
    expect([at, answer.message]).toEqual([
      at,
      'the proxy is refused: the address is not on the public internet; TOLLGATE_ALLOW_PRIVATE_UPSTREAMS=true allows that',
    ]);
  }
  await strict.close();
});
