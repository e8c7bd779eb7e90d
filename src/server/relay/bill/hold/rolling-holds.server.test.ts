import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { type EndlessUpstream, startEndlessUpstream } from '../../testing/endless-upstream.ts';

/** Holds of streams grow, and streams end as at a length limit where the balance ends (docs/billing.md). */

let scene: Scene;
let upstream: EndlessUpstream;

/** Five dollars a million tokens of prompt, twenty-five of answer. */
const DEAR = 'claude-dear';
const MODELS = { 'at-openai': 1, 'at-claude': 14, 'at-gemini': 24 };

beforeAll(async () => {
  upstream = await startEndlessUpstream();
  scene = await openScene();
  const ones = Object.fromEntries(Object.keys(MODELS).map((model) => [model, 1]));
  await scene.set('ModelRatio', JSON.stringify(ones));
  await scene.set('CompletionRatio', JSON.stringify(ones));
  for (const [model, type] of Object.entries(MODELS))
    await scene.stage.channel(scene.root, { type, baseUrl: upstream.url, models: model, groups: 'default' });
  const atClaude = { type: 14, baseUrl: upstream.url, groups: 'default' };
  await scene.stage.channel(scene.root, { ...atClaude, models: DEAR });
  await scene.set('ModelRatio', JSON.stringify({ ...ones, [DEAR]: 2.5 }));
  await scene.set('CompletionRatio', JSON.stringify({ ...ones, [DEAR]: 5 }));
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const said = 'say something long';
/** How each caller asks for a stream of at most so many tokens. */
const callers: Record<string, (model: string, most?: number) => readonly [string, object]> = {
  chat: (model, most) => [
    '/v1/chat/completions',
    {
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: said }],
      ...(most !== undefined && { max_tokens: most }),
    },
  ],
  messages: (model, most = 64_000) => [
    '/v1/messages',
    { model, stream: true, max_tokens: most, messages: [{ role: 'user', content: said }] },
  ],
  gemini: (model, most) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    {
      contents: [{ role: 'user', parts: [{ text: said }] }],
      ...(most !== undefined && { generationConfig: { maxOutputTokens: most } }),
    },
  ],
  responses: (model, most) => [
    '/v1/responses',
    { model, stream: true, input: said, ...(most !== undefined && { max_output_tokens: most }) },
  ],
};

const asked = (spender: Spender, caller: string, model: string, most?: number): Promise<Response> => {
  const [path, body] = callers[caller]?.(model, most) ?? ['', {}];
  return fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};

const eventsOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

/** How a stream of each format says that it was long enough, and what it says last. */
const endings: Record<string, (text: string) => unknown> = {
  chat: (text) => [
    eventsOf(text)
      .flatMap(({ choices }) =>
        (choices as { finish_reason: unknown }[]).map((choice) => choice.finish_reason),
      )
      .findLast((reason) => reason !== null),
    text.endsWith('data: [DONE]\n\n'),
  ],
  messages: (text) => {
    const events = eventsOf(text);
    const last = events.slice(-3).map(({ type }) => type);
    const delta = events.at(-2)?.['delta'] as Record<string, unknown> | undefined;
    return [delta?.['stop_reason'], String(last) === 'content_block_stop,message_delta,message_stop'];
  },
  gemini: (text) => {
    const [candidate] = (eventsOf(text).at(-1)?.['candidates'] ?? []) as Record<string, unknown>[];
    return [candidate?.['finishReason'], true];
  },
  responses: (text) => {
    const last = eventsOf(text).at(-1);
    const { incomplete_details: details } = (last?.['response'] ?? {}) as Record<string, unknown>;
    return [(details as Record<string, unknown>)['reason'], last?.['type'] === 'response.incomplete'];
  },
};
const words: Record<string, string> = {
  chat: 'length',
  messages: 'max_tokens',
  gemini: 'MAX_TOKENS',
  responses: 'max_output_tokens',
};

const rowOf = async ({ user }: Spender) => {
  const rows = async () =>
    (await scene.server.parts.stores.logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 20 }))
      .items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [row] = await rows();
  return { ...row, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> };
};
const moneyOf = async ({ user }: Spender) => {
  const found = await scene.server.parts.stores.users.byId(user.id);
  return { left: found?.quotaUnits, used: found?.usedQuotaUnits };
};
const clean = async (): Promise<void> => {
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
};

describe('a stream that costs more than its caller has', () => {
  /** Each caller meets each model, and either of them both kinds of stream. */
  const pairs = Object.keys(callers).flatMap((caller, first) =>
    Object.keys(MODELS).map(
      (model, second) => [caller, model, (first + second) % 2 === 0 ? 1 : 700] as const,
    ),
  );
  let count = 0;
  it.each(pairs)(
    '%s %s, %i events at once: ends in its format as if it had reached its length limit',
    async (...of) => {
      const [caller, model, framesAtOnce] = of;
      upstream.framesAtOnce = framesAtOnce;
      const spender = await scene.spender(`spender-${(count += 1)}`, 6000);
      const answer = await asked(spender, caller, model);
      const text = await answer.text();
      expect(answer.status, text.slice(0, 300)).toBe(200);
      expect(endings[caller]?.(text)).toEqual([words[caller], true]);
      await expect.poll(upstream.open).toBe(0);
      const row = await rowOf(spender);
      expect(row.other).toMatchObject({ limited_by: 'quota', hold_units: 6000 });
      const shownTokens = (text.match(/"(?:content|text|delta)":"x{40}"/g)?.length ?? 0) * 10;
      const { left = 0, used = 0 } = await moneyOf(spender);
      expect(left + used).toBe(6000);
      // All of it but what the prompt was thought to cost, and not one token that was not shown.
      expect(used).toBeGreaterThan(5900);
      expect(shownTokens).toBeGreaterThan(5900);
      expect(shownTokens).toBeLessThanOrEqual(6000);
      await clean();
    },
  );
});

