import { expect, it } from 'vitest';
import type { Routing } from '#core/channel/routing.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import type { Held } from '../../stages.ts';
import { heldCall } from '../../testing/answered-call.ts';
import { isPricedBefore, momentAfter, momentNow } from './prices-of-now.ts';

/** A clock that goes on with each look at it, as the real one may. */
const ticking = (firstMs: number) => {
  let atMs = firstMs - 1;
  return { now: () => (atMs += 1), monotonic: () => 0 };
};
const UNTIL_MS = 1000;
const before = { priceVersion: 1, pricesUntilMs: UNTIL_MS } as Routing;
const after = { priceVersion: 2, pricesUntilMs: undefined } as Routing;

it.each([997, 998, 999, 1000, 1001])(
  'a call that begins about %i pays the prices of its moment',
  async (firstMs) => {
    let routing = before;
    const pricesDue = async (): Promise<void> => {
      routing = after;
    };
    const deps = { clock: ticking(firstMs), routing: () => routing, pricesDue };
    const moment = momentNow(deps) ?? (await momentAfter(deps));
    expect(moment.routing.priceVersion).toBe(moment.atMs < UNTIL_MS ? 1 : 2);
  },
);

it('a hold made before list prices changed is replaced, though the version of the prices is the same', () => {
  const held = heldCall(openaiChat);
  const catalogue = { find: () => ({ modelRatio: 1, completionRatio: 1 }) };
  const routing = { ...held.routing, catalogue };
  const heldAt = (createdAtMs: number): Held => ({
    ...held,
    routing: { ...routing, pricesUntilMs: UNTIL_MS },
    createdAtMs,
  });
  const isBefore = (nowMs: number, createdAtMs: number): boolean =>
    isPricedBefore(
      { clock: { now: () => nowMs, monotonic: () => 0 }, routing: () => routing },
      heldAt(createdAtMs),
    );
  expect(isBefore(UNTIL_MS, UNTIL_MS - 1)).toBe(true);
  expect(isBefore(UNTIL_MS - 1, UNTIL_MS - 2)).toBe(false);
  expect(isBefore(UNTIL_MS + 1, UNTIL_MS)).toBe(false);
});
