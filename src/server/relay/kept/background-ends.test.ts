import { expect, it } from 'vitest';
import type { BackgroundResponseStore } from '#core/kept/background-response.ts';
import { noUsage } from '#core/chat/usage.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { heldCall } from '../testing/answered-call.ts';
import { backgroundCharge } from './background-bill.ts';
import { type BackgroundDeps, BackgroundResponses } from './background-responses.ts';
import { billWith, shownWith } from './testing/background-response.ts';

it('a response that ended while its caller listened is over when it is charged, and forgotten after that', async () => {
  const charge = Promise.withResolvers<void>();
  const happened: string[] = [];
  const deps = standIn<BackgroundDeps>({
    clock: { now: () => 1000, monotonic: () => 1 },
    backgroundResponses: standIn<BackgroundResponseStore>({
      forget: async () => void happened.push('forgotten'),
    }),
  });
  const held = heldCall(openaiResponses);
  held.live.background = 'asked';
  const over = new BackgroundResponses(deps)
    .end(held, async () => {
      await charge.promise;
      happened.push('charged');
    })
    .then(() => happened.push('over'));
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(happened).toEqual([]);
  charge.resolve();
  await over;
  expect(happened).toEqual(['charged', 'forgotten', 'over']);
});

it.each([
  ['what was told of a conversation, token by token', { knownTokens: 1000 }, { inputTokens: 1020 }],
  ['sound, at a third', { soundTokens: 930 }, { inputTokens: 55, audioInputTokens: 310 }],
])('of a prompt whose usage nobody tells, %s is counted as in any other call', (_, asked, counted) => {
  const bill = { ...billWith(shownWith({ produced: true })), inputTokensEstimate: 1040, asked };
  expect(backgroundCharge(bill, { lost: 'its channel is gone' })).toMatchObject({ usage: counted });
});

it('what is kept in a cache for an hour is paid for an hour, and a long answer that thought is believed', () => {
  const reported = { ...noUsage, inputTokens: 9, cacheWrite5mTokens: 800, outputTokens: 60_000 };
  const shown = shownWith({ reported: { ...reported, writesUndated: true }, produced: true, thinks: true });
  const limits = {
    promptTokens: undefined,
    answerTokens: 20_000,
    richAnswerTokens: 100_000,
    hasTools: false,
  };
  const bill = { ...billWith(shownWith({})), asked: { keepsAnHour: true }, limits };
  expect(backgroundCharge(bill, { response: { status: 'completed', shown } })).toEqual({
    action: 'settle',
    usage: { ...reported, cacheWrite5mTokens: 0, cacheWrite1hTokens: 800 },
  });
});

it('the last reported tools of a response are charged, and the longest of its texts', () => {
  const shown = (web_search: number, outputBytes: number) =>
    shownWith({ produced: true, outputBytes, toolCalls: { web_search } });
  const bill = billWith(shown(1, 80));
  const state = { response: { status: 'cancelled', shown: shown(2, 40) } };
  expect(backgroundCharge(bill, state)).toMatchObject({
    usage: { outputTokens: 20, toolCalls: { web_search: 2 } },
  });
});
