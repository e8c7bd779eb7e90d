/** What the console and the server both know of a kind of upstream. One row per kind. */
export interface ChannelType {
  readonly id: number;
  readonly label: string;
  /** Where it is when the channel names no address; empty where there is none for all: see `needsAddress`. */
  readonly baseUrl: string;
  /** The shape of its key, shown in the form. */
  readonly keyHint?: string;
  /** What its `other` field holds, where it has one. */
  readonly other?: 'api-version' | 'account-id' | 'region' | 'plugin' | 'bot-id' | 'library-id';
  /** File name of its icon among the console's assets. */
  readonly icon: string;
}

const rows = [
  { id: 1, label: 'OpenAI', baseUrl: 'https://api.openai.com', icon: 'openai' },
  { id: 2, label: 'Midjourney Proxy', baseUrl: '', icon: 'midjourney' },
  { id: 3, label: 'Azure OpenAI', baseUrl: '', other: 'api-version', icon: 'azure-color' },
  { id: 4, label: 'Ollama', baseUrl: 'http://localhost:11434', icon: 'ollama' },
  { id: 5, label: 'Midjourney Proxy Plus', baseUrl: '', icon: 'midjourney' },
  { id: 8, label: 'Custom', baseUrl: '', icon: 'custom' },
  { id: 11, label: 'PaLM2', baseUrl: 'https://generativelanguage.googleapis.com', icon: 'palm-color' },
  { id: 14, label: 'Anthropic Claude', baseUrl: 'https://api.anthropic.com', icon: 'claude-color' },
  {
    id: 15,
    label: 'Baidu',
    baseUrl: 'https://aip.baidubce.com',
    keyHint: 'APIKey|SecretKey',
    icon: 'baidu-color',
  },
  { id: 16, label: 'Zhipu', baseUrl: 'https://open.bigmodel.cn', icon: 'zhipu-color' },
  {
    id: 17,
    label: 'Alibaba',
    baseUrl: 'https://dashscope.aliyuncs.com',
    other: 'plugin',
    icon: 'alibabacloud-color',
  },
  {
    id: 18,
    label: 'iFlytek',
    baseUrl: 'https://spark-api-open.xf-yun.com',
    keyHint: 'APPID|APISecret|APIKey',
    other: 'api-version',
    icon: 'spark-color',
  },
  { id: 19, label: '360', baseUrl: 'https://api.360.cn', icon: 'ai360-color' },
  { id: 20, label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api', icon: 'openrouter' },
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
    keyHint: 'APIKey-AppId',
    icon: 'fastgpt-color',
  },
  {
    id: 23,
    label: 'Tencent',
    baseUrl: 'https://tokenhub.tencentmaas.com',
    keyHint: 'AppId|SecretId|SecretKey',
    icon: 'hunyuan-color',
  },
  {
    id: 24,
    label: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    other: 'api-version',
    icon: 'gemini-color',
  },
  { id: 25, label: 'Moonshot', baseUrl: 'https://api.moonshot.cn', icon: 'moonshot' },
  { id: 26, label: 'Zhipu v4', baseUrl: 'https://open.bigmodel.cn', icon: 'zhipu-color' },
  { id: 27, label: 'Perplexity', baseUrl: 'https://api.perplexity.ai', icon: 'perplexity-color' },
  { id: 31, label: '01.AI', baseUrl: 'https://api.lingyiwanwu.com', icon: 'yi-color' },
  { id: 33, label: 'AWS Claude', baseUrl: '', keyHint: 'Ak|Sk|Region', icon: 'bedrock-color' },
  { id: 34, label: 'Cohere', baseUrl: 'https://api.cohere.ai', icon: 'cohere-color' },
  { id: 35, label: 'MiniMax', baseUrl: 'https://api.minimaxi.com', icon: 'minimax-color' },
  { id: 36, label: 'Suno', baseUrl: '', icon: 'suno' },
  { id: 37, label: 'Dify', baseUrl: 'https://api.dify.ai', icon: 'dify-color' },
  { id: 38, label: 'Jina', baseUrl: 'https://api.jina.ai', icon: 'jina' },
  {
    id: 39,
    label: 'Cloudflare',
    baseUrl: 'https://api.cloudflare.com',
    other: 'account-id',
    icon: 'cloudflare-color',
  },
  { id: 40, label: 'SiliconCloud', baseUrl: 'https://api.siliconflow.cn', icon: 'siliconcloud-color' },
  {
    id: 41,
    label: 'Vertex AI',
    baseUrl: '',
    keyHint: 'service account JSON',
    other: 'region',
    icon: 'vertexai-color',
  },
  { id: 42, label: 'Mistral', baseUrl: 'https://api.mistral.ai', icon: 'mistral-color' },
  { id: 43, label: 'DeepSeek', baseUrl: 'https://api.deepseek.com', icon: 'deepseek-color' },
  { id: 44, label: 'Embedding model', baseUrl: 'https://api.moka.ai', other: 'api-version', icon: 'custom' },
  { id: 45, label: 'Volcengine', baseUrl: 'https://ark.cn-beijing.volces.com', icon: 'volcengine-color' },
  { id: 46, label: 'Baidu v2', baseUrl: 'https://qianfan.baidubce.com', icon: 'baidu-color' },
  { id: 47, label: 'Xinference', baseUrl: '', icon: 'xinference-color' },
  { id: 48, label: 'xAI', baseUrl: 'https://api.x.ai', icon: 'xai' },
  { id: 49, label: 'Coze', baseUrl: 'https://api.coze.cn', other: 'bot-id', icon: 'coze' },
  { id: 56, label: 'Replicate', baseUrl: 'https://api.replicate.com', icon: 'replicate' },
  // From 100 on the numbers are our own, so that none is ever one that the family of this system uses.
  { id: 100, label: 'Groq', baseUrl: 'https://api.groq.com', icon: 'groq' },
  { id: 101, label: 'Together AI', baseUrl: 'https://api.together.ai', icon: 'together-color' },
  { id: 102, label: 'Fireworks AI', baseUrl: 'https://api.fireworks.ai', icon: 'fireworks-color' },
  { id: 103, label: 'Cerebras', baseUrl: 'https://api.cerebras.ai', icon: 'cerebras-color' },
  { id: 104, label: 'NVIDIA', baseUrl: 'https://integrate.api.nvidia.com', icon: 'nvidia-color' },
  { id: 105, label: 'Hugging Face', baseUrl: 'https://router.huggingface.co', icon: 'huggingface-color' },
  { id: 106, label: 'GitHub Models', baseUrl: 'https://models.github.ai', icon: 'github' },
  { id: 107, label: 'Vercel AI Gateway', baseUrl: 'https://ai-gateway.vercel.sh', icon: 'vercel' },
  { id: 108, label: 'Tollgate / New API', baseUrl: '', icon: 'newapi-color' },
] as const satisfies readonly ChannelType[];

