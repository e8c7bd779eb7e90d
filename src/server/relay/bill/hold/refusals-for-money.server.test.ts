import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';

/** What callers get, and what is logged, if the balance does not pay for an answer worth beginning (docs/errors.md). */

const MODEL = 'gpt-small';
let scene: Scene;
let upstream: SmallUpstream;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: MODEL, groups: 'default' });
  // An output token is 500 units: a thousand are a dollar.
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.set('CompletionRatio', JSON.stringify({ [MODEL]: 500 }));
  await scene.set('ServerAddress', 'https://gate.example/');
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const said = [{ role: 'user', content: 'hi' }];
const post = ({ key }: Spender, path: string, body: object): Promise<Got> =>
  createCaller(scene.server.url, { authorization: `Bearer sk-${key}` })(path, { method: 'POST', body });
const chat = (spender: Spender, outputTokens: number): Promise<Got> =>
  post(spender, '/v1/chat/completions', { model: MODEL, max_tokens: outputTokens, messages: said });
/** 256 tokens of an answer, below which none is worth beginning, at 500 units each; the prompt of two letters comes on top. */
const LEAST_ANSWER_UNITS = 128_000;
/** Without what the prompt adds to that. */
const roundly = (message: unknown): string =>
  String(message)
    .replace(/\$0\.2560\d\d/, '$0.2560')
    .replace(/128,0\d\d units/, '128,000 units');
const errorOf = ({ text }: Got): Record<string, unknown> =>
  (JSON.parse(text) as { error: Record<string, unknown> }).error;
const rowsOf = async ({ user }: Spender) => {
  const page = await scene.server.parts.stores.logs.page(
    { userId: user.id, type: 5 },
    { page: 1, pageSize: 20 },
  );
  return page.items.map((row) => ({ ...row, other: JSON.parse(row.other) as Record<string, unknown> }));
};

describe('a call that costs more than the balance, however short its answer', () => {
  it('names the amount needed, what the token has, and where to change it', async () => {
    const spender = await scene.spender('small-token', 10_000_000, 100_000);
    const got = await chat(spender, 2000);
    expect([got.status, got.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect(errorOf(got)).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_token_quota' });
    expect(roundly(errorOf(got)['message'])).toContain(
      'insufficient token quota: at least $0.2560 is held while this call runs, the token has $0.20. ' +
        "Raise the token's quota at https://gate.example/token, or ask for fewer output tokens",
    );
  });

  it('names the account if that is short, in units if the site shows units', async () => {
    const spender = await scene.spender('small-account', 40_000);
    await scene.set('DisplayInCurrencyEnabled', false);
    await scene.set('ServerAddress', '');
    const got = await chat(spender, 2000);
    await scene.set('DisplayInCurrencyEnabled', true);
    await scene.set('ServerAddress', 'https://gate.example/');
    expect(roundly(errorOf(got)['message'])).toContain(
      'insufficient user quota: at least 128,000 units is held while this call runs, the account has 40,000 units. ' +
        'Top up on the page Wallet of the console, or ask for fewer output tokens',
    );
  });

  it('names what running calls hold', async () => {
    const spender = await scene.spender('holds', 10_000_000, 100_000);
    const [token] = (await scene.server.parts.tokens.list(spender.user, { page: 1, pageSize: 1 })).items;
    const nowMs = Date.now();
    await scene.server.parts.stores.ledger.hold({
      id: 'running',
      userId: spender.user.id,
      tokenId: token?.id ?? 0,
      quotaUnits: 80_000,
      nowMs,
      expiresAtMs: nowMs + 600_000,
    });
    expect(errorOf(await chat(spender, 1000))['message']).toContain(
      'the token has $0.04, and $0.16 more is held by calls that are running.',
    );
    await scene.server.parts.stores.ledger.void('running', nowMs);
  });

  it("is an error about money, not about the key, in every caller's format", async () => {
    const spender = await scene.spender('formats', 1000);
    const toClaude = await post(spender, '/v1/messages', { model: MODEL, max_tokens: 2000, messages: said });
    expect([toClaude.status, errorOf(toClaude)['type']]).toEqual([402, 'billing_error']);
    const toGemini = await post(spender, `/v1beta/models/${MODEL}:generateContent`, {
      contents: [{ parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: 2000 },
    });
    expect([toGemini.status, errorOf(toGemini)['status']]).toEqual([403, 'PERMISSION_DENIED']);
    for (const got of [toClaude, toGemini]) {
      expect(got.text).toContain('insufficient user quota');
      expect(got.headers.get('x-should-retry')).toBe('false');
    }
  });

  it('leaves a log row with the amounts, at most one a minute', async () => {
    const spender = await scene.spender('impatient', 1000);
    for (let time = 0; time < 5; time += 1) expect((await chat(spender, 2000)).status).toBe(403);
    const rows = await rowsOf(spender);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ model: MODEL, quotaUnits: 0, tokenName: 'a token', channelId: 0 });
    expect(rows[0]?.content).toContain('insufficient user quota');
    expect(rows[0]?.other).toMatchObject({
      error_code: 'insufficient_user_quota',
      available_units: 1000,
      held_units: 0,
      refused_before: 0,
    });
    const asked = Number(rows[0]?.other['asked_units']);
    expect([asked > LEAST_ANSWER_UNITS, asked < LEAST_ANSWER_UNITS + 100]).toEqual([true, true]);
    expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  });

  it('leaves a log row for a drawing as well', async () => {
    const spender = await scene.spender('draws', 10);
    await scene.stage.channel(scene.root, {
      type: 2,
      baseUrl: upstream.url,
      models: 'mj_imagine',
      groups: 'default',
    });
    const got = await post(spender, '/mj/submit/imagine', { prompt: 'a cat' });
    expect([got.status, got.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect((await rowsOf(spender)).map(({ model, quotaUnits }) => [model, quotaUnits])).toEqual([
      ['mj_imagine', 0],
    ]);
  });
});
