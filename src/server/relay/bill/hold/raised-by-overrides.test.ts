import { expect, it } from 'vitest';
import { type Override, overrideOf } from '#core/channel/overrides/override.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Fields } from '#core/json/fields.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { heldCall } from '../../testing/answered-call.ts';
import { raisedByOverrides } from './raised-by-overrides.ts';

type Rule = Partial<Parameters<typeof overrideOf>[0]>;

/** What one channel with such rules adds to a call that may go to it. */
const raisedBy = (...rules: Rule[]) => raisedFor({}, { rules });

interface Told {
  readonly rules?: readonly Rule[];
  readonly systemPrompt?: string;
  readonly operation?: 'chat' | 'embeddings';
}

/** The same, of a call with this body. */
const raisedFor = (body: object, { rules = [], systemPrompt, operation = 'chat' }: Told) => {
  const made: Override[] = rules.map((rule) =>
    overrideOf({ op: 'set', on: 'body', path: '', value: undefined, ...rule } as Parameters<
      typeof overrideOf
    >[0]),
  );
  const channel = channelOf(1, {
    setting: { overrides: made, ...(systemPrompt !== undefined && { systemPrompt }) },
  });
  const held = heldCall(openaiChat);
  return raisedByOverrides({
    ...held,
    call: { ...held.call, operation },
    request: { ...held.request, body: body as Fields, bytes: Buffer.from(JSON.stringify(body)) },
    caller: { ...held.caller, channelId: channel.id },
    routing: { ...held.routing, channels: new Map([[channel.id, channel]]) },
  });
};

it('a longer answer that an override asks for is held for', () => {
  expect(raisedBy({ path: 'max_tokens', value: 9000 })).toMatchObject({ outputTokens: 9000, answers: 1 });
});

it('a field written into every entry of a list is held for as well', () => {
  expect(raisedBy({ path: '*.max_tokens', value: 9000 }).outputTokens).toBe(9000);
});

it('rules of headers, and those that take something away, raise nothing', () => {
  expect(raisedBy({ on: 'header', path: 'max_tokens', value: 9000 })).toMatchObject({ outputTokens: 0 });
  expect(raisedBy({ op: 'delete', path: 'n', value: 5 })).toMatchObject({ answers: 1, outputTokens: 0 });
});

/** A token for two bytes. */
const HUNDRED_TOKENS = 'x'.repeat(200);
/** Less what the names of fields come to. */
const withoutNames = (tokens: number): number => tokens - (tokens % 100);
const TEN = Array.from({ length: 10 }, () => ({ role: 'user', content: 'a "word" and a word' }));

it('what is written into every message is held as often as there are messages', () => {
  const path = 'messages.*.content';
  const tokens = (op: Rule['op']) =>
    raisedFor({ messages: TEN }, { rules: [{ op: op ?? 'set', path, value: HUNDRED_TOKENS }] }).inputTokens;
  expect([tokens('set'), tokens('append')].map(withoutNames)).toEqual([1000, 1000]);
  const rule = { op: 'set' as const, path: 'contents.*.parts.*.text', value: HUNDRED_TOKENS };
  const contents = TEN.map(() => ({ parts: [{ text: 'a' }, { text: 'b' }] }));
  expect(raisedFor({ contents }, { rules: [rule] }).inputTokens).toBeGreaterThanOrEqual(2000);
});

it('of a large body, which was parsed elsewhere, the messages are counted too', () => {
  const rules = [{ path: 'messages.*.name', value: HUNDRED_TOKENS }];
  const held = raisedFor({ inner: { messages: TEN } }, { rules });
  expect(withoutNames(held.inputTokens)).toBe(1000);
});

it.each([
  ['a word', 'word', 20],
  ['a word in quotes', '"word"', 10],
  ['a pattern', 'a * and', 10],
])('a replacement of %s is held as often as it may happen', (_, find, times) => {
  const path = 'messages.*.content';
  const [rule] = [{ op: 'replace' as const, path, find, value: HUNDRED_TOKENS }];
  const { inputTokens } = raisedFor({ messages: TEN }, { rules: [rule] });
  expect(inputTokens).toBeGreaterThanOrEqual(times * 95);
  expect(inputTokens).toBeLessThanOrEqual(times * 100);
});

it('a replacement that makes a text no longer is held once at most', () => {
  const rules = [{ op: 'replace' as const, path: 'messages.*.content', find: 'word', value: 'term' }];
  expect(raisedFor({ messages: TEN }, { rules }).inputTokens).toBe(2);
});

it('a channel’s system prompt is held for, and only in chats', () => {
  const systemPrompt = HUNDRED_TOKENS;
  expect(raisedFor({ messages: TEN }, { systemPrompt }).inputTokens).toBe(100);
  expect(raisedFor({ input: 'a' }, { systemPrompt, operation: 'embeddings' }).inputTokens).toBe(0);
});
