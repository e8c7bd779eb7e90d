import { expect, test } from 'vitest';
import { readCallFacts } from './call-facts.ts';
import { durationTone, firstTokenTone, stretchOf } from './log-times.ts';
import { exactSum, factorsOf, roundedUnits } from './exact-price.ts';

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
  is_model_mapped: true,
  upstream_model_name: 'gpt-4o-mini-2024',
  request_path: '/v1/chat/completions',
  request_conversion: ['anthropic-messages', 'openai-chat'],
  price_steps: [
    { bucket: 'inputTokens', count: 10, unitsEach: '0.1125', units: '1.125' },
    { bucket: 'cacheReadTokens', count: 100, unitsEach: '0.05625', units: '5.625' },
    { bucket: 'outputTokens', count: 3, unitsEach: '0.45', units: '1.35' },
  ],
  usage: { inputTokens: 10, cacheReadTokens: 100, outputTokens: 3, reasoningTokens: 2, estimated: false },
  stream_status: { status: 'complete', end_reason: 'done' },
  admin_info: {
    use_channel: ['3', '5'],
    attempts: [
      { channel: 3, status: 500, ms: 12, error: 'boom' },
      { channel: 5, status: 200, ms: 340 },
    ],
    decision: {
      group: 'vip',
      left_out: [
        [3, 'tried'],
        [9, 'lower_priority'],
      ],
    },
    local_count_tokens: false,
  },
};

test('a row is read with its price, its usage and its route', () => {
  const facts = readCallFacts(JSON.stringify(other));
  expect(facts).toMatchObject({
    firstTokenMs: 340,
    upstreamModel: 'gpt-4o-mini-2024',
    formats: ['anthropic-messages', 'openai-chat'],
    priceVersion: '7',
    heldUnits: 40,
    cachedTokens: 100,
    usage: { inputTokens: 10, cacheReadTokens: 100, outputTokens: 3, reasoningTokens: 2 },
    route: {
      chain: ['3', '5'],
      group: 'vip',
      leftOut: [
        { channel: 3, reason: 'tried' },
        { channel: 9, reason: 'lower_priority' },
      ],
    },
  });
  expect(facts.ratios).toMatchObject({ perCall: undefined, userGroup: undefined, group: 1.5 });
  expect(facts.route?.attempts).toEqual([
    { channel: 3, status: 500, ms: 12, error: 'boom' },
    { channel: 5, status: 200, ms: 340, error: '' },
  ]);
});

test('the factors of each bucket multiply to what one token costs', () => {
  const { steps, ratios } = readCallFacts(JSON.stringify(other));
  for (const step of steps) {
    const product = factorsOf(step, ratios).reduce((all, factor) => all * factor.value, 1);
    expect(product).toBeCloseTo(Number(step.unitsEach), 12);
  }
  expect(steps).toHaveLength(3);
});

test('the special ratio of the user group stands in for the group ratio, and a price per call has its own factors', () => {
  const { ratios } = readCallFacts(
    JSON.stringify({ model_price: 0.02, group_ratio: 1, user_group_ratio: 0.5 }),
  );
  expect(factorsOf({ bucket: 'call', count: 1, unitsEach: '5000', units: '5000' }, ratios)).toEqual([
    { name: 'perCall', value: 0.02 },
    { name: 'quotaPerUnit', value: 500_000 },
    { name: 'userGroupRatio', value: 0.5 },
  ]);
});

test('decimals add up exactly where floating point does not', () => {
  expect(exactSum(['0.1', '0.2', '1.125'])).toBe('1.425');
  expect(exactSum(['0.000000000000000000000001', '3'])).toBe('3.000000000000000000000001');
  expect(exactSum([])).toBe('0');
});

test('a sum is rounded half up, and anything costs at least one unit', () => {
  expect(['0', '0.0001', '1.4999', '1.5', '8.1', '9007199254740990.5'].map(roundedUnits)).toEqual([
    0, 1, 1, 2, 8, 9_007_199_254_740_991,
  ]);
});

test('rows of other systems and broken ones are read as far as they go', () => {
  expect(readCallFacts('')).toMatchObject({
    firstTokenMs: undefined,
    steps: [],
    route: undefined,
    error: undefined,
  });
  expect(readCallFacts('{"frt":-1000,"admin_info":{"use_channel":["1"]}}')).toMatchObject({
    firstTokenMs: undefined,
    route: { chain: ['1'], attempts: [], leftOut: [] },
  });
  const sound = '{"audio":true,"audio_input":5,"text_input":7,"audio_output":2,"text_output":3}';
  expect(readCallFacts(sound).usage).toEqual({
    inputTokens: 7,
    audioInputTokens: 5,
    outputTokens: 3,
    audioOutputTokens: 2,
  });
});

test('times are coloured as the specification says', () => {
  expect([0, 100.9, 101, 299.9, 300].map(durationTone)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad']);
  expect([0, 2.9, 3, 9.9, 10].map(firstTokenTone)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad']);
});

test('without a range the logs are those of today until an hour ahead; a request id is looked for at any time', () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime();
  const midnight = new Date(2026, 10, 21).getTime() / 1000;
  expect(stretchOf({}, now)).toEqual({ start_timestamp: midnight, end_timestamp: now / 1000 + 3600 });
  expect(stretchOf({ request_id: 'x' }, now).start_timestamp).toBe(0);
  expect(stretchOf({ range: 'hour' }, now).start_timestamp).toBe(now / 1000 - 3600);
  expect(stretchOf({ from: '5', to: '9', range: 'week' }, now)).toEqual({
    start_timestamp: 5,
    end_timestamp: 9,
  });
});
