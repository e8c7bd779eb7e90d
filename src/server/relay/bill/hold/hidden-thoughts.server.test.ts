import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** Usage that is only seen at the end (hidden reasoning, ignored limits) takes nobody beyond their balance. */

let scene: Scene;
let upstream: SlowUpstream;
/** How much is thought where nothing limits it, and whether limits count. */
const thinker = { wishedTokens: 30_000, obeys: true };

/** One unit a token. */
const MODEL = 'gpt-5-thinks';
const PLAIN = 'at-openai';

const limitIn = (body: Readonly<Record<string, unknown>>): number => {
  const most = body['max_completion_tokens'] ?? body['max_tokens'];
  return thinker.obeys && typeof most === 'number' ? most : Infinity;
};

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const answered = (body: Readonly<Record<string, unknown>>): string => {
  const tokens = Math.min(thinker.wishedTokens, limitIn(body));
  const usage = {
    prompt_tokens: 10,
    completion_tokens: tokens,
    total_tokens: 10 + tokens,
    completion_tokens_details: { reasoning_tokens: Math.max(0, tokens - 1) },
  };
  const head = { id: 'chat-1', created: 1, model: 'm' };
  const finish_reason = tokens < thinker.wishedTokens ? 'length' : 'stop';
  if (body['stream'] !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason }];
    return JSON.stringify({ ...head, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return (
    event({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' } }] }) +
    event({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] }) +
    event({ ...chunk, choices: [], usage }) +
    'data: [DONE]\n\n'
  );
};

/** Answers wait until so many are asked for, or no more come. */
const THINKING_MS = 150;

beforeAll(async () => {
  upstream = await startSlowUpstream(THINKING_MS, answered);
  scene = await openScene();
  const ones = JSON.stringify({ [MODEL]: 1, [PLAIN]: 1 });
  await scene.set('ModelRatio', ones);
  await scene.set('CompletionRatio', ones);
  await scene.set('PreConsumedQuota', 0);
  const models = `${MODEL},${PLAIN}`;
  await scene.stage.channel(scene.root, { type: 1, baseUrl: upstream.url, models, groups: 'default' });
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const ask = async ({ key }: Spender, body: object): Promise<number> => {
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...body }),
  });
  await answer.text();
  return answer.status;
};

const moneyOf = async ({ user }: Spender) => {
  const { stores } = scene.server.parts;
  const found = await stores.users.byId(user.id);
  const { items } = await stores.tokens.list(user.id, { page: 1, pageSize: 1 });
  const [token] = items;
  return {
    left: found?.quotaUnits,
    used: found?.usedQuotaUnits ?? 0,
    budgetLeft: token?.remainQuotaUnits,
    budgetUsed: token?.usedQuotaUnits ?? 0,
  };
};
const rowsOf = async ({ user }: Spender) => {
  const { items } = await scene.server.parts.stores.logs.page(
    { userId: user.id, type: 2 },
    { page: 1, pageSize: 300 },
  );
  return items.map(({ quotaUnits, other }) => ({
    quotaUnits,
    other: JSON.parse(other) as Record<string, unknown>,
  }));
};
/** What the house lost of this user's calls; the books are right. */
const lostBy = async ({ user }: Spender): Promise<number> => {
  const { database } = scene.server.parts.stores;
  expect(await brokenRules(database)).toEqual([]);
  const lost = await database.writer
    .selectFrom('holds')
    .select(({ fn }) => fn.sum<number>('house_loss').as('units'))
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return Number(lost?.units ?? 0);
};

const times = (count: number, one: () => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, one));

describe('thoughts that are only told at the end', () => {
  const kinds = [
    ['streams', { stream: true, stream_options: { include_usage: true } }],
    ['streams of a named limit', { stream: true, max_completion_tokens: 64_000 }],
    ['whole replies', {}],
  ] as const;
  it.each(kinds)('%s: 200 at once use the balance, and not one unit more', async (name, body) => {
    const spender = await scene.spender(`thinks ${name}`.slice(0, 20), 200_000);
    const statuses = await times(200, () => ask(spender, { model: MODEL, ...body }));
    const served = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
    expect(await lostBy(spender)).toBe(0);
    const { left = 0, used } = await moneyOf(spender);
    expect(left + used).toBe(200_000);
    // The rest pays for no answer that is worth beginning.
    expect(left).toBeLessThan(400);
    expect(served).toBeGreaterThanOrEqual(7);
  });

  it('go out without a limit for a payer who can afford the longest answer', async () => {
    const spender = await scene.spender('thinks-rich', 200_000);
    expect(await ask(spender, { model: MODEL, stream: true })).toBe(200);
    const [row] = await rowsOf(spender);
    expect(row?.quotaUnits).toBe(30_010);
    expect(row?.other).not.toHaveProperty('max_tokens_lowered_to');
    expect(row?.other['hold_units']).toBeGreaterThan(131_000);
  });
});

describe('an upstream that does not keep to the limit it was told', () => {
  it.each([
    ['stream', { stream: true, stream_options: { include_usage: true } }],
    ['whole reply', {}],
  ])(
    '%s: uses up the budget of a token and no more; the operator bears the rest, and the row says so',
    async (...of) => {
      const [name, body] = of;
      Object.assign(thinker, { obeys: false, wishedTokens: 24_704 });
      const spender = await scene.spender(`ignored ${name}`, 1_000_000, 20_000);
      expect(await ask(spender, { model: PLAIN, max_tokens: 4000, ...body })).toBe(200);
      Object.assign(thinker, { obeys: true, wishedTokens: 30_000 });
      expect(await lostBy(spender)).toBe(4714);
      expect(await moneyOf(spender)).toEqual({
        left: 980_000,
        used: 20_000,
        budgetLeft: 0,
        budgetUsed: 20_000,
      });
      const [row] = await rowsOf(spender);
      expect(row).toMatchObject({
        quotaUnits: 20_000,
        other: { price_units: 24_714, not_charged_units: 4714 },
      });
    },
  );

  it('200 callers of one token: used, left and lost units add up to the unit', async () => {
    Object.assign(thinker, { obeys: false, wishedTokens: 3000 });
    const spender = await scene.spender('ignored-crowd', 1_000_000, 50_000);
    await times(200, () => ask(spender, { model: PLAIN, max_tokens: 300, stream: true }));
    Object.assign(thinker, { obeys: true, wishedTokens: 30_000 });
    const { left = 0, used, budgetLeft = 0, budgetUsed } = await moneyOf(spender);
    expect([left + used, budgetLeft + budgetUsed]).toEqual([1_000_000, 50_000]);
    expect(used).toBe(budgetUsed);
    const rows = await rowsOf(spender);
    const lost = rows.reduce((sum, { other }) => sum + Number(other['not_charged_units'] ?? 0), 0);
    expect(lost).toBe(await lostBy(spender));
    expect(rows.reduce((sum, { other }) => sum + Number(other['price_units']), 0)).toBe(used + lost);
  });
});
