import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';

/** Nobody is refused for quota they have, and nobody is served for quota they do not have (docs/decisions/0029). */

let scene: Scene;
let upstream: Server;
/** What the upstream was asked for, newest last. */
const bodies: Record<string, unknown>[] = [];
/** How long an answer is where nothing limits it. */
let wishedTokens = 100_000;

const limitIn = (body: Record<string, unknown>): number => {
  const config = body['generationConfig'] as Record<string, unknown> | undefined;
  const most = body['max_tokens'] ?? body['max_completion_tokens'] ?? config?.['maxOutputTokens'];
  return typeof most === 'number' ? most : Infinity;
};

const answered = (path: string, tokens: number): object => {
  if (path.includes('generateContent'))
    return {
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: tokens, totalTokenCount: 10 + tokens },
    };
  if (path.endsWith('/messages'))
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: tokens },
    };
  return {
    id: 'chat-1',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens },
  };
};

const MODELS = { 'at-openai': 1, 'at-claude': 14, 'at-gemini': 24 };

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      bodies.push(body);
      const tokens = Math.min(wishedTokens, limitIn(body));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answered((request.url ?? '').split('?')[0] ?? '', tokens)));
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  const ones = Object.fromEntries(Object.keys(MODELS).map((model) => [model, 1]));
  await scene.set('ModelRatio', JSON.stringify(ones));
  await scene.set('CompletionRatio', JSON.stringify(ones));
  await scene.set('PreConsumedQuota', 0);
  for (const [model, type] of Object.entries(MODELS))
    await scene.stage.channel(scene.root, { type, baseUrl, models: model, groups: 'default' });
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const post = async ({ key }: Spender, path: string, body: object) => {
  const answer = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};
const messages = [{ role: 'user', content: 'hi' }];
const moneyOf = async ({ user }: Spender) => {
  const found = await scene.server.parts.stores.users.byId(user.id);
  return { left: found?.quotaUnits ?? -1, used: found?.usedQuotaUnits ?? -1 };
};
const rowOf = async ({ user }: Spender) => {
  const { items } = await scene.server.parts.stores.logs.page(
    { userId: user.id, type: 2 },
    { page: 1, pageSize: 1 },
  );
  return JSON.parse(items[0]?.other ?? '{}') as Record<string, unknown>;
};
const clean = async (): Promise<void> => {
  const { database } = scene.server.parts.stores;
  expect(await brokenRules(database)).toEqual([]);
  const lost = await database.writer
    .selectFrom('holds')
    .select(({ fn }) => fn.sum<number>('house_loss').as('units'))
    .executeTakeFirst();
  expect(Number(lost?.units ?? 0)).toBe(0);
};

