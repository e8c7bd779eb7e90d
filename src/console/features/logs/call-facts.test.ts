import { expect, test } from 'vitest';
import { readCallFacts } from './call-facts.ts';
import { durationTone, firstTokenTone, stretchOf } from './log-times.ts';

const other = {
  model_ratio: 0.075,
  completion_ratio: 4,
  model_price: -1,
  group_ratio: 1.5,
  user_group_ratio: -1,
  cache_tokens: 100,
  cache_ratio: 0.5,
  price_version: 7,
  price_source: 'catalogue',
  hold_units: 40,
  frt: 340,
  asked_model: 'mini',
  is_model_mapped: true,
  upstream_model_name: 'gpt-4o-mini-2024',
  request_path: '/v1/chat/completions',
  request_conversion: ['anthropic-messages', 'openai-chat'],
  price_steps: [
    {
      bucket: 'inputTokens',
      count: 10,
      factors: { modelRatio: '0.075', groupRatio: '1.5', unheardOf: '1', cacheRatio: 1 },
      unitsEach: '0.1125',
      units: '1.125',
    },
    { bucket: 'cacheReadTokens', count: 100, unitsEach: '0.05625', units: '5.625' },
  ],
  price_sum: '6.75',
  price_units: 7,
  cache_saved_units: 12,
  usage: { inputTokens: 10, cacheReadTokens: 100, outputTokens: 3, reasoningTokens: 2, estimated: false },
  stream_status: { status: 'complete', end_reason: 'done' },
  admin_info: {
    use_channel: ['3', '5'],
    attempts: [
      { channel: 3, status: 500, ms: 12, error: 'boom' },
      { channel: 5, status: 200, ms: 340, at: 14, connect: 2, head: 300, race: 'won' },
    ],
    decision: {
      group: 'vip',
      left_out: [
        [3, 'tried'],
        [9, 'lower_priority'],
      ],
    },
    queued: { channel: 3, position: 2, wait_ms: 1500 },
    session: {
      from: 'session-id',
      bound_to: 3,
      passed_over: 'cheaper',
      moved: { stay_usd: 0.5, move_usd: 0.25, cold_usd: 0.125 },
    },
    stages: { read: 1, hold: 2, last: 500 },
    retries_refused: true,
    local_count_tokens: false,
  },
};

test('a row says if its answer was cut off or shortened because the money was used up', () => {
  const limited = { ...other, limited_by: 'quota', max_tokens_lowered_to: 2950 };
  expect(readCallFacts(JSON.stringify(limited))).toMatchObject({
    isLimitedByQuota: true,
    loweredTokens: 2950,
  });
  expect(readCallFacts(JSON.stringify(other))).toMatchObject({
    isLimitedByQuota: false,
    loweredTokens: undefined,
  });
});

test('a row of a call that a crash cut off says what the operator may have lost', () => {
  const told = JSON.stringify({ admin_info: { house_loss_at_most: 20 } });
  expect([readCallFacts(told).lostUnitsAtMost, readCallFacts('').lostUnitsAtMost]).toEqual([20, 0]);
});

test('a row says which service tier was asked for, what was sent where that is another, and what was served', () => {
  const served = (fields: object) => readCallFacts(JSON.stringify(fields)).service;
  const asked_service = { tier: 'priority' };
  expect(served({ service: { sent: { tier: 'flex' }, served: {} } })).toMatchObject({
    asked: 'flex',
    served: '',
  });
  expect(served({ asked_service })).toMatchObject({ asked: 'priority → —', served: '' });
  expect(
    served({ asked_service, service: { sent: { tier: 'flex' }, served: { tier: 'standard' } } }),
  ).toMatchObject({ asked: 'priority → flex', served: 'standard' });
});

test('a row says which sound and pictures were charged as text', () => {
  const told = JSON.stringify({ admin_info: { sold_as_text: ['audioInputTokens'] } });
  expect(readCallFacts(told).soldAsText).toEqual(['audioInputTokens']);
  expect(readCallFacts(JSON.stringify(other)).soldAsText).toEqual([]);
});

test('a row says what of it was free of the day’s allowance of its upstream', () => {
  const free = { name: 'minis', of: 'tokens', amount: 120 };
  expect(readCallFacts(JSON.stringify({ admin_info: { free } })).free).toEqual(free);
  expect(readCallFacts(JSON.stringify({ admin_info: { free: { ...free, of: 'x' } } })).free).toBeUndefined();
  expect(readCallFacts(JSON.stringify(other)).free).toBeUndefined();
});

