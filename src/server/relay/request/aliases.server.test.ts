import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** Names that stand for models: of the site, before anything is decided, and of a channel, last of all. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
/** Her key that may call one model. */
let limited: Spender;

const ALIASES = {
  fast: 'small-1',
  'turbo-*': 'small-1',
  'first-*': '*-1',
  'small-old': 'small-1',
  chain: 'fast',
  seek: 'small-search-preview',
  gone: 'nobody-has-it',
};

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  const { stage, root, server } = scene;
  await stage.channel(root, {
    baseUrl: upstream.url,
    models: 'small-1,turbo-real,small-old,small-search-preview',
  });
  await stage.channel(root, {
    baseUrl: upstream.url,
    models: 'claude-a-latest,claude-b-latest',
    modelMapping: '{"claude-*-latest":"anthropic/claude-*","claude-b-latest":"whole"}',
  });
  await scene.set(
    'ModelRatio',
    JSON.stringify({
      'small-1': 3,
      'small-search-preview': 3,
      'turbo-real': 1,
      'small-old': 1,
      'claude-a-latest': 1,
      'claude-b-latest': 1,
    }),
  );
  await scene.set('global.model_aliases', JSON.stringify(ALIASES));
  alice = await scene.spender('alice', 100_000_000);
  const wish = {
    ...unlimitedToken,
    name: 'limited',
    modelLimitsEnabled: true,
    modelLimits: ['small-1', 'turbo-x'],
  };
  const made = await server.parts.tokens.create(alice.user, wish, 1);
  limited = { ...alice, key: made[0]?.key ?? '' };
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const ask = async (path: string, body: object, { key } = alice) => {
  const reply = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text(), sent: upstream.requests.at(-1) };
};
const messages = [{ role: 'user', content: 'Hi' }];
const sentModel = (sent: { readonly body: string } | undefined): unknown =>
  (JSON.parse(sent?.body ?? '{}') as { model?: unknown }).model;
const lastRow = async () => {
  const page = await scene.server.parts.stores.logs.page(
    { userId: alice.user.id, type: 2 },
    { page: 1, pageSize: 1 },
  );
  const [row] = page.items;
  return { model: row?.model, units: row?.quotaUnits, other: JSON.parse(row?.other ?? '{}') as object };
};