describe('a whole reply that costs more than there is', () => {
  const asks: Record<string, (model: string, most: number | undefined) => readonly [string, object]> = {
    chat: (model, most) => ['/v1/chat/completions', { model, messages, ...(most && { max_tokens: most }) }],
    'chat with the newer word': (model, most) => [
      '/v1/chat/completions',
      { model, messages, ...(most && { max_completion_tokens: most }) },
    ],
    messages: (model, most) => ['/v1/messages', { model, messages, ...(most && { max_tokens: most }) }],
    gemini: (model, most) => [
      `/v1beta/models/${model}:generateContent`,
      {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        ...(most && { generationConfig: { maxOutputTokens: most } }),
      },
    ],
  };
  let count = 0;
  const cases = Object.keys(asks).flatMap((ask) =>
    Object.keys(MODELS).flatMap((model) => [undefined, 128_000].map((most) => [ask, model, most] as const)),
  );
  it.each(cases)(
    '%s %s of %s tokens: its limit is lowered to what its caller can pay',
    async (ask, model, most) => {
      const spender = await scene.spender(`whole-${(count += 1)}`, 3000);
      const [path, body] = asks[ask]?.(model, most) ?? ['', {}];
      const { status, text } = await post(spender, path, body);
      expect(status, text).toBe(200);
      const { used, left } = await moneyOf(spender);
      expect(left + used).toBe(3000);
      expect(used).toBeGreaterThan(2800);
      expect((await rowOf(spender))['max_tokens_lowered_to']).toBe(limitIn(bodies.at(-1) ?? {}));
      await clean();
    },
  );

  it.each([
    { max_new_tokens: 50_000 },
    { max_new_tokens: 5000 },
    { max_new_tokens: -1 },
    { max_new_tokens: 'many' },
    { min_tokens: 1 },
    { thinking_budget: 100 },
    { options: { num_predict: 6000 } },
  ])('%j: a limit that not every upstream understands does not replace ours', async (limit) => {
    const spender = await scene.spender(`foreign-${(count += 1)}`, 10_000);
    const body = { model: 'at-openai', messages, ...limit };
    const { status, text } = await post(spender, '/v1/chat/completions', body);
    expect(status, text).toBe(200);
    expect(limitIn(bodies.at(-1) ?? {})).toBeLessThan(10_000);
    const { used, left } = await moneyOf(spender);
    expect([left + used, used > 2800]).toEqual([10_000, true]);
    await clean();
  });

  it.each([
    [{ enable_thinking: false }, 4096],
    [{ thinking: { type: 'disabled' } }, 4096],
    [{ reasoning_effort: 'none' }, 4096],
    [{ reasoning: { enabled: false } }, 4096],
    [{ enable_thinking: true }, 16_384],
    [{ thinking: { type: 'enabled' } }, 16_384],
    [{ reasoning_effort: 'low' }, 16_384],
  ])('%j is told a limit of %i: models that do not think may refuse a larger one', async (asks, most) => {
    const spender = await scene.spender(`thinks-${(count += 1)}`, 20_000);
    await post(spender, '/v1/chat/completions', { model: 'at-openai', messages, ...asks });
    expect(Math.round(limitIn(bodies.at(-1) ?? {}) / 100)).toBe(Math.round(most / 100));
  });

  it('goes out as it came where its caller has the money', async () => {
    wishedTokens = 5;
    const spender = await scene.spender('rich', 1_000_000);
    await post(spender, '/v1/chat/completions', { model: 'at-openai', messages });
    await post(spender, '/v1/chat/completions', { model: 'at-openai', messages, max_tokens: 128_000 });
    wishedTokens = 100_000;
    expect(bodies.slice(-2).map((body) => body['max_tokens'])).toEqual([undefined, 128_000]);
    expect(await rowOf(spender)).not.toHaveProperty('max_tokens_lowered_to');
  });

  it('is refused with the amounts where not even 256 tokens can be paid', async () => {
    const spender = await scene.spender('poor', 200);
    const before = bodies.length;
    const { status, text } = await post(spender, '/v1/chat/completions', {
      model: 'at-openai',
      messages,
      max_tokens: 128_000,
    });
    expect([status, bodies.length]).toEqual([403, before]);
    expect(text).toContain('insufficient user quota');
  });

  it('serves a call that asks for less than that', async () => {
    const spender = await scene.spender('modest', 200);
    const body = { model: 'at-openai', messages, max_tokens: 50 };
    expect((await post(spender, '/v1/chat/completions', body)).status).toBe(200);
  });
});

describe('many calls at the same time', () => {
  /** Calls whose answers have so many tokens, and ten of prompt. */
  const crowd = async (tokens: number) => {
    wishedTokens = tokens;
    const spender = await scene.spender(`crowd-${tokens}`, 10_000_000, 20_000);
    const answers = await Promise.all(
      Array.from({ length: 150 }, () =>
        post(spender, '/v1/chat/completions', { model: 'at-openai', messages }),
      ),
    );
    wishedTokens = 100_000;
    await clean();
    const served = answers.filter(({ status }) => status === 200).length;
    return { served, used: (await moneyOf(spender)).used };
  };

  it('are all served where there is money for all of them', async () => {
    expect(await crowd(40)).toEqual({ served: 150, used: 150 * 50 });
  });

  it('are served until less than the price of one is left', async () => {
    const { served, used } = await crowd(580);
    expect(served).toBeGreaterThanOrEqual(33);
    expect(used).toBeLessThanOrEqual(20_000);
    expect(20_000 - used).toBeLessThan(590);
  });
});