test('a row is read with its price, its usage and its route', () => {
  const facts = readCallFacts(JSON.stringify(other));
  expect(facts).toMatchObject({
    firstTokenMs: 340,
    askedModel: 'mini',
    upstreamModel: 'gpt-4o-mini-2024',
    formats: ['anthropic-messages', 'openai-chat'],
    sessionId: '',
    priceVersion: '7',
    heldUnits: 40,
    savedUnits: 12,
    cachedTokens: 100,
    usage: { inputTokens: 10, cacheReadTokens: 100, outputTokens: 3, reasoningTokens: 2 },
    chain: ['3', '5'],
    route: {
      group: 'vip',
      queued: { channel: 3, position: 2, waitMs: 1500 },
      session: {
        from: 'session-id',
        boundTo: 3,
        passedOver: 'cheaper',
        moved: { stayUsd: 0.5, moveUsd: 0.25, coldUsd: 0.125 },
      },
      leftOut: [
        { channel: 3, reason: 'tried' },
        { channel: 9, reason: 'lower_priority' },
      ],
    },
  });
  expect(facts.ratios).toMatchObject({ perCall: undefined, userGroup: undefined, group: 1.5 });
  expect(facts.route).toMatchObject({
    isRetryRefused: true,
    stages: { readMs: 1, holdMs: 2, lastMs: 500 },
  });
  expect(facts.route?.attempts).toEqual([
    {
      channel: 3,
      status: 500,
      ms: 12,
      error: 'boom',
      atMs: undefined,
      connectMs: undefined,
      headMs: undefined,
      race: '',
    },
    { channel: 5, status: 200, ms: 340, error: '', atMs: 14, connectMs: 2, headMs: 300, race: 'won' },
  ]);
});

test("a row that was charged by our own count has the upstream's report, too", () => {
  const counted = { ...other, reported_usage: { prompt_tokens: 0, completion_tokens: 180 } };
  expect(readCallFacts(JSON.stringify(counted)).reported).toEqual({ prompt: 0, completion: 180 });
  expect(readCallFacts(JSON.stringify(other)).reported).toBeUndefined();
});

test('prices have the factors the server sent; older rows have unit prices without factors', () => {
  const { steps, sum, units } = readCallFacts(JSON.stringify(other));
  expect(steps).toEqual([
    {
      bucket: 'inputTokens',
      count: 10,
      factors: [
        { name: 'modelRatio', value: '0.075' },
        { name: 'groupRatio', value: '1.5' },
      ],
      unitsEach: '0.1125',
      units: '1.125',
    },
    { bucket: 'cacheReadTokens', count: 100, factors: [], unitsEach: '0.05625', units: '5.625' },
  ]);
  expect([sum, units]).toEqual(['6.75', 7]);
  const { price_sum: _, price_units: __, ...older } = other;
  expect(readCallFacts(JSON.stringify(older))).toMatchObject({ sum: undefined, units: undefined });
});

test('rows of other systems and broken rows are read as far as possible', () => {
  expect(readCallFacts('')).toMatchObject({
    firstTokenMs: undefined,
    steps: [],
    route: undefined,
    error: undefined,
  });
  expect(readCallFacts('{"frt":-1000,"admin_info":{"use_channel":["1"]}}')).toMatchObject({
    firstTokenMs: undefined,
    chain: ['1'],
    route: { attempts: [], leftOut: undefined },
  });
  const sound = '{"audio":true,"audio_input":5,"text_input":7,"audio_output":2,"text_output":3}';
  expect(readCallFacts(sound).usage).toEqual({
    inputTokens: 7,
    audioInputTokens: 5,
    outputTokens: 3,
    audioOutputTokens: 2,
  });
});

test('times have the colours of the specification', () => {
  expect([0, 100.9, 101, 299.9, 300].map(durationTone)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad']);
  expect([0, 2.9, 3, 9.9, 10].map(firstTokenTone)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad']);
});

test('the default range is today until an hour ahead; a request id is searched in all rows', () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime();
  const midnight = new Date(2026, 10, 21).getTime() / 1000;
  expect(stretchOf({}, now)).toEqual({ start_timestamp: midnight, end_timestamp: now / 1000 + 3600 });
  expect(stretchOf({ request_id: 'x' }, now).start_timestamp).toBe(0);
  expect(stretchOf({ range: 'hour' }, now).start_timestamp).toBe(now / 1000 - 3600);
  expect(stretchOf({ range: 'yesterday' }, now)).toEqual({
    start_timestamp: new Date(2026, 10, 20).getTime() / 1000,
    end_timestamp: midnight - 1,
  });
  expect(stretchOf({ from: '5', to: '9', range: 'week' }, now)).toEqual({
    start_timestamp: 5,
    end_timestamp: 9,
  });
});
