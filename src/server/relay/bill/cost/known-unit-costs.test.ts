import { expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { knownUnitCosts, SLOT_MS } from './known-unit-costs.ts';

const channel = channelOf(1, {
  id: 1,
  setting: { cost: { models: { m: { input: 1, output: 2 } } } },
});
const routing = {
  version: 1,
  priceVersion: 1,
  options: { ...initialOptions, ModelRatio: { m: 1 } },
  catalogue: { find: () => undefined },
  channels: new Map([[channel.id, channel]]),
  bad: [],
  tiers: new Map(),
  byModel: new Map(),
};

const costsAt = (atMs: number, promptTokens = 1000) =>
  knownUnitCosts(routing, { model: 'm', promptTokens, atMs, orList: true })(channel);

test('the costs of a channel are computed once for five minutes and prompts of about one length', () => {
  const costs = costsAt(SLOT_MS);
  expect(costs).toBeDefined();
  expect(
    [costsAt(SLOT_MS + 1), costsAt(2 * SLOT_MS - 1), costsAt(SLOT_MS, 16_000)].map((one) => one === costs),
  ).toEqual([true, true, true]);
  expect([costsAt(2 * SLOT_MS), costsAt(2 * SLOT_MS, 17_000)].map((one) => one === costs)).toEqual([
    false,
    false,
  ]);
});
