import { expect, it } from 'vitest';
import type { BackgroundResponseStore } from '#core/kept/background-response.ts';
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

it('the last reported tools of a response are charged, and the longest of its texts', () => {
  const shown = (web_search: number, outputBytes: number) =>
    shownWith({ produced: true, outputBytes, toolCalls: { web_search } });
  const bill = billWith(shown(1, 80));
  const state = { response: { status: 'cancelled', shown: shown(2, 40) } };
  expect(backgroundCharge(bill, state)).toMatchObject({
    usage: { outputTokens: 20, toolCalls: { web_search: 2 } },
  });
});