/** The last events of a response that ended for lack of money: all it has shown, as items that are incomplete. */
const repeatedBy = (events: readonly Record<string, unknown>[]): readonly object[] => {
  const shown = events.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('');
  expect(shown.length).toBeGreaterThan(20_000);
  const part = { type: 'output_text', text: shown };
  const item = { type: 'message', role: 'assistant', status: 'incomplete', content: [part] };
  return [
    { type: 'response.output_text.done', text: shown },
    { type: 'response.content_part.done', part },
    { type: 'response.output_item.done', item },
    { type: 'response.incomplete', response: { status: 'incomplete', output: [item] } },
  ];
};

it.each(Object.keys(MODELS))('a response from %s repeats what it has shown, as incomplete', async (model) => {
  const spender = await scene.spender(`repeats-${model}`, 6000);
  const events = eventsOf(await (await asked(spender, 'responses', model)).text());
  expect(events.slice(-4)).toMatchObject(repeatedBy(events));
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, number) => number));
});

describe('a stream of an account that had plenty when it began, and is drained meanwhile', () => {
  const pairs = Object.keys(callers).flatMap((caller) =>
    Object.keys(MODELS).map((model) => [caller, model] as const),
  );
  it.each(pairs)('%s %s: ends in its format with all it has shown', async (caller, model) => {
    Object.assign(upstream, { framesAtOnce: 1, textBytes: 40 });
    const spender = await scene.spender(`drained-${caller}-${model}`, 2_000_000);
    const answer = await asked(spender, caller, model);
    // What its other calls take while it runs.
    const { ledger } = scene.server.parts.stores;
    const left = (await moneyOf(spender)).left ?? 0;
    const taken = { kind: 'grant', ref: `drain ${spender.user.id}`, reason: '', actorId: 0 } as const;
    await ledger.move({ ...taken, nowMs: Date.now(), userId: spender.user.id, deltaUnits: 20_000 - left });
    const text = await answer.text();
    expect(endings[caller]?.(text)).toEqual([words[caller], true]);
    expect((await rowOf(spender)).other).toMatchObject({ limited_by: 'quota' });
    const events = eventsOf(text);
    const repeated = caller === 'responses' ? repeatedBy(events) : [];
    expect(events.slice(events.length - repeated.length)).toMatchObject(repeated);
    await clean();
  });
});

/** The tokens each format says were used, in its last words on it. */
const toldTokens = (text: string): number => {
  const numbers = (word: string) =>
    [...text.matchAll(new RegExp(`"${word}":(\\d+)`, 'g'))].map(([, n]) => Number(n));
  const last = (...words: readonly string[]) => words.flatMap((word) => numbers(word).slice(-1))[0] ?? 0;
  return (
    last('prompt_tokens', 'input_tokens', 'promptTokenCount') +
    last('completion_tokens', 'output_tokens', 'candidatesTokenCount')
  );
};

describe('a stream of long pieces that ends for lack of money', () => {
  const pairs = Object.keys(callers).flatMap((caller) =>
    Object.keys(MODELS).map((model) => [caller, model] as const),
  );
  it.each(pairs)('%s %s: is told no more tokens than it paid', async (caller, model) => {
    Object.assign(upstream, { framesAtOnce: 1, textBytes: 9000 });
    const spender = await scene.spender(`long-${caller}-${model}`, 6000);
    const text = await (await asked(spender, caller, model)).text();
    Object.assign(upstream, { framesAtOnce: 1, textBytes: 40 });
    expect(endings[caller]?.(text)).toEqual([words[caller], true]);
    await rowOf(spender);
    const { used = 0 } = await moneyOf(spender);
    expect(used).toBeGreaterThan(5900);
    // What Claude said of its prompt at the start stands.
    expect(toldTokens(text)).toBeLessThanOrEqual(used + 20);
    expect(toldTokens(text)).toBeGreaterThan(5900);
  });
});

describe("an agent's first call", () => {
  it('of 128,000 tokens works with a balance of one dollar, holds little of it, and is limited by all of it', async () => {
    Object.assign(upstream, { framesAtOnce: 1, textBytes: 1 });
    const spender = await scene.spender('agent', 500_000, 500_000);
    const answer = await asked(spender, 'messages', DEAR, 128_000);
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    await reader?.read();
    const { left = 0 } = await moneyOf(spender);
    expect(left).toBeGreaterThan(400_000);
    // Half a million units at 12.5 a token of answer, less the prompt.
    const most = Number(upstream.bodies.at(-1)?.['max_tokens']);
    expect(most).toBeGreaterThan(39_000);
    expect(most).toBeLessThanOrEqual(40_000);
    await reader?.cancel();
    expect((await rowOf(spender)).other).toMatchObject({ max_tokens_lowered_to: most });
    await clean();
  });

  it('goes out as it came where all it asks for can be paid', async () => {
    const spender = await scene.spender('rich-agent', 10_000_000);
    const answer = await asked(spender, 'messages', DEAR, 128_000);
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(upstream.bodies.at(-1)?.['max_tokens']).toBe(128_000);
    await reader?.cancel();
    await rowOf(spender);
    await clean();
  });
});