describe('a name of the site', () => {
  it.each([
    ['fast', 'small-1'],
    ['turbo-anything', 'small-1'],
    ['first-small', 'small-1'],
    ['chain', 'small-1'],
    ['small-old', 'small-1'],
    // A channel lists it, so no pattern takes it.
    ['turbo-real', 'turbo-real'],
  ])('%s is the model %s: sent, priced and logged as it', async (asked, model) => {
    const { status, sent } = await ask('/v1/chat/completions', { model: asked, messages });
    expect([status, sentModel(sent)]).toEqual([200, model]);
    const row = await lastRow();
    expect(row.model).toBe(model);
    expect(row.units).toBe(model === 'small-1' ? 30 : 10);
    expect(row.other).toMatchObject(model === asked ? {} : { asked_model: asked });
  });

  it('counts for every kind of body: converted, read in another thread, a form, and what only counts', async () => {
    const converted = await ask('/v1/messages', { model: 'fast', max_tokens: 9, messages });
    expect([converted.status, sentModel(converted.sent)]).toEqual([200, 'small-1']);
    const content = 'x'.repeat(700_000);
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const far = await ask(path, { model: 'fast', max_tokens: 9, messages: [{ role: 'user', content }] });
      expect([far.status, sentModel(far.sent)]).toEqual([200, 'small-1']);
      expect(await lastRow()).toMatchObject({ model: 'small-1', other: { asked_model: 'fast' } });
    }
    const form = new FormData();
    form.set('model', 'fast');
    form.set('prompt', 'a cat');
    form.set('image', new Blob(['PNG'], { type: 'image/png' }), 'cat.png');
    const edited = await fetch(`${scene.server.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${alice.key}` },
      body: form,
    });
    expect([edited.status, await edited.text()]).toEqual([200, expect.stringContaining('AAAA')]);
    expect(upstream.requests.at(-1)?.body).toMatch(/name="model"\r\n\r\nsmall-1\r\n/);
    const gemini = await ask('/v1beta/models/fast:generateContent', {
      contents: [{ parts: [{ text: 'Hi' }] }],
    });
    expect([gemini.status, sentModel(gemini.sent)]).toEqual([200, 'small-1']);
    const counted = await ask('/v1/messages/count_tokens', { model: 'fast', messages });
    expect(counted.status).toBe(200);
  });

  it('holds for the searches of the model it stands for, also where another thread reads the body', async () => {
    const hold = async (model: string, content: string): Promise<unknown> => {
      const said = [{ role: 'user', content }];
      const { status } = await ask('/v1/chat/completions', { model, max_tokens: 9, messages: said });
      expect(status).toBe(200);
      return (await lastRow()).other;
    };
    for (const content of ['Hi', 'x'.repeat(700_000)]) {
      const { hold_units: ofName } = (await hold('small-search-preview', content)) as { hold_units: number };
      const { hold_units: plain } = (await hold('small-1', content)) as { hold_units: number };
      expect(ofName).toBeGreaterThan(plain);
      expect(await hold('seek', content)).toMatchObject({ hold_units: ofName });
    }
  });

  it('opens nothing to a key: what it stands for must be allowed, whatever the name', async () => {
    expect((await ask('/v1/chat/completions', { model: 'fast', messages }, limited)).status).toBe(200);
    expect((await ask('/v1/chat/completions', { model: 'turbo-real', messages }, limited)).status).toBe(403);
    await scene.set('global.model_aliases', JSON.stringify({ ...ALIASES, 'turbo-x': 'turbo-real' }));
    const refused = await ask('/v1/chat/completions', { model: 'turbo-x', messages }, limited);
    expect(refused.status).toBe(403);
    await scene.set('global.model_aliases', JSON.stringify(ALIASES));
  });

  it('among the models of a key is what it stands for when it is saved; a model it had stays', async () => {
    const { tokens, stores } = scene.server.parts;
    const wish = { ...unlimitedToken, name: 'by alias', modelLimitsEnabled: true, modelLimits: ['chain'] };
    const [made] = await tokens.create(alice.user, wish, 1);
    expect(made?.modelLimits).toEqual(['small-1']);
    const key = { ...alice, key: made?.key ?? '' };
    expect((await ask('/v1/chat/completions', { model: 'chain', messages }, key)).status).toBe(200);
    const id = made?.id ?? 0;
    const limits = async (modelLimits: readonly string[]) =>
      (await tokens.update(alice.user, id, { modelLimits })).modelLimits;
    expect(await limits(['seek', 'small-1', 'fast'])).toEqual(['small-search-preview', 'small-1']);
    await stores.tokens.update(alice.user.id, id, { modelLimits: ['small-old', 'gone'] }, Date.now());
    expect(await limits(['small-old', 'gone'])).toEqual(['small-old', 'nobody-has-it']);
  });

  it('that stands for nothing that is served is no model', async () => {
    expect((await ask('/v1/chat/completions', { model: 'gone', messages })).status).toBe(404);
    expect((await ask('/v1/chat/completions', { model: 'other', messages })).status).toBe(404);
  });

  it('is listed where it is a whole name and its model can be called', async () => {
    const listed = async (key: string): Promise<readonly string[]> => {
      const reply = await fetch(`${scene.server.url}/v1/models`, {
        headers: { authorization: `Bearer sk-${key}` },
      });
      return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect(await listed(alice.key)).toEqual([
      'chain',
      'claude-a-latest',
      'claude-b-latest',
      'fast',
      'seek',
      'small-1',
      'small-old',
      'small-search-preview',
      'turbo-real',
    ]);
    expect(await listed(limited.key)).toEqual(['chain', 'fast', 'small-1', 'small-old']);
  });

  it.each([
    [{ a: 'b', b: 'a' }, 'in a circle'],
    [{ 'a-*': 'b', b: 'a-1' }, 'in a circle'],
    [{ '^a': 'b' }, 'a whole name'],
    [{ a: 'b-*' }, 'no more stars'],
  ])('%j is refused', async (names, said) => {
    await expect(scene.set('global.model_aliases', JSON.stringify(names))).rejects.toThrow(said);
  });
});

it('a pattern of a channel puts what it stands for into the name at the upstream; a whole name wins', async () => {
  const first = await ask('/v1/chat/completions', { model: 'claude-a-latest', messages });
  expect([first.status, sentModel(first.sent)]).toEqual([200, 'anthropic/claude-a']);
  expect((await lastRow()).other).toMatchObject({ upstream_model_name: 'anthropic/claude-a' });
  const asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  const { text } = await asAlice('/api/log/self?p=1&page_size=1');
  expect(text).toContain('claude-a-latest');
  for (const told of ['upstream_model_name', 'is_model_mapped', 'anthropic/claude-a'])
    expect(text).not.toContain(told);
  const second = await ask('/v1/chat/completions', { model: 'claude-b-latest', messages });
  expect(sentModel(second.sent)).toBe('whole');
});
