import type { ChannelType } from './channel-type.ts';

/** Types that host the models of others: clouds, gateways, self-hosted servers. */
export const hostTypes = [
  {
    id: 3,
    label: 'Azure OpenAI',
    baseUrl: '',
    other: 'api-version',
    icon: 'azure-color',
  },
  {
    id: 4,
    label: 'Ollama',
    baseUrl: 'http://localhost:11434',
    icon: 'ollama',
  },
  { id: 8, label: 'Custom', baseUrl: '', icon: 'custom' },
  {
    id: 20,
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api',
    icon: 'openrouter',
  },
  {
    id: 33,
    label: 'AWS Claude',
    baseUrl: '',
    addressByRegion: true,
    icon: 'bedrock-color',
  },
  {
    id: 39,
    label: 'Cloudflare',
    baseUrl: 'https://api.cloudflare.com',
    other: 'account-id',
    icon: 'cloudflare-color',
  },
  {
    id: 40,
    label: 'SiliconCloud',
    baseUrl: 'https://api.siliconflow.cn',
    icon: 'siliconcloud-color',
  },
  {
    id: 41,
    label: 'Vertex AI',
    baseUrl: '',
    addressByRegion: true,
    other: 'region',
    icon: 'vertexai-color',
  },
  {
    id: 47,
    label: 'Xinference',
    baseUrl: '',
    icon: 'xinference-color',
  },
  {
    id: 56,
    label: 'Replicate',
    baseUrl: 'https://api.replicate.com',
    icon: 'replicate',
  },
  // Our own types start at 100, so that they never collide with the numbers of other gateways.
  {
    id: 100,
    label: 'Groq',
    baseUrl: 'https://api.groq.com',
    icon: 'groq',
  },
  {
    id: 101,
    label: 'Together AI',
    baseUrl: 'https://api.together.ai',
    icon: 'together-color',
  },
  {
    id: 102,
    label: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai',
    icon: 'fireworks-color',
  },
  {
    id: 103,
    label: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai',
    icon: 'cerebras-color',
  },
  {
    id: 104,
    label: 'NVIDIA',
    baseUrl: 'https://integrate.api.nvidia.com',
    icon: 'nvidia-color',
  },
  {
    id: 105,
    label: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co',
    icon: 'huggingface-color',
  },
  {
    id: 106,
    label: 'GitHub Models',
    baseUrl: 'https://models.github.ai',
    icon: 'github',
  },
  {
    id: 107,
    label: 'Vercel AI Gateway',
    baseUrl: 'https://ai-gateway.vercel.sh',
    icon: 'vercel',
  },
  {
    id: 108,
    label: 'Tollgate / New API',
    baseUrl: '',
    icon: 'newapi-color',
  },
] as const satisfies readonly ChannelType[];
