import { taskPrices } from '#core/task/task-price.ts';
import type { ChannelWish } from '../control/channels/channels.ts';
import { demoKeys } from './demo-keys.ts';
import { demoModels } from './demo-traffic.ts';

export const DRAWING_TYPE = 2;
export const MUSIC_TYPE = 36;

/** What the channels cost: a share of the list price, or own prices in another currency. */
const costs = {
  first: { currency: 'USD', factor: 0.7 },
  // deepseek-chat costs more here than it is sold for, so that its log rows are marked.
  second: {
    currency: 'CNY',
    factor: 5.4,
    models: { 'deepseek-chat': { input: 4, output: 12, cache_read: 1 } },
  },
  backup: { currency: 'USD', factor: 1.1 },
};
const settingOf = (cost: object): string => JSON.stringify({ cost });
/** Yuan per dollar, from a day on. */
export const demoRates = { CNY: [{ from: '2026-01-01', usd: 0.14 }] };

/** Channels that lead to the fake upstream, and one that is disabled. */
export const demoChannels = (baseUrl: string): readonly ChannelWish[] => {
  const channel: Omit<ChannelWish, 'name'> = {
    type: 1,
    key: 'sk-demo-upstream',
    status: 1,
    organization: '',
    baseUrl,
    other: '',
    groups: 'default,vip,svip',
    modelMapping: '',
    statusCodeMapping: '',
    setting: '',
    paramOverride: '',
    testModel: 'gpt-4o-mini',
    maxInputTokens: 0,
    priority: 0,
    weight: 1,
    autoDisable: true,
    tag: null,
    remark: '',
    models: demoModels.join(','),
  };
  return [
    { ...channel, name: 'Fake upstream, first', weight: 3, tag: 'fake', setting: settingOf(costs.first) },
    {
      ...channel,
      name: 'Fake upstream, second',
      weight: 1,
      tag: 'fake',
      key: demoKeys.join('\n'),
      setting: settingOf(costs.second),
    },
    { ...channel, name: 'Fake upstream, backup', priority: -10, setting: settingOf(costs.backup) },
    {
      ...channel,
      name: 'Fake drawings',
      type: DRAWING_TYPE,
      models: Object.keys(taskPrices)
        .filter((name) => !name.startsWith('suno'))
        .join(','),
    },
    { ...channel, name: 'Fake music', type: MUSIC_TYPE, models: 'suno_music,suno_lyrics' },
    {
      ...channel,
      name: 'DeepSeek, switched off',
      type: 43,
      status: 2,
      models: 'deepseek-chat,deepseek-reasoner',
    },
  ];
};
