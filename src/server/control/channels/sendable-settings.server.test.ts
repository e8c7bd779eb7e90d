import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** What ends in a header, a path or an address is refused when it is saved, not by every call later. */

let scene: Scene;
let upstream: SmallUpstream;
let asRoot: Caller;

beforeAll(async () => {
  [scene, upstream] = [await openScene(), await startSmallUpstream()];
  ({ asRoot } = scene);
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const wish = () => ({
  type: 1,
  name: 'one',
  key: 'sk-a-good-key-of-the-house',
  models: 'gpt-small',
  base_url: upstream.url,
});

/** A field of a channel with what it may not hold, and what the refusal must name. */
const unsendable: readonly (readonly [object, string])[] = [
  [{ key: 'sk-密钥' }, '“密” (U+5BC6) at character 4'],
  [{ key: 'sk-abcdefgh，备注' }, '“，” (U+FF0C) at character 12'],
  [{ key: 'sk-🔑' }, '“🔑” (U+1F511) at character 4'],
  [{ key: 'sk-\u0007bell' }, 'U+0007 at character 4'],
  [{ key: 'sk-“quoted”' }, '““” (U+201C) at character 4'],
  [{ key: 'sk-é' }, '“é” (U+00E9) at character 4'],
  [{ openai_organization: 'org-组织' }, '“组” (U+7EC4) at character 5'],
  [{ openai_organization: 'org\r\nx-evil: 1' }, 'U+000D at character 4'],
  [{ type: 17, other: '插件' }, '“插” (U+63D2) at character 1'],
  [{ type: 17, other: '{"a":1,\n"b":2}' }, 'U+000A at character 8'],
  [{ type: 41, other: '{"default": us-central1}' }, '{"default": us-central1}'],
  [{ type: 41, other: 'us-central1/../x' }, 'us-central1/../x'],
  [{ type: 41, other: '{"default":"global","claude":"中国"}' }, '中国'],
  [{ base_url: 'http://127.0.0.1:9/a b' }, 'U+0020 at character 21'],
  [{ base_url: 'http://127.0.0.1:9/a\nb' }, 'U+000A at character 21'],
  [{ base_url: String.raw`http://127.0.0.1:9\@example.com` }, '“\\” (U+005C) at character 19'],
  [{ models: 'gpt-small\ngpt-large' }, 'U+000A at character 10'],
  [{ models: 'gpt-small,half \ud800' }, 'U+D800 at character 6'],
  [{ model_mapping: '{"gpt-small":"a\\tb"}' }, 'U+0009 at character 2'],
  [{ model_mapping: '{"gpt-small":"\\ud83d"}' }, 'U+D83D at character 1'],
  [{ test_model: 'a\u0001b' }, 'U+0001 at character 2'],
  [{ setting: '{"overrides":[{"op":"set","on":"header","path":"x-a","value":"密"}]}' }, 'overrides.0.value'],
  [{ setting: '{"overrides":[{"op":"set","on":"header","path":"x-密","value":"a"}]}' }, 'overrides.0.path'],
  [{ setting: '{"proxy":"http://127.0.0.1:9/\\nx"}' }, 'proxy'],
];

describe.each(unsendable)('a channel with %j', (fields, named) => {
  it('is neither made nor tried, and the refusal names the character', async () => {
    const before = (await allChannels(scene.server.parts.stores.channels)).length;
    const body = { ...wish(), ...fields };
    for (const path of ['/api/channel', '/api/channel/test']) {
      const got = await asRoot(path, { method: 'POST', body });
      expect([path, got.success, got.message]).toEqual([path, false, expect.stringContaining(named)]);
    }
    expect((await allChannels(scene.server.parts.stores.channels)).length).toBe(before);
  });

  it('cannot be edited into a sound channel either', async () => {
    const { id } = await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'gpt-small' });
    const got = await asRoot('/api/channel', { method: 'PUT', body: { id, key: wish().key, ...fields } });
    expect([got.success, got.message]).toEqual([false, expect.stringContaining(named)]);
  });
});

it('keys of a pool, and keys used to list models, are checked in the same way', async () => {
  const { id } = await scene.stage.pool(scene.root, {
    key: 'sk-good-key-number-one\nsk-good-key-number-two',
  });
  const [first] = await scene.stage.keysOf(id);
  const wrong = 'sk-密';
  for (const [method, path, body] of [
    ['POST', `/api/channel/${id}/keys`, { keys: wrong }],
    ['POST', `/api/channel/${id}/keys/preview`, { keys: wrong }],
    ['PUT', `/api/channel/${id}/keys/${first?.id}`, { key: wrong }],
    ['POST', '/api/channel/fetch_models', { type: 1, base_url: upstream.url, key: wrong }],
  ] as const) {
    const got = await asRoot(path, { method, body });
    expect([path, got.success, got.message]).toEqual([
      path,
      false,
      expect.stringContaining('“密” (U+5BC6) at character 4'),
    ]);
  }
  expect(upstream.requests).toEqual([]);
});

it('headers set by users and by the site are checked as well', async () => {
  const secret = { notify_type: 'webhook', webhook_url: 'https://example.com', webhook_secret: '密' };
  const users = await asRoot('/api/user/setting', { method: 'PUT', body: secret });
  expect([users.success, users.message]).toEqual([false, expect.stringContaining('“密” (U+5BC6)')]);
  await expect(scene.set('WeChatServerToken', '密')).rejects.toThrow('“密” (U+5BC6)');
});

it('everything that can be sent is accepted: names in every script, spaces inside a key, an account of many lines', async () => {
  const account = JSON.stringify(
    { type: 'service_account', note: '服务账号', private_key: 'a' },
    undefined,
    1,
  );
  for (const fields of [
    { models: '通义千问,模型-é,🦙' },
    { key: 'two words' },
    { base_url: `${upstream.url}/路径` },
    { type: 41, base_url: '', key: account },
    { model_mapping: '{"gpt-small":"通义千问"}' },
    { type: 17, other: '{"web_search": {}}' },
    { type: 41, key: account, other: '{"default": "us-central1", "claude-sonnet-4-5": "us-east5"}' },
  ]) {
    const got = await asRoot('/api/channel', { method: 'POST', body: { ...wish(), ...fields } });
    expect([fields, got.message]).toEqual([fields, '']);
  }
});
