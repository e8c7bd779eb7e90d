import { beforeAll, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { callerScene } from '../../http/testing/caller-scene.ts';
import type { Spender } from '../../http/testing/scene.ts';

/** What a channel's overrides change of the request that goes out, and that it is held for (docs/overrides.md). */

type Fields = Readonly<Record<string, unknown>>;

const here = callerScene();

const priced: Record<string, number> = {};
/** A channel with these rules, alone with its model. */
const channel = async (model: string, overrides: readonly object[], more: object = {}): Promise<void> => {
  await here.scene.stage.channel(here.scene.root, {
    baseUrl: here.upstream.url,
    models: model,
    setting: JSON.stringify({ overrides }),
    ...more,
  });
  priced[model] = 1;
  await here.scene.set('ModelRatio', JSON.stringify(priced));
};
const ask = async (path: string, body: object, headers: object = {}, { key }: Spender = here.alice) => {
  const reply = await here.post(path, body, { authorization: `Bearer sk-${key}`, ...headers });
  const text = await reply.text();
  const sent = here.upstream.requests.at(-1);
  return {
    status: reply.status,
    text,
    headers: sent?.headers ?? {},
    body: JSON.parse(sent?.body ?? '{}') as Fields,
  };
};
const messages = [{ role: 'user', content: 'Hi' }];
const CHAT = '/v1/chat/completions';

const lastHold = async ({ user }: Spender = here.alice): Promise<number> => {
  const page = await here.scene.server.parts.stores.logs.page(
    { userId: user.id, type: 2 },
    { page: 1, pageSize: 1 },
  );
  return (JSON.parse(page.items[0]?.other ?? '{}') as { hold_units: number }).hold_units;
};

describe('rules of a channel', () => {
  it('change body and headers, in their order, and nothing of who sends it', async () => {
    await channel('ruled', [
      { op: 'set', path: 'provider.sort', value: 'price' },
      { op: 'delete', path: 'user' },
      { op: 'replace', path: 'messages.*.content', find: 'Claude *,', value: 'you,' },
      { op: 'append', path: 'stop', value: ['END'] },
      { op: 'set', on: 'header', path: 'X-Site', value: 'ours' },
      { op: 'pass', on: 'header', path: 'x-stainless-*' },
    ]);
    const sent = await ask(
      CHAT,
      { model: 'ruled', user: 'u', messages: [{ role: 'user', content: 'Hi Claude Code, go' }] },
      { 'x-stainless-os': 'Linux', 'x-stainless-token': 'caller-secret', 'x-other': 'no', cookie: 'a=b' },
    );
    expect(sent.status).toBe(200);
    expect(sent.body).toEqual({
      model: 'ruled',
      messages: [{ role: 'user', content: 'Hi you, go' }],
      provider: { sort: 'price' },
      stop: ['END'],
    });
    expect(sent.headers).toMatchObject({ 'x-site': 'ours', 'x-stainless-os': 'Linux' });
    for (const name of ['x-stainless-token', 'x-other', 'cookie']) expect(sent.headers[name]).toBeUndefined();
    expect(sent.headers.authorization).not.toContain(here.alice.key);
  });

  it('hold only where model, group and header of the caller fit', async () => {
    await channel('ruled-a,ruled-b', [
      { op: 'set', path: 'a', value: 1, when: { model: 'ruled-b' } },
      { op: 'set', path: 'b', value: 1, when: { header: { name: 'user-agent', value: 'codex*' } } },
      { op: 'set', path: 'c', value: 1, when: { group: 'vip' } },
      { op: 'set', path: 'd', value: 1, when: { group: 'default' } },
    ]);
    await here.scene.set('ModelRatio', JSON.stringify({ ...priced, 'ruled-a': 1, 'ruled-b': 1 }));
    const first = await ask(CHAT, { model: 'ruled-a', messages });
    expect(first.body).toEqual({ model: 'ruled-a', messages, d: 1 });
    const second = await ask(CHAT, { model: 'ruled-b', messages }, { 'user-agent': 'codex_cli/1' });
    expect(second.body).toEqual({ model: 'ruled-b', messages, a: 1, b: 1, d: 1 });
  });

  it('are about what goes out: of a converted request its fields at the upstream', async () => {
    await channel('ruled-c', [
      { op: 'delete', path: 'max_tokens' },
      { op: 'set', path: 'seed', value: 7 },
    ]);
    const sent = await ask('/v1/messages', { model: 'ruled-c', max_tokens: 9, messages });
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({ seed: 7 });
    expect(sent.body).not.toHaveProperty('max_tokens');
  });

  it('hold for bodies that another thread reads', async () => {
    await channel('ruled-far', [
      { op: 'replace', path: 'messages.0.content', find: 'needle', value: 'thread' },
      { op: 'set', path: 'far', value: true, when: { header: { name: 'x-far' } } },
    ]);
    const content = `${'x'.repeat(700_000)} needle`;
    const sent = await ask(
      CHAT,
      { model: 'ruled-far', messages: [{ role: 'user', content }] },
      { 'x-far': '1' },
    );
    expect(sent.status).toBe(200);
    expect(sent.body['far']).toBe(true);
    expect(JSON.stringify(sent.body).slice(-60)).toContain('thread');
  });

  it('do not touch a body that its channel passes on, however large it is; those of headers hold', async () => {
    const overrides = [
      { op: 'set', path: 'never', value: 1 },
      { op: 'set', on: 'header', path: 'x-site', value: 'ours' },
    ];
    const setting = JSON.stringify({ overrides, pass_through_body_enabled: true });
    await channel('ruled-passed', [], { setting, paramOverride: '{"temperature":0}' });
    for (const content of ['Hi', 'x'.repeat(700_000)]) {
      const body = { model: 'ruled-passed', messages: [{ role: 'user', content }] };
      const sent = await ask(CHAT, body);
      expect(sent.status).toBe(200);
      expect(here.upstream.requests.at(-1)?.body === JSON.stringify(body)).toBe(true);
      expect(sent.headers['x-site']).toBe('ours');
    }
  });

  it('set, change and remove the fields of a form', async () => {
    await channel('ruled-form', [
      { op: 'set', path: 'response_format', value: 'b64_json' },
      { op: 'delete', path: 'user' },
      { op: 'append', path: 'prompt', value: ', in oil' },
    ]);
    const form = new FormData();
    for (const [name, value] of [
      ['model', 'ruled-form'],
      ['prompt', 'a cat'],
      ['user', 'somebody'],
    ] as const)
      form.set(name, value);
    form.set('image', new Blob(['PNG'], { type: 'image/png' }), 'cat.png');
    const reply = await fetch(`${here.scene.server.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${here.alice.key}` },
      body: form,
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('AAAA')]);
    const { body } = here.upstream.requests.at(-1) ?? { body: '' };
    expect(body).toContain('a cat, in oil');
    expect(body).toMatch(/name="response_format"\r\n\r\nb64_json/);
    expect(body).not.toContain('somebody');
    expect(body).toContain('PNG');
  });
});

