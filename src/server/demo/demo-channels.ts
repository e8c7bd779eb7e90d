import { taskPrices } from '#core/task/task-price.ts';
import type { ChannelWish } from '../control/channels/channels.ts';
import { demoKeys } from './demo-keys.ts';
import { demoModels } from './demo-traffic.ts';

export const DRAWING_TYPE = 2;
export const MUSIC_TYPE = 36;

/** What leads to the fake upstream, and a channel that is off. */
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
    { ...channel, name: 'Fake upstream, first', weight: 3, tag: 'fake' },
    { ...channel, name: 'Fake upstream, second', weight: 1, tag: 'fake', key: demoKeys.join('\n') },
    { ...channel, name: 'Fake upstream, backup', priority: -10 },
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
