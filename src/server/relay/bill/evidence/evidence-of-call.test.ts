import { expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { overrideOf } from '#core/channel/overrides/override.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts } from '../../../dialects/dialect.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { answeredCall, heldCall } from '../../testing/answered-call.ts';
import type { Meter } from '../meter.ts';
import { evidenceOf } from './evidence-of-call.ts';

interface Asked {
  readonly channel?: Partial<Channel>;
  /** What the upstream was asked for, and what its reply names. */
  readonly asked?: string;
  readonly named?: string | undefined;
  readonly fields?: Record<string, unknown>;
  readonly facts?: Partial<RequestFacts>;
  readonly usage?: Partial<Usage>;
  readonly meter?: Partial<Meter>;
}

/** What an answer reveals about a channel that was asked for gpt-5. */
const observed = ({ channel = {}, asked = 'gpt-5', named = 'gpt-5', ...rest }: Asked = {}) => {
  const held = heldCall(openaiChat);
  const text = { model: 'gpt-5', inputTokensEstimate: 1000, promptTokensMost: 2000 };
  const facts = { ...held.request.facts, ...text, ...rest.facts };
  const fields = rest.fields ?? {};
  const call = answeredCall(
    { ...held, request: { ...held.request, facts, fields } },
    openaiChat,
    'a key of a channel',
  );
  const { attempt, meter } = call.live;
  if (attempt === undefined) throw new Error('no attempt');
  const sentAs = attempt.destination.sentAs && { ...attempt.destination.sentAs, upstreamModel: asked };
  attempt.destination = { ...attempt.destination, channel: channelOf(1, channel), ...(sentAs && { sentAs }) };
  meter.reported = { ...noUsage, inputTokens: 480, outputTokens: 100, ...rest.usage };
  Object.assign(meter, { namedModel: named, finished: true, outputBytes: 400, ...rest.meter });
  return evidenceOf(call);
};

const rule = (path: string) =>
  overrideOf({ op: 'append', on: 'body', path, value: 'more' } as Parameters<typeof overrideOf>[0]);

test('reported prompt tokens are compared with those of the prompt that the caller sent', () => {
  expect(observed()?.prompt).toEqual({ reported: 480, counted: 500 });
  expect(observed()?.output).toEqual({ reported: 100, counted: 100 });
  expect(observed({ channel: { setting: { overrides: [rule('stop')] } } })?.prompt).toBeDefined();
});

test.each<[string, Partial<Channel>]>([
  ['a system prompt', { setting: { systemPrompt: 'Be kind.' } }],
  ['a rule for messages', { setting: { overrides: [rule('messages.*.content')] } }],
  ['a field of the prompt', { paramOverride: { system: 'Be kind.' } }],
])('where the operator adds to it by %s, an honest upstream is not compared', (_, channel) => {
  expect(observed({ channel })?.prompt).toBeUndefined();
});

test.each<[string, Asked]>([
  ['a conversation that it keeps, or searches of its own', { facts: { promptTokensMost: undefined } }],
  ['pictures, of which every maker counts in its own way', { facts: { promptTokensMost: 1000 + 40_000 } }],
  ['what an application adds', { channel: { type: 37 } }],
  ['what a model that searches finds', { facts: { model: 'sonar' }, asked: 'sonar', named: 'sonar' }],
  ['tools, whose markup is most of so short a prompt', { fields: { tools: [{ type: 'function' }] } }],
])('where its prompt has %s, an honest upstream is not compared', (_, asked) => {
  expect(observed(asked)?.prompt).toBeUndefined();
});

test('a long prompt is compared with tools as well', () => {
  const fields = { tools: [{ type: 'function' }] };
  const facts = { inputTokensEstimate: 8000, promptTokensMost: 16_000 };
  expect(observed({ fields, facts })?.prompt).toEqual({ reported: 480, counted: 4000 });
});

test.each<[string, Asked]>([
  ['thoughts that are shown as a summary', { meter: { thinks: true } }],
  ['what the upstream may have found', { facts: { promptTokensMost: undefined } }],
  ['short calls, each with its markup', { fields: { functions: [{ name: 'f' }] } }],
  ['a short text by a schema', { fields: { response_format: { type: 'json_schema' } } }],
])('where its answer has %s, an honest upstream is not compared', (_, asked) => {
  expect(observed(asked)?.output).toBeUndefined();
});

test('a channel that serves another model under the name is not compared with those that serve the named one', () => {
  const mapped = observed({ asked: 'claude-sonnet-5', named: 'claude-sonnet-5' });
  expect([mapped?.output, mapped?.prompt]).toEqual([undefined, undefined]);
  expect(observed({ asked: 'my-deployment', named: 'gpt-5' })?.output).toBeDefined();
});

test('a cache read is impossible where it is more than was sent, and the upstream can have read nothing else', () => {
  const read = (cacheReadTokens: number) => ({ usage: { inputTokens: 10, cacheReadTokens } });
  expect(observed(read(5000))?.isCacheOdd).toBe(true);
  // A maker's own instructions for tools may be cached with the prompt.
  expect(observed(read(1400))?.isCacheOdd).toBe(false);
  expect(observed({ ...read(5000), facts: { promptTokensMost: undefined } })?.isCacheOdd).toBe(false);
});

test('an upstream that is asked by a name of its own may name the model it stands for, and no other', () => {
  const named = (name: string) => observed({ asked: 'my-deployment', named: name })?.isOther;
  expect(named('gpt-5-2025-08-07')).toBe(false);
  expect(named('my-deployment')).toBe(false);
  expect(named('gpt-5-mini')).toBe(true);
});

/** A model that does not think by itself, as far as its name says. */
const plain = { facts: { model: 'gpt-4o' }, asked: 'gpt-4o', named: 'gpt-4o' };
const thinking = { ...plain, usage: { outputTokens: 300, reasoningTokens: 200 } };

test('tokens for thoughts that nobody asked for or saw are noted, and that there are none', () => {
  expect(observed(thinking)?.hiddenTokens).toBe(200);
  expect(observed(plain)?.hiddenTokens).toBe(0);
  // As much text as tokens: the thoughts are in it.
  expect(observed({ ...thinking, meter: { outputBytes: 1100 } })?.hiddenTokens).toBe(0);
});

test.each<[string, Asked]>([
  ['asked for them', { ...thinking, fields: { reasoning_effort: 'low' } }],
  ['got a summary of them', { ...thinking, meter: { thinks: true } }],
  ['called a model that always thinks', { usage: { outputTokens: 300, reasoningTokens: 200 } }],
  ['left before the end', { ...thinking, meter: { finished: false } }],
])('nothing is noted of thoughts where a caller %s', (_, asked) => {
  expect(observed(asked)?.hiddenTokens).toBeUndefined();
});
