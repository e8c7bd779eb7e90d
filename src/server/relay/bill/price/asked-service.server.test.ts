import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';

/** What was asked for and what was served stand in the row of each call, whatever format the upstream speaks. */

type Fields = Readonly<Record<string, unknown>>;

const MODELS = { 'to-openai': 1, 'to-claude': 14, 'to-gemini': 24 } as const;
const FACTORS = { priority: 2, flex: 0.5, standard: 1 } as const;
/** Sold by this name, at other factors than the model it is mapped to. */
const MAPPED = 'by-another-name';
/** What each upstream says it served, in its own words. */
let served: keyof typeof FACTORS | undefined;
let upstream: Server;
let scene: Scene;
let alice: Spender;

/** A whole answer in the format of the path. */
const answerAt = (path: string): object => {
  const tier = served === undefined ? {} : { service_tier: served === 'standard' ? 'default' : served };
  if (path.includes('/messages'))
    return {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'yes' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1000, output_tokens: 100, ...tier },
    };
  if (path.includes(':generateContent'))
    return {
      candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 1000,
        candidatesTokenCount: 100,
        totalTokenCount: 1100,
        ...(served && { trafficType: `ON_DEMAND${served === 'standard' ? '' : `_${served.toUpperCase()}`}` }),
      },
    };
  if (path.includes('/responses'))
    return {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      output: [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'yes' }],
        },
      ],
      usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
      ...tier,
    };
  return {
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 100 },
    ...tier,
  };
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answerAt(request.url ?? '')));
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  for (const [models, type] of Object.entries(MODELS))
    await scene.stage.channel(scene.root, { type, baseUrl, models, groups: 'default' });
  await scene.stage.channel(scene.root, {
    baseUrl,
    models: MAPPED,
    groups: 'default',
    modelMapping: JSON.stringify({ [MAPPED]: 'to-openai' }),
  });
  const all = (value: unknown) =>
    JSON.stringify(Object.fromEntries([...Object.keys(MODELS), MAPPED].map((name) => [name, value])));
  await scene.set('ModelRatio', all(1));
  await scene.set('CompletionRatio', all(4));
  const tiers = JSON.parse(all({ tiers: { priority: 2, flex: 0.5 } })) as object;
  await scene.set('PriceDimensions', JSON.stringify({ ...tiers, [MAPPED]: { tiers: { priority: 7 } } }));
  alice = await scene.spender('alice', 100_000_000);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const messages = [{ role: 'user', content: 'Hi' }];
const callers: Readonly<Record<string, (model: string) => readonly [string, object]>> = {
  'chat completions': (model) => [
    '/v1/chat/completions',
    { model, max_tokens: 100, messages, service_tier: 'priority' },
  ],
  responses: (model) => [
    '/v1/responses',
    { model, max_output_tokens: 100, input: 'Hi', store: false, service_tier: 'priority' },
  ],
  messages: (model) => ['/v1/messages', { model, max_tokens: 100, messages, service_tier: 'priority' }],
  gemini: (model) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], serviceTier: 'priority' },
  ],
};

const charged = async ([path, body]: readonly [string, object]) => {
  const reply = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status, await reply.text()).toBe(200);
  const { logs } = scene.server.parts.stores;
  const { items } = await logs.page({ userId: alice.user.id, type: 2 }, { page: 1, pageSize: 1 });
  const other = JSON.parse(items[0]?.other ?? '{}') as {
    asked_service?: Fields;
    service?: { sent: Fields; served: Fields };
  };
  const sent = other.service?.sent ?? {};
  return {
    units: items[0]?.quotaUnits,
    asked: (other.asked_service ?? sent)['tier'],
    served: other.service?.served['tier'],
    isSent: sent['tier'] === 'priority',
  };
};

describe.each(Object.entries(callers))('priority, asked for by a caller of %s', (_, ask) => {
  it.each(Object.keys(MODELS))('%s: costs what was served, and both stand in the row', async (model) => {
    for (served of ['priority', 'flex'] as const)
      expect(await charged(ask(model))).toMatchObject({
        units: 1400 * FACTORS[served],
        asked: 'priority',
        served,
      });
    served = 'standard';
    expect(await charged(ask(model))).toMatchObject({ units: 1400, asked: 'priority' });
    served = undefined;
    const untold = await charged(ask(model));
    expect(untold).toMatchObject({ units: untold.isSent ? 2800 : 1400, asked: 'priority' });
  });
});

it.each(Object.entries(callers))(
  'a mapped model has the tiers of the name it is sold by (%s)',
  async (_, ask) => {
    served = 'priority';
    expect(await charged(ask(MAPPED))).toMatchObject({ units: 1400 * 7, asked: 'priority', served });
    // A tier without a price there is charged as the dearest.
    served = 'flex';
    expect(await charged(ask(MAPPED))).toMatchObject({ units: 1400 * 7, served });
  },
);

it('that the group strips stands in the row as asked for, and is not charged', async () => {
  served = undefined;
  await scene.set('GroupServiceTerms', JSON.stringify({ default: 'strip' }));
  for (const [format, ask] of Object.entries(callers))
    for (const model of Object.keys(MODELS))
      expect(await charged(ask(model)), `${format} ${model}`).toMatchObject({
        units: 1400,
        asked: 'priority',
        isSent: false,
      });
});
