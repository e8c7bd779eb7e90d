import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { readStream, writeStream } from './testing/streams.ts';
import { writeFrame } from './sse.ts';

/** Answers that ended abnormally, converted for callers of other formats. */

type Json = Record<string, unknown>;

const others: DialectName[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

/** The last event of a stream, in the caller's format. */
const streamed = async (from: DialectName, bodies: readonly unknown[], to: DialectName): Promise<Json[]> => {
  const frames = bodies.map((body) => writeFrame(JSON.stringify(body)));
  const told: Json[] = [];
  for await (const { data } of writeStream(chatDialects[to], readStream(chatDialects[from], frames)))
    if (data.length > 0 && data.toString() !== '[DONE]') told.push(JSON.parse(data.toString()) as Json);
  return told;
};
const whole = (from: DialectName, body: unknown, to: DialectName): Json =>
  chatDialects[to].writeWhole(chatDialects[from].readWhole(body)) as Json;

const gemini = (parts: readonly unknown[], finishReason: string, more: Json = {}): Json => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason, ...more }],
  usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
  modelVersion: 'gemini-3.8-flash',
  responseId: 'r1',
});

const NO_ANSWERS = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'PUP_LIMITED_DISABLED',
  'NO_IMAGE',
  'IMAGE_OTHER',
  'OTHER',
  'SOMETHING_NEW',
];
const FILTERS = [
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'ESCALATION',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
];
const FILTERED: Readonly<Record<string, Json>> = {
  'openai-chat': {
    choices: [{ finish_reason: 'content_filter', message: { refusal: 'It quotes a song.' } }],
  },
  'openai-responses': {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    output: [{ content: [{ type: 'refusal', refusal: 'It quotes a song.' }] }],
  },
  'anthropic-messages': {
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', explanation: 'It quotes a song.' },
  },
};

describe.each(others)('to callers of %s', (to) => {
  test.each(NO_ANSWERS)('%s without a word is an error that names it', async (word) => {
    const ended = gemini([{ thoughtSignature: 'c2ln' }], word, { finishMessage: 'call: print(f"' });
    const error = { message: `the model ended without an answer (${word}): call: print(f"` };
    const told = await streamed('gemini', [ended], to);
    expect(told.find(({ error: found }) => found !== undefined)).toMatchObject({ error });
    expect(whole('gemini', ended, to)).toMatchObject({ error });
  });

  test('a call that could not be made is an error after words, too; but not beside calls that were', async () => {
    const words = gemini([{ text: 'I will look.' }], 'MALFORMED_FUNCTION_CALL');
    expect(JSON.stringify(await streamed('gemini', [words], to))).toContain('MALFORMED_FUNCTION_CALL');
    const called = gemini([{ functionCall: { name: 'look', args: {} } }], 'MALFORMED_FUNCTION_CALL');
    const reply = whole('gemini', called, to);
    expect(reply['error'] ?? null).toBeNull();
    expect(JSON.stringify(reply)).toMatch(
      /"finish_reason":"tool_calls"|"function_call"|"stop_reason":"tool_use"/,
    );
  });

  test('text before the account was limited is not a complete answer', async () => {
    const words = gemini([{ text: 'First of all,' }], 'PUP_LIMITED_DISABLED');
    expect(JSON.stringify(await streamed('gemini', [words], to))).toContain('PUP_LIMITED_DISABLED');
    expect(whole('gemini', words, to)).toHaveProperty('error.message');
  });

  test('an end without a reason after text is a normal end', () => {
    expect(whole('gemini', gemini([{ text: 'Done.' }], 'OTHER'), to)['error'] ?? null).toBeNull();
  });

  test.each(FILTERS)('%s is a filter, and says why', (word) => {
    const reply = whole('gemini', gemini([], word, { finishMessage: 'It quotes a song.' }), to);
    expect(reply).toMatchObject(FILTERED[to] ?? {});
  });

  test('a blocked prompt says why', () => {
    const promptFeedback = { blockReason: 'OTHER', blockReasonMessage: 'It quotes a song.' };
    expect(whole('gemini', { promptFeedback }, to)).toMatchObject(FILTERED[to] ?? {});
  });
});

test('Gemini’s own callers have the reason and the message as they came', () => {
  const ended = gemini([{ text: 'no' }], 'RECITATION', { finishMessage: 'It quotes a song.' });
  expect(whole('gemini', ended, 'gemini')['candidates']).toMatchObject([
    { finishReason: 'RECITATION', finishMessage: 'It quotes a song.' },
  ]);
});

