import { expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { overrideOf } from '#core/channel/overrides/override.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { noUsage } from '#core/chat/usage.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { answeredCall, heldCall } from '../../testing/answered-call.ts';
import { evidenceOf } from './evidence-of-call.ts';

/** What an answer reveals about a channel that was asked for `asked` and names `named`. */
const observed = (channel: Partial<Channel>, asked = 'gpt-5', named = 'gpt-5') => {
  const held = heldCall(openaiChat);
  const facts = { ...held.request.facts, model: 'gpt-5', inputTokensEstimate: 1000 };
  const call = answeredCall(
    { ...held, request: { ...held.request, facts } },
    openaiChat,
    'a key of a channel',
  );
  const { attempt } = call.live;
  if (attempt === undefined) throw new Error('no attempt');
  const sentAs = attempt.trial.sentAs && { ...attempt.trial.sentAs, upstreamModel: asked };
  attempt.trial = { ...attempt.trial, channel: channelOf(1, channel), ...(sentAs && { sentAs }) };
  call.live.meter.reported = { ...noUsage, inputTokens: 480, outputTokens: 100 };
  call.live.meter.namedModel = named;
  return evidenceOf(call);
};

const rule = (path: string) =>
  overrideOf({ op: 'append', on: 'body', path, value: 'more' } as Parameters<typeof overrideOf>[0]);

test('reported prompt tokens are compared with those of the prompt that the caller sent', () => {
  expect(observed({})?.prompt).toEqual({ reported: 480, counted: 500 });
  expect(observed({ setting: { overrides: [rule('stop')] } })?.prompt).toBeDefined();
});

test.each<[string, Partial<Channel>]>([
  ['a system prompt', { setting: { systemPrompt: 'Be kind.' } }],
  ['a rule for messages', { setting: { overrides: [rule('messages.*.content')] } }],
  ['a field of the prompt', { paramOverride: { system: 'Be kind.' } }],
])('where the operator adds to it by %s, an honest upstream is not compared', (_, channel) => {
  expect(observed(channel)?.prompt).toBeUndefined();
});

test('an upstream that is asked by a name of its own may name the model it stands for, and no other', () => {
  expect(observed({}, 'my-deployment', 'gpt-5-2025-08-07')?.isOther).toBe(false);
  expect(observed({}, 'my-deployment', 'my-deployment')?.isOther).toBe(false);
  expect(observed({}, 'my-deployment', 'gpt-5-mini')?.isOther).toBe(true);
});
