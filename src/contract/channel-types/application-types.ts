import type { GuidedType } from './channel-type.ts';

/** Applications built on models: agents, knowledge bases, drawing, music. */
export const applicationTypes = [
  {
    id: 2,
    label: 'Midjourney Proxy',
    baseUrl: '',
    icon: 'midjourney',
    guide: { labelZh: '绘图', otherNames: 'mj drawing 绘画' },
  },
  {
    id: 5,
    label: 'Midjourney Proxy Plus',
    baseUrl: '',
    icon: 'midjourney',
    guide: { labelZh: '绘图', otherNames: 'mj drawing 绘画' },
  },
  {
    id: 21,
    label: 'AI Proxy knowledge base',
    baseUrl: 'https://api.aiproxy.io',
    other: 'library-id',
    icon: 'custom',
    guide: { labelZh: '知识库', otherNames: 'aiproxy zhishiku' },
  },
  {
    id: 22,
    label: 'FastGPT knowledge base',
    baseUrl: 'https://cloud.fastgpt.cn/api',
    icon: 'fastgpt-color',
    guide: { labelZh: '知识库', otherNames: 'zhishiku', keyHint: 'APIKey-AppId', keyExample: 'fastgpt-…' },
  },
  {
    id: 36,
    label: 'Suno',
    baseUrl: '',
    icon: 'suno',
    guide: { labelZh: '音乐', otherNames: 'music song 歌曲' },
  },
  {
    id: 37,
    label: 'Dify',
    baseUrl: 'https://api.dify.ai',
    icon: 'dify-color',
    guide: { otherNames: 'agent workflow 工作流', keyExample: 'app-…' },
  },
  {
    id: 49,
    label: 'Coze',
    baseUrl: 'https://api.coze.cn',
    other: 'bot-id',
    icon: 'coze',
    guide: {
      labelZh: '扣子',
      otherNames: 'kouzi bot',
      keyPage: 'https://www.coze.cn/open/oauth/pats',
      keyExample: 'pat_…',
    },
  },
] as const satisfies readonly GuidedType[];
