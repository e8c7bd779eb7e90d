import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { completionTokens, promptTokens, type Usage } from '#core/chat/usage.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { SseParser, writeFrame } from '../../dialects/sse.ts';
import { chargeOf, newMeter, note, noteFrame } from './meter.ts';
import { hasRecordings, recordedExchanges } from '../../dialects/testing/recorded-exchanges.ts';

/** An answer whose usage is reported more than once is charged by the last report. */

const chargedUsage = (format: DialectName, sse: string): Usage | undefined => {
  const meter = newMeter();
  const parser = new SseParser();
  for (const frame of [...parser.feed(Buffer.from(sse)), ...parser.end()])
    noteFrame(meter, frame, chatDialects[format].tap(frame));
  meter.finished = true;
  const charge = chargeOf(meter, { inputTokensEstimate: 1000 });
  return charge.action === 'void' ? undefined : charge.usage;
};

/** The usage a caller of another format gets. */
const toldUsage = (format: DialectName, sse: string): Usage | undefined => {
  const parser = new SseParser();
  const reader = chatDialects[format].openReader();
  const frames = [...parser.feed(Buffer.from(sse)), ...parser.end()];
  const events = [...frames.flatMap((frame) => [...reader.read(frame)]), ...reader.end()];
  const last = events.findLast((event) => event.type === 'usage');
  return last?.type === 'usage' ? last.usage : undefined;
};

const stream = (...bodies: readonly object[]): string =>
  bodies
    .map((body) => writeFrame(JSON.stringify(body), 'type' in body ? String(body.type) : '').raw.toString())
    .join('');

const messages = (start: object, end: object): string =>
  stream(
    { type: 'message_start', message: { id: 'm', model: 'c', usage: start } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: end },
    { type: 'message_stop' },
  );

const gemini = (...usages: readonly object[]): string =>
  stream(
    ...usages.map((usageMetadata, at) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: `piece ${at}` }] },
          ...(at === usages.length - 1 && { finishReason: 'STOP' }),
        },
      ],
      usageMetadata,
    })),
  );

const chat = (...usages: readonly object[]): string =>
  stream(
    { id: 'a', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
    ...usages.map((usage) => ({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })),
  );

const streams: readonly (readonly [string, DialectName, string, Partial<Usage>])[] = [
  [
    'Anthropic tells late what the cache held',
    'anthropic-messages',
    messages(
      { input_tokens: 3019, output_tokens: 1 },
      {
        input_tokens: 756,
        cache_read_input_tokens: 1509,
        cache_creation_input_tokens: 754,
        output_tokens: 212,
      },
    ),
    { inputTokens: 756, cacheReadTokens: 1509, cacheWrite5mTokens: 754, outputTokens: 212 },
  ],
  [
    'the last report of Anthropic has the answer alone',
    'anthropic-messages',
    messages(
      { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 1 },
      { output_tokens: 40 },
    ),
    { inputTokens: 10, cacheReadTokens: 90, cacheWrite5mTokens: 5, outputTokens: 40 },
  ],
  [
    'only the start says that something is kept for an hour',
    'anthropic-messages',
    messages(
      {
        input_tokens: 10,
        cache_creation_input_tokens: 500,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 500 },
        output_tokens: 1,
      },
      { input_tokens: 10, cache_creation_input_tokens: 500, cache_read_input_tokens: 0, output_tokens: 40 },
    ),
    { inputTokens: 10, cacheWrite1hTokens: 500, outputTokens: 40 },
  ],
  [
    'the last report fills in a prompt of 0',
    'anthropic-messages',
    messages({ input_tokens: 3019, output_tokens: 1 }, { input_tokens: 0, output_tokens: 40 }),
    { inputTokens: 3019, outputTokens: 40 },
  ],
  [
    'zeros in the last report are no news of what the cache held',
    'anthropic-messages',
    messages(
      {
        input_tokens: 756,
        cache_read_input_tokens: 1509,
        cache_creation_input_tokens: 754,
        output_tokens: 1,
      },
      { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 40 },
    ),
    { inputTokens: 756, cacheReadTokens: 1509, cacheWrite5mTokens: 754, outputTokens: 40 },
  ],
  [
    'Gemini tells late what the cache held',
    'gemini',
    gemini(
      { promptTokenCount: 3021, totalTokenCount: 3021 },
      {
        promptTokenCount: 3021,
        cachedContentTokenCount: 1510,
        candidatesTokenCount: 10,
        totalTokenCount: 3031,
      },
    ),
    { inputTokens: 1511, cacheReadTokens: 1510, outputTokens: 10 },
  ],
  [
    'the last report of Gemini has its answer in the total alone',
    'gemini',
    gemini(
      { promptTokenCount: 66, candidatesTokenCount: 21, thoughtsTokenCount: 78, totalTokenCount: 165 },
      { promptTokenCount: 66, thoughtsTokenCount: 78, totalTokenCount: 165 },
    ),
    { inputTokens: 66, outputTokens: 99, reasoningTokens: 78 },
  ],
  [
    'the last report of Gemini has neither answer nor total',
    'gemini',
    gemini(
      { promptTokenCount: 66, candidatesTokenCount: 21, thoughtsTokenCount: 78, totalTokenCount: 165 },
      { promptTokenCount: 66, thoughtsTokenCount: 78 },
    ),
    { inputTokens: 66, outputTokens: 99, reasoningTokens: 78 },
  ],
  [
    'a chat tells late what the cache held, and the same once more',
    'openai-chat',
    chat(
      { prompt_tokens: 3000, completion_tokens: 1 },
      { prompt_tokens: 3000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 2000 } },
      { prompt_tokens: 3000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 2000 } },
    ),
    { inputTokens: 1000, cacheReadTokens: 2000, outputTokens: 50 },
  ],
];

