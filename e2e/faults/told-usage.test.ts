import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { meaningOf } from '../conformance/meaning/reply-content.ts';
import { useFormats } from './use-formats.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';

/** Callers of other formats get the usage that the upstream reported; the charge may be higher, and the row says so. */

type Json = Readonly<Record<string, unknown>>;

const { rig, upstream, post } = useFormats(startStepwiseUpstream);

/** 40 bytes: about ten tokens. */
const QUESTION = 'What is to be seen in the video up there?';

const asks: Readonly<
  Record<Exclude<DialectName, 'openai-chat'>, (stream: boolean) => readonly [string, Json]>
> = {
  'openai-responses': (stream) => ['/v1/responses', { model: 'openai-chat', stream, input: QUESTION }],
  'anthropic-messages': (stream) => [
    '/v1/messages',
    { model: 'openai-chat', stream, max_tokens: 1000, messages: [{ role: 'user', content: QUESTION }] },
  ],
  gemini: (stream) => [
    `/v1beta/models/openai-chat:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: QUESTION }] }] },
  ],
};
type Caller = keyof typeof asks;

const TEXT = 'A panda is eating bamboo.';
/** Large enough that a whole reply is read in another thread. */
const LONG_TEXT = TEXT.repeat(30_000);
const said = (usage: Json, stream: boolean, text: string) => {
  const head = { id: 'c1', created: 1, model: 'up' };
  if (!stream)
    return {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
      usage,
    };
  const pieces = [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ];
  return { pieces: [...pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`), 'data: [DONE]\n\n'] };
};

/** The usage the caller gets, the usage in its row, and the units taken from its balance. */
const used = async (caller: Caller, stream: boolean, usage: Json, text = TEXT) => {
  upstream().say(said(usage, stream, text));
  const before = (await rig().balance()).used;
  const [path, body] = asks[caller](stream);
  const response = await post(path, body);
  const told = meaningOf(caller, Buffer.from(await upstream().read(response))).usage;
  await expect.poll(rig().openHolds).toBe(0);
  const row = (await rig().logs()).at(-1);
  if (row === undefined) throw new Error('no row');
  const other = JSON.parse(row.other) as { usage: Json; reported_usage?: Json };
  return { told, row, other, charged: (await rig().balance()).used - before };
};

const callers = (Object.keys(asks) as Caller[]).flatMap((caller) =>
  [true, false].map((stream) => [caller, stream] as const),
);

describe.each(callers)('a caller of %s (streamed: %j)', (caller, stream) => {
  test('gets a reported prompt of 0 unchanged, and is charged by our own count', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 180, total_tokens: 180 };
    const { told, row, other, charged } = await used(caller, stream, usage);
    expect(told).toEqual({ prompt: 0, cached: 0, completion: 180 });
    expect(row.prompt_tokens).toBeGreaterThan(QUESTION.length / 5);
    expect(row.completion_tokens).toBe(180);
    expect(charged).toBe(row.prompt_tokens + 180);
    expect(other).toMatchObject({
      usage: { outputTokens: 180, estimated: true },
      reported_usage: { prompt_tokens: 0, completion_tokens: 180 },
    });
  });

  test('gets and is charged a complete report, and the row has no further note', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 180, total_tokens: 191 };
    const { told, other, charged } = await used(caller, stream, usage);
    expect(told).toEqual({ prompt: 11, cached: 0, completion: 180 });
    expect(charged).toBe(191);
    expect(other.usage).toEqual({ inputTokens: 11, outputTokens: 180 });
    expect(other.reported_usage).toBeUndefined();
  });

  test('gets our own count if the report is implausible', async () => {
    const usage = { prompt_tokens: 30_000_000, completion_tokens: 180, total_tokens: 30_000_180 };
    const { told, row, other, charged } = await used(caller, stream, usage);
    expect(told).toEqual({ prompt: row.prompt_tokens, cached: 0, completion: row.completion_tokens });
    expect(row.completion_tokens).toBe(Math.ceil(TEXT.length / 4));
    expect(charged).toBe(row.prompt_tokens + row.completion_tokens);
    expect(other.reported_usage).toEqual({ prompt_tokens: 30_000_000, completion_tokens: 180 });
  });

  test('is charged our own count instead of an impossible report, and the row has the report', async () => {
    const usage = { prompt_tokens: 19_000_000, completion_tokens: 18_000_000, total_tokens: 37_000_000 };
    const { row, other, charged } = await used(caller, stream, usage);
    expect(row.prompt_tokens).toBeLessThan(QUESTION.length * 2);
    expect(row.completion_tokens).toBe(Math.ceil(TEXT.length / 4));
    expect(charged).toBe(row.prompt_tokens + row.completion_tokens);
    expect(other).toMatchObject({
      usage: { estimated: true },
      reported_usage: { prompt_tokens: 19_000_000, completion_tokens: 18_000_000 },
    });
  });

  test('gets and is charged the complete report of a long answer, however long it is', async () => {
    const whole = { prompt_tokens: 11, completion_tokens: 180, total_tokens: 191 };
    const { told, row, other, charged } = await used(caller, stream, whole, LONG_TEXT);
    expect(told).toEqual({ prompt: 11, cached: 0, completion: 180 });
    expect([charged, row.completion_tokens, other.reported_usage]).toEqual([191, 180, undefined]);
  });

  test('gets the report of a long answer unchanged, and is charged our own count for a reported prompt of 0', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 180, total_tokens: 180 };
    const { told, row, other, charged } = await used(caller, stream, usage, LONG_TEXT);
    expect(told).toEqual({ prompt: 0, cached: 0, completion: 180 });
    expect(row.prompt_tokens).toBeGreaterThan(QUESTION.length / 5);
    expect(charged).toBe(row.prompt_tokens + 180);
    expect(other.reported_usage).toEqual({ prompt_tokens: 0, completion_tokens: 180 });
  });
});
