import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';

/** What answers cost the operator, by what the upstream says of them. */

let upstream: Server;
let scene: Scene;
let alice: Spender;
let answer: (response: ServerResponse) => void;
/** What the channel A answers, which is asked before B. */
let answerOfA: (response: ServerResponse) => void;
let channelA: number;
let channelB: number;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      (request.url?.startsWith('/a/') === true ? answerOfA : answer)(response);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  await stage.channel(root, {
    baseUrl,
    models: 'gpt-5.4',
    setting: JSON.stringify({ cost: { factor: 0.8 } }),
  });
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((name) => [name, 1]))));
  await scene.set('RetryTimes', 1);
  channelB = await channelAt('b', MODELS, 20);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** Each test has a model and a channel A of its own: one that fails often is not asked for a while. */
const MODELS = Array.from({ length: 8 }, (_, at) => `both-${at}`);
let used = 0;
let model: string;

const channelAt = async (name: 'a' | 'b', models: readonly string[], input: number): Promise<number> => {
  const { port } = upstream.address() as AddressInfo;
  const prices = Object.fromEntries(models.map((each) => [each, { input, output: 10 }]));
  const row = await scene.stage.channel(scene.root, {
    name,
    baseUrl: `http://127.0.0.1:${port}/${name}`,
    models: models.join(','),
    priority: name === 'a' ? 10 : 1,
    setting: JSON.stringify({ cost: { models: prices } }),
  });
  return row.id;
};

const call = (body: object): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

const lastRow = async () => {
  const { logs } = scene.server.parts.stores;
  const page = await logs.page({ userId: alice.user.id, type: 2 }, { page: 1, pageSize: 1 });
  return page.items[0];
};

// Of the catalogue: 2.5 dollars for a million in and 15 out, twice and 1.5 times as dear for a long prompt.
describe('of a channel that pays 0.8 of the list price', () => {
  it.each([
    ['a prompt before the step', 271_999, {}, 271_999 * 2000 + 100 * 12_000],
    ['a long prompt', 272_001, {}, 272_001 * 4000 + 100 * 18_000],
    ['the priority tier', 1000, { service_tier: 'priority' }, 1000 * 4000 + 100 * 24_000],
    ['priority that was not served', 1000, { service_tier: 'default' }, 1000 * 2000 + 100 * 12_000],
  ])('%s costs its share of what was served', async (_, prompt, told, nano) => {
    answer = (response) => {
      const message = { role: 'assistant', content: 'yes' };
      const reply = {
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: prompt, completion_tokens: 100 },
        ...told,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    };
    const asked = 'service_tier' in told ? { service_tier: 'priority' } : {};
    const messages = [{ role: 'user', content: 'x'.repeat(prompt) }];
    expect((await call({ model: 'gpt-5.4', messages, ...asked })).status).toBe(200);
    const row = await lastRow();
    expect(row?.costNano).toBe(nano);
    // Sold at the list price: 2000 billionths a unit, a quarter more than it costs; half a unit is rounded.
    expect(Math.abs((row?.quotaUnits ?? 0) * 2000 * 0.8 - nano)).toBeLessThanOrEqual(800);
  });
});

/** 100 tokens in and 5 out, told by an answer of which nothing was seen. */
const TOLD = { prompt_tokens: 100, completion_tokens: 5 };
const NANO_OF_A = 100 * 40_000 + 5 * 10_000;
const failed = { error: { message: 'the machine is gone', type: 'server_error' } };
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const json = (body: object) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const streamed =
  (...events: readonly string[]) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
const usageThen = (...events: readonly string[]) =>
  streamed(event({ object: 'chat.completion.chunk', choices: [], usage: TOLD }), ...events);

interface HouseDay {
  readonly channel_id: number;
  readonly kind: string;
  readonly count: number;
  readonly cost_nano_usd: number;
}

const houseOf = async (kind: string): Promise<{ count: number; nano: number; channels: number[] }> => {
  const days = (await scene.asRoot('/api/data/house_costs')).data as HouseDay[];
  const ofKind = days.filter((day) => day.kind === kind);
  const sum = (of: (day: HouseDay) => number) => ofKind.reduce((total, day) => total + of(day), 0);
  return {
    count: sum((day) => day.count),
    nano: sum((day) => day.cost_nano_usd),
    channels: [...new Set(ofKind.map((day) => day.channel_id))],
  };
};

describe('of an attempt that failed after its usage was told', () => {
  beforeEach(async () => {
    model = MODELS[used] ?? '';
    used += 1;
    channelA = await channelAt('a', [model], 40);
  });

  const message = { role: 'assistant', content: 'yes' };
  const whole = {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 1 },
  };
  const stream = streamed(
    event({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: 'stop' }],
    }),
    event({ object: 'chat.completion.chunk', choices: [], usage: whole.usage }),
    'data: [DONE]\n\n',
  );

  it.each([
    ['a stream that told it and failed', true, usageThen(event(failed))],
    ['a stream that failed and told it at once', true, streamed(event({ ...failed, usage: TOLD }))],
    ['a stream that ended without an answer', true, usageThen('data: [DONE]\n\n')],
    ['a whole reply where a stream was asked for', true, json({ ...failed, usage: TOLD })],
    ['a whole reply', false, json({ ...failed, usage: TOLD })],
    ['a stream where a whole reply was asked for', false, usageThen(event(failed))],
  ])(
    'the charge is that of the channel that answered, and so is the operator’s cost: %s',
    async (_, isStream, of) => {
      const before = await houseOf('attempt');
      answerOfA = of;
      answer = isStream ? stream : json(whole);
      const reply = await call({ model, stream: isStream });
      expect(await reply.text()).toContain('yes');
      const row = await lastRow();
      expect(row).toMatchObject({ channelId: channelB, costNano: 1000 * 20_000 + 10_000 });
      expect(row?.quotaUnits).toBe(1001);
      await expect
        .poll(() => houseOf('attempt'))
        .toEqual({
          count: before.count + 1,
          nano: before.nano + NANO_OF_A,
          channels: [...before.channels, channelA],
        });
    },
  );

  it('where every attempt fails, each is counted as a cost and the caller is charged nothing', async () => {
    const before = await houseOf('attempt');
    const rows = (await lastRow())?.id;
    answerOfA = usageThen(event(failed));
    answer = usageThen(event(failed));
    const reply = await call({ model, stream: true });
    expect(await reply.text()).toContain('error');
    await expect
      .poll(() => houseOf('attempt'))
      .toEqual({
        count: before.count + 2,
        nano: before.nano + NANO_OF_A + 100 * 20_000 + 5 * 10_000,
        channels: expect.arrayContaining([channelA, channelB]) as number[],
      });
    expect((await lastRow())?.id).toBe(rows);
  });

  it('a failed test of a channel is counted as the cost of a test', async () => {
    const [attempts, tests] = [await houseOf('attempt'), await houseOf('test')];
    answerOfA = json({ ...failed, usage: TOLD });
    const tested = await scene.asRoot(`/api/channel/test/${channelA}?model=${model}`);
    expect(tested.success).toBe(false);
    await expect
      .poll(() => houseOf('test'))
      .toEqual({
        count: tests.count + 1,
        nano: tests.nano + NANO_OF_A,
        channels: [channelA],
      });
    expect(await houseOf('attempt')).toEqual(attempts);
  });
});
