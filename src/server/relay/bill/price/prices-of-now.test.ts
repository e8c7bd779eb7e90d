import { expect, it } from 'vitest';
import type { Routing } from '#core/channel/routing.ts';
import { momentAfter, momentNow } from './prices-of-now.ts';

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