test('one of several answers that failed does not fail the others', () => {
  const reply = {
    candidates: [
      { index: 0, content: { parts: [{ text: 'yes' }] }, finishReason: 'STOP' },
      { index: 1, finishReason: 'MALFORMED_FUNCTION_CALL' },
    ],
  };
  expect(whole('gemini', reply, 'openai-chat')['choices']).toMatchObject([
    { message: { content: 'yes' }, finish_reason: 'stop' },
    { finish_reason: 'stop' },
  ]);
  expect(chatDialects.gemini.tapWhole(reply).failure).toBeUndefined();
});

test.each([
  'error',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
  'malformed_tool_use',
])('a chat that ended with %s is an error in every other format', async (word) => {
  const body = {
    id: 'gen-1',
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: word, error: { code: 502, message: 'cut' } }],
  };
  const error = { message: `the model ended without an answer (${word}): cut` };
  const wholeBody = { ...body, choices: [{ ...body.choices[0], message: { content: null } }] };
  for (const to of ['openai-responses', 'anthropic-messages', 'gemini'] as const) {
    const told = await streamed('openai-chat', [body], to);
    expect(told.find(({ error: found }) => found !== undefined)).toMatchObject({ error });
    expect(whole('openai-chat', wholeBody, to)).toMatchObject({ error });
  }
  expect(chatDialects['openai-chat'].tapWhole(wholeBody).failure?.reason).toBe('malformed_answer');
});

const CUT: Readonly<Record<DialectName, Json>> = {
  'openai-chat': { choices: [{ finish_reason: 'length' }] },
  'openai-responses': { incomplete_details: { reason: 'max_output_tokens' } },
  'anthropic-messages': { stop_reason: 'max_tokens' },
  gemini: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
};

test.each([
  ['gemini', gemini([{ text: 'half' }], 'CONTINUATION'), { candidates: [{ finishReason: 'CONTINUATION' }] }],
  ...['max_messages', 'brand_new'].map(
    (reason) =>
      [
        'openai-responses',
        { id: 'r', status: 'incomplete', incomplete_details: { reason }, output: [] },
        { incomplete_details: { reason } },
      ] as const,
  ),
] as const)('an answer of %s that reached a limit of its maker is no whole one', (from, reply, own) => {
  for (const [to, cut] of Object.entries(CUT))
    expect(whole(from, reply, to as DialectName)).toMatchObject(to === from ? own : cut);
});

const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const ENDS_OF_LOOK_ALIKES: readonly (readonly [string, object, string, string])[] = [
  ['tool_call', { tool_calls: [CALL] }, 'STOP', 'tool_use'],
  ['tool_use', { tool_calls: [CALL] }, 'STOP', 'tool_use'],
  ['function_call', { tool_calls: [CALL] }, 'STOP', 'tool_use'],
  ['eos', { content: 'a' }, 'STOP', 'end_turn'],
  ['model_length', { content: 'a' }, 'MAX_TOKENS', 'max_tokens'],
  ['sensitive', { content: 'a' }, 'SAFETY', 'refusal'],
];

test.each(ENDS_OF_LOOK_ALIKES)(
  'a chat that ended with %j has that end elsewhere',
  async (word, said, gemini, messages) => {
    const reply = { id: 'c', model: 'm', choices: [{ index: 0, message: said, finish_reason: word }] };
    expect(whole('openai-chat', reply, 'gemini')['candidates']).toMatchObject([{ finishReason: gemini }]);
    expect(whole('openai-chat', reply, 'anthropic-messages')['stop_reason']).toBe(messages);
    const delta = 'tool_calls' in said ? { tool_calls: [{ index: 0, ...CALL }] } : said;
    const pieces = [
      { id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: null }] },
      { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: word }] },
    ];
    const frames = [...pieces.map((piece) => writeFrame(JSON.stringify(piece))), writeFrame('[DONE]')];
    for (const [to, end] of [
      ['gemini', `"finishReason":"${gemini}"`],
      ['anthropic-messages', `"stop_reason":"${messages}"`],
    ] as const) {
      const told: string[] = [];
      const events = readStream(chatDialects['openai-chat'], frames);
      for await (const { data } of writeStream(chatDialects[to], events)) told.push(data.toString());
      expect(told.join('\n')).toContain(end);
    }
  },
);

test('why Anthropic refused is told in every format', () => {
  const refused = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: 'cyber', explanation: 'It quotes a song.' },
    usage: { input_tokens: 3, output_tokens: 1 },
  };
  for (const to of others) expect(whole('anthropic-messages', refused, to)).toMatchObject(FILTERED[to] ?? {});
  expect(whole('anthropic-messages', refused, 'anthropic-messages')['stop_details']).toEqual(
    refused.stop_details,
  );
  expect(whole('anthropic-messages', refused, 'gemini')['candidates']).toMatchObject([
    { finishReason: 'SAFETY', finishMessage: 'It quotes a song.' },
  ]);
});