describe('usage that is reported more than once', () => {
  test.each(streams)('%s: charged and shown once', (_, format, sse, expected) => {
    const none = { inputTokens: 0, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 };
    expect(chargedUsage(format, sse)).toMatchObject({ ...none, ...expected });
    expect(toldUsage(format, sse)).toMatchObject({ ...none, ...expected });
  });
});

test('a count at the end replaces a larger one before', () => {
  const sse = chat(
    { prompt_tokens: 37, completion_tokens: 72 },
    { prompt_tokens: 30, completion_tokens: 50 },
  );
  for (const usage of [chargedUsage('openai-chat', sse), toldUsage('openai-chat', sse)])
    expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 50 });
});

test('of several answers that each report their own end, none counts for less than the longest', () => {
  const end = (index: number, completion_tokens: number) => ({
    choices: [{ index, delta: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 30, completion_tokens },
  });
  expect(chargedUsage('openai-chat', stream(end(0, 50), end(1, 20)))).toMatchObject({ outputTokens: 50 });
});

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

interface Exchange {
  readonly id: string;
  readonly endpoint: string;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

const FORMATS: Readonly<Record<string, DialectName>> = {
  'openai.chat': 'openai-chat',
  'openai.responses': 'openai-responses',
  'anthropic.messages': 'anthropic-messages',
  'gemini.generateContent': 'gemini',
  'gemini.streamGenerateContent': 'gemini',
};

/** Every usage object of an exchange, in order, found without our readers. */
const usagesIn = ({ response }: Exchange): Json[] => {
  const bodies: unknown[] =
    response.sse === undefined
      ? [response.body].flat()
      : response.sse
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:') && line.includes('{'))
          .map((line): unknown => JSON.parse(line.slice(5)));
  return bodies.map(objectOf).flatMap((body) => {
    const found = [
      body['usage'],
      body['usageMetadata'],
      objectOf(body['message'])['usage'],
      objectOf(body['response'])['usage'],
      objectOf(body['x_groq'])['usage'],
    ];
    return found.map(objectOf).filter((usage) => Object.keys(usage).length > 0);
  });
};

/** Input and output tokens as the maker of the format reads its own last report. */
const lastSaid = (format: DialectName, usages: readonly Json[]): { input: number; output: number } => {
  const last: Json = Object.assign({}, ...(format === 'anthropic-messages' ? usages : usages.slice(-1)));
  const of = (name: string): number => numberOf(last[name]);
  if (format === 'gemini')
    return {
      input: of('promptTokenCount') + of('toolUsePromptTokenCount'),
      output: of('totalTokenCount') - of('promptTokenCount') - of('toolUsePromptTokenCount'),
    };
  if (format === 'anthropic-messages') {
    // What a summary and an adviser used is not in the sums.
    const steps = Array.isArray(last['iterations']) ? last['iterations'].map(objectOf) : [];
    const all = [last, ...steps.filter(({ type }) => type === 'compaction' || type === 'advisor_message')];
    const sum = (...names: readonly string[]): number =>
      all.flatMap((one) => names.map((name) => numberOf(one[name]))).reduce((total, one) => total + one, 0);
    return {
      input: sum('input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'),
      output: sum('output_tokens'),
    };
  }
  const written = of('completion_tokens') + of('output_tokens');
  const thought = numberOf(objectOf(last['completion_tokens_details'])['reasoning_tokens']);
  return {
    input: of('prompt_tokens') + of('input_tokens'),
    // More than the sum cannot be in it: such thoughts are beside it, as the costs of these answers say.
    output: thought > written ? written + thought : written,
  };
};

/** Formats whose total counts reasoning in addition to the output. */
const isSideCall = (usages: readonly Json[]): boolean => {
  const last = usages.at(-1) ?? {};
  const sum = numberOf(last['prompt_tokens']) + numberOf(last['completion_tokens']);
  return last['prompt_tokens'] !== undefined && numberOf(last['total_tokens']) > sum;
};

describe.skipIf(!hasRecordings)('every recorded answer', () => {
  test('is charged by its last report', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const exchange of recordedExchanges() as Exchange[]) {
      const format = FORMATS[exchange.endpoint];
      const { status, body, sse } = exchange.response;
      if (format === undefined || status >= 300 || (body === undefined && sse === undefined)) continue;
      const usages = usagesIn(exchange);
      const said = lastSaid(format, usages);
      // A prompt reported as 0 is counted by us.
      if (said.input === 0 || isSideCall(usages)) continue;
      checked += 1;
      const charged = sse === undefined ? wholeUsage(format, body) : chargedUsage(format, sse);
      const got = charged && { input: promptTokens(charged), output: completionTokens(charged) };
      if (got?.input !== said.input || got.output !== said.output)
        wrong.push(`${exchange.id}: ${JSON.stringify({ got, said })}`);
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });
});

const wholeUsage = (format: DialectName, body: unknown): Usage | undefined => {
  const meter = newMeter();
  note(meter, chatDialects[format].tapWhole(body));
  meter.finished = true;
  meter.produced = true;
  const charge = chargeOf(meter, { inputTokensEstimate: 1000 });
  return charge.action === 'void' ? undefined : charge.usage;
};
