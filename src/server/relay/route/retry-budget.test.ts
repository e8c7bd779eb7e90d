import { expect, test } from 'vitest';
import { ShareWindows } from '#core/channel/health/share-window.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { routingOf } from '#core/channel/testing/selecting.ts';
import { retryBudget } from './retry-budget.ts';

/** How many further attempts are allowed at once, where no share of the calls is. */
const allowed = (channels: number, more: number): number => {
  const rows = Array.from({ length: channels }, (_, at) => channelRowOf(at + 1));
  const others = Array.from({ length: more }, (_, at) =>
    channelRowOf(channels + at + 1, at % 2 === 0 ? { status: 2 } : { groups: 'vip' }),
  );
  const budget = retryBudget(
    { retries: new ShareWindows(20) },
    routingOf(...rows, ...others),
    'default',
    'm',
  );
  let taken = 0;
  while (taken < 1000 && budget.takes(0, 1)) taken += 1;
  return taken;
};

test('a model has the retries that find out which of its channels are dead, at least twenty', () => {
  expect([allowed(1, 0), allowed(2, 0), allowed(12, 0)]).toEqual([20, 20, 96]);
});

test('channels that the group does not have, or that are disabled, add none', () => {
  expect(allowed(12, 9)).toBe(96);
});
