import type { ChannelType } from './channel-type.ts';

/** Applications built on models: agents, knowledge bases, drawing, music. */
export const applicationTypes = [
  {
    id: 2,
    label: 'Midjourney Proxy',
    baseUrl: '',
    icon: 'midjourney',
  },
  {
    id: 5,
    label: 'Midjourney Proxy Plus',
    baseUrl: '',
    icon: 'midjourney',
  },
  {
    id: 21,
    label: 'AI Proxy knowledge base',
    baseUrl: 'https://api.aiproxy.io',
    other: 'library-id',
    icon: 'custom',
  },
  {
    id: 22,
    label: 'FastGPT knowledge base',
    baseUrl: 'https://cloud.fastgpt.cn/api',
    icon: 'fastgpt-color',
  },
  { id: 36, label: 'Suno', baseUrl: '', icon: 'suno' },
  {
    id: 37,
    label: 'Dify',
    baseUrl: 'https://api.dify.ai',
    icon: 'dify-color',
  },
  {
    id: 49,
    label: 'Coze',
    baseUrl: 'https://api.coze.cn',
    other: 'bot-id',
    icon: 'coze',
  },
] as const satisfies readonly ChannelType[];
