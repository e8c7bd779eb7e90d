import { expect, it } from 'vitest';
import { type Override, overrideOf } from '#core/channel/overrides/override.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { heldCall } from '../testing/answered-call.ts';
import { raisedByOverrides } from './raised-by-overrides.ts';

type Rule = Partial<Parameters<typeof overrideOf>[0]>;

/** What one channel with such rules adds to a call that may go to it. */
const raisedBy = (...rules: Rule[]) => {
  const made: Override[] = rules.map((rule) =>
    overrideOf({ op: 'set', on: 'body', path: '', value: undefined, ...rule } as Parameters<
      typeof overrideOf
    >[0]),
  );
  const channel = channelOf(1, { setting: { overrides: made } });
  const held = heldCall(openaiChat);
  return raisedByOverrides({
    ...held,
    caller: { ...held.caller, channelId: channel.id },
    routing: { ...held.routing, channels: new Map([[channel.id, channel]]) },
  });
};

it('a longer answer that is written is held', () => {
  expect(raisedBy({ path: 'max_tokens', value: 9000 })).toMatchObject({ outputTokens: 9000, answers: 1 });
});

it('the name of every entry is passed over: what is written there is held as well', () => {
  expect(raisedBy({ path: '*.max_tokens', value: 9000 }).outputTokens).toBe(9000);
});

it('rules of headers, and those that take something away, raise nothing', () => {
  expect(raisedBy({ on: 'header', path: 'max_tokens', value: 9000 })).toMatchObject({ outputTokens: 0 });
  expect(raisedBy({ op: 'delete', path: 'n', value: 5 })).toMatchObject({ answers: 1, outputTokens: 0 });
});