describe('what is held is what goes upstream', () => {
  const heldFor = async (model: string, body: object = {}): Promise<number> => {
    const { status, text } = await ask(CHAT, { model, messages, max_tokens: 10, ...body });
    expect([status, text]).toEqual([200, expect.stringContaining('Hi.')]);
    return lastHold();
  };
  let plain: number;
  beforeAll(async () => {
    await channel('held-plain', []);
    plain = await heldFor('held-plain');
  });

  it.each([
    ['max-tokens', [{ op: 'set', path: 'max_tokens', value: 1010 }], 1000],
    ['max-nested', [{ op: 'set', path: 'options.num_predict', value: 1010 }], 1000],
    ['no-limit', [{ op: 'delete', path: 'max_tokens' }], 4086],
    ['answers', [{ op: 'set', path: 'n', value: 3 }], 20],
    ['answers-appended', [{ op: 'append', path: 'n', value: 3 }], 20],
    ['nested-appended', [{ op: 'append', path: 'options.num_predict', value: 1010 }], 1000],
    ['shorter', [{ op: 'set', path: 'max_tokens', value: 5 }], 0],
    ['other-model', [{ op: 'set', path: 'max_tokens', value: 5000, when: { model: 'none-*' } }], 0],
  ])('%s', async (name, rules, more) => {
    await channel(`held-${name}`, rules);
    expect((await heldFor(`held-${name}`)) - plain).toBe(more);
  });

  it('of a prompt that one rule lengthens and another changes', async () => {
    const content = 'word '.repeat(1000);
    const append = { op: 'append', path: 'messages', value: [{ role: 'system', content }] };
    await channel('held-appended', [append]);
    const held = await heldFor('held-appended');
    expect(held).toBeGreaterThan(1000);
    await channel('held-appended-set', [append, { op: 'set', path: 'messages.0.name', value: 'x' }]);
    expect(await heldFor('held-appended-set')).toBeGreaterThanOrEqual(held);
  });

  it.each(['set', 'append', 'replace'])('of a dearer tier that a rule asks for by %s', async (op) => {
    const model = `held-tier-${op}`;
    await here.scene.set('PriceDimensions', JSON.stringify({ [model]: { tiers: { priority: 4 } } }));
    const find = op === 'replace' ? { find: '*' } : {};
    await channel(model, [{ op, path: 'service_tier', value: 'priority', ...find }]);
    const asked = op === 'replace' ? { service_tier: 'auto' } : {};
    const held = await heldFor(model, asked);
    expect(held).toBe(4 * (await heldFor('held-plain', asked)));
    await heldFor(model, asked);
    expect(JSON.parse(here.upstream.requests.at(-1)?.body ?? '{}')).toMatchObject({
      service_tier: 'priority',
    });
  });

  it('of whole fields as of rules, and of the dearest channel it may go to', async () => {
    await channel('held-merged', [], { paramOverride: '{"max_tokens":510}' });
    await channel('held-merged', []);
    expect((await heldFor('held-merged')) - plain).toBe(500);
  });

  it.each([
    ['{"max_tokens":-1}', 4000],
    ['{"n":1000}', 127 * 10],
  ])('and %s, which was saved before such was refused, is held for', async (paramOverride, more) => {
    const model = `held-old-${paramOverride.length}`;
    const { channels } = here.scene.server.parts.stores;
    await channel(model, []);
    const row = (await allChannels(channels)).find(({ models }) => models === model);
    await channels.update(row?.id ?? 0, { paramOverride });
    // The next thing that is changed has the channels read again.
    await channel(`${model}-other`, []);
    expect((await heldFor(model)) - plain).toBeGreaterThanOrEqual(more);
  });

  it('and nobody with less gets an answer that is longer than is held', async () => {
    const poor = await here.scene.spender('poor', 3000);
    await channel('held-poor', [{ op: 'set', path: 'max_tokens', value: 100_000 }]);
    const { status, body } = await ask(CHAT, { model: 'held-poor', messages, max_tokens: 10 }, {}, poor);
    expect(status).toBe(200);
    expect(body['max_tokens']).toBeLessThanOrEqual(3000);
    expect(await lastHold(poor)).toBeLessThanOrEqual(3000);
    expect(Number(body['max_tokens'])).toBeGreaterThan(1000);
  });
});