export const channelTypes: readonly ChannelType[] = rows;

/** Drawing and music: what is asked for there is answered with a number, and fetched later. */
export const midjourneyTypes = [2, 5] as const;
export const sunoTypes = [36] as const;

type TaskTypeId = (typeof midjourneyTypes | typeof sunoTypes)[number];

/** The number of a type that calls are relayed to: each needs a provider. */
export type RelayedTypeId = Exclude<(typeof rows)[number]['id'], TaskTypeId>;

const byId = new Map<number, ChannelType>(rows.map((row) => [row.id, row]));

/** The row of a type number, or undefined where no such type exists. */
export const channelType = (id: number): ChannelType | undefined => byId.get(id);

/** Bedrock and Vertex: their address follows from the region. */
const addressedByRegion = new Set<number>([33, 41]);

/** Whether a channel of this type must say where its upstream is: there is no address that is everybody's. */
export const needsAddress = (id: number): boolean =>
  channelType(id)?.baseUrl === '' && !addressedByRegion.has(id);

/** What the `other` field of this type must hold, where no call can be made without it. */
export const neededOther = (id: number): 'account-id' | 'bot-id' | 'library-id' | undefined => {
  const other = channelType(id)?.other;
  return other === 'account-id' || other === 'bot-id' || other === 'library-id' ? other : undefined;
};
