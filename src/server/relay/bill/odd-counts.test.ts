import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { priceFrom, quotaOf } from '#core/quota/price.ts';
import { receiptOf } from '#core/quota/price-steps.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { plainWires } from '../../dialects/plain-wires.ts';
import { SseParser, writeFrame } from '../../dialects/sse.ts';
import { chargeOf, newMeter, note, noteFrame } from './meter.ts';

/** Whatever usage an upstream reports, in any format, the charge is a whole number that a balance can hold. */

/** Every JSON value that may appear in place of a count; numbers that are too large are read as Infinity. */
const odd = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '-0',
    '1e9',
    '1e308',
    '1e999',
    '-1e999',
    '9007199254740993',
    '0.5',
    '1e-9',
    '20000001',
  ),
  fc.constantFrom(
    'null',
    'true',
    '"5"',
    '"NaN"',
    '[]',
    '[7]',
    '{}',
    '{"invocation":1e99}',
    '100000001',
    '99999999',
  ),
  fc.nat(20_000_000).map(String),
);

const NAMES = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'prompt_cache_hit_tokens',
  'reasoning_tokens',
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'totalTokenCount',
  'seconds',
];
const DETAILS = [
  'prompt_tokens_details',
  'completion_tokens_details',
  'input_tokens_details',
  'output_tokens_details',
];
const INNER = [
  'cached_tokens',
  'audio_tokens',
  'image_tokens',
  'text_tokens',
  'reasoning_tokens',
  'cache_write_tokens',
];
const TOOLS = ['server_tool_use', 'server_side_tool_usage_details', 'tool_calls_details'];
const CALLS = ['web_search_requests', 'web_search_calls', 'web_search', 'x_search_calls'];

const objectOf = (names: readonly string[], value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 })
    .map((pairs) => `{${pairs.map(([name, said]) => `"${name}":${said}`).join(',')}}`);

const usage = fc
  .record({
    plain: objectOf(NAMES, odd),
    details: objectOf(DETAILS, objectOf(INNER, odd)),
    creation: objectOf(['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'], odd),
    tools: objectOf(TOOLS, objectOf(CALLS, odd)),
    type: fc.constantFrom('"duration"', '"tokens"'),
  })
  .map(({ plain, details, creation, tools, type }) => {
    const inner = [plain, details, tools].map((text) => text.slice(1, -1)).filter((text) => text !== '');
    return `{${[...inner, `"cache_creation":${creation}`, `"type":${type}`].join(',')}}`;
  });

const PIECES: Readonly<Record<string, (usage: string) => string>> = {
  chat: (told) =>
    '{"choices":[{"index":0,"delta":{"content":"hi"},"message":{"content":"hi"},"text":"hi",' +
    `"finish_reason":"stop"}],"usage":${told}}`,
  start: (told) => `{"type":"message_start","message":{"usage":${told}}}`,
  end: (told) =>
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"content":[{"type":"text","text":"hi"}],' +
    `"usage":${told}}`,
  response: (told) =>
    '{"type":"response.completed","object":"response","status":"completed","output":[],' +
    `"usage":${told},"tool_usage":{"image_gen":${told},"web_search":{"num_requests":1e99}},` +
    `"response":{"status":"completed","output":[],"usage":${told}}}`,
  gemini: (told) =>
    '{"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"STOP"}],' +
    `"usageMetadata":${told}}`,
  plain: (told) =>
    '{"type":"image.completed","data":[{"b64_json":"AA"}],"results":[1],"duration":1e300,' +
    `"usage":${told},"meta":{"billed_units":${told}}}`,
};

const wires: readonly Wire[] = [...Object.values(chatDialects), ...Object.values(plainWires)];

const PRICES = [0, 1e-9, 1, 1e9].flatMap((ratio) => {
  const factors = {
    completionRatio: ratio,
    cacheRatio: 1,
    createCacheRatio: 1.25,
    imageRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
    groupRatio: 1,
    userGroupRatio: -1,
    source: 'option',
    writesCache: true,
    toolPrices: { web_search: 10, xai_web_search: 5, perplexity_web_search: 5 },
  } as const;
  return [
    priceFrom({ ...factors, modelRatio: ratio, modelPrice: -1 }, 500_000),
    priceFrom({ ...factors, modelRatio: -1, modelPrice: ratio }, 500_000),
  ];
});

const isWhole = (value: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isInteger(value) && value >= 0 && value <= most;

/** The counts that cannot be charged. */
const wrongIn = (used: Usage): unknown[] => {
  const sums = [promptTokens(used), completionTokens(used), used.reasoningTokens, used.outputTokens];
  const units = PRICES.map((price) => quotaOf(price, used)).filter((amount) => amount !== undefined);
  const steps = PRICES.flatMap((price) => receiptOf(price, used).price_steps);
  return [
    ...sums.filter((sum) => !isWhole(sum)),
    ...units.filter((amount) => !isWhole(amount, MAX_QUOTA_UNITS)),
    ...steps.filter((step) => !/^\d+(\.\d+)?$/.test(step.units)),
  ];
};

describe('whatever usage an upstream reports', () => {
  test.each(wires.map((wire) => [wire.name, wire] as const))(
    'is an amount that can be charged (%s)',
    (_, wire) => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom(...Object.keys(PIECES)), usage), { minLength: 1, maxLength: 4 }),
          fc.boolean(),
          (told, comesWhole) => {
            const meter = newMeter();
            for (const [piece, said] of told) {
              const text = PIECES[piece]?.(said) ?? '';
              if (comesWhole) note(meter, wire.tapWhole(JSON.parse(text)));
              else {
                const type = /^\{"type":"([^"]+)"/.exec(text)?.[1] ?? '';
                const parser = new SseParser();
                for (const frame of parser.feed(writeFrame(text, type).raw))
                  noteFrame(meter, frame, wire.tap(frame));
              }
            }
            meter.produced = true;
            const charge = chargeOf(meter, { inputTokensEstimate: 1000 });
            const charged = charge.action === 'settle' ? [charge.usage] : [];
            expect([...charged, meter.pictureUsage ?? noUsage].flatMap(wrongIn)).toEqual([]);
          },
        ),
        { numRuns: 50 },
      );
    },
  );
});

test('a flood of searches, as items of a whole response or of a stream, counts as the most that an answer has', () => {
  const item = { type: 'web_search_call', status: 'completed', action: { type: 'search' } };
  const usage = { input_tokens: 5, output_tokens: 1 };
  const response = { status: 'completed', output: Array.from({ length: 5000 }, () => item), usage };
  const whole = chatDialects['openai-responses'].tapWhole(response);
  expect(whole.toolCalls).toEqual({ web_search: 1000 });
  const meter = newMeter();
  for (let at = 0; at < 5000; at += 1) note(meter, { toolCall: 'web_search' });
  expect(meter.seenCalls).toEqual({ web_search: 1000 });
});
