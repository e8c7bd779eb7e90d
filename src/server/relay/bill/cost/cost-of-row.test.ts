import { expect, it } from 'vitest';
import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import { logType } from '#contract/codes.ts';
import { initialOptions } from '#contract/options.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { costOfRow } from './cost-of-call.ts';

const DAY_MS = 86_400_000;

const cost: ChannelCost = {
  models: { mj_imagine: { call: 0.1 } },
  allowances: [{ name: 'a', models: ['mj_*'], of: 'calls', amount: 5, by: 'key' }],
};
const channel = channelOf(3, { id: 3, setting: { cost } });
const routing = {
  version: 1,
  priceVersion: 1,
  options: initialOptions,
  catalogue: { find: () => undefined },
  channels: new Map([[channel.id, channel]]),
  bad: [],
  tiers: new Map(),
  byModel: new Map(),
};
const row: CallLog = {
  requestId: 'task-1',
  createdAtMs: 100 * DAY_MS + 5000,
  type: logType.consume,
  userId: 1,
  username: 'kim',
  tokenId: 0,
  tokenName: '',
  channelId: channel.id,
  keyId: 7,
  group: 'default',
  model: 'mj_imagine',
  usage: noUsage,
  quotaUnits: 5,
  useTimeMs: 5001,
  isStream: false,
  ip: '',
  content: '',
  other: '{}',
};

it('a task that ends after midnight uses the allowance of the day it began on, of the key that made it', () => {
  const { costNano, free } = costOfRow(routing, row, noUsage);
  expect(costNano).toBe(100_000_000);
  expect(free).toMatchObject({ day: 99, channelId: 3, keyId: 7, amount: 1 });
  expect(costOfRow(routing, { ...row, useTimeMs: 5000 }, noUsage).free?.day).toBe(100);
});
