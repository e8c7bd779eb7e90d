import type { ChannelTypeId } from '../channel-types.ts';

/** What helps somebody who makes a channel of a type. Beside the rows, because lists of channels load without it. */
export interface TypeGuide {
  /** Its Chinese name, where that differs. */
  readonly labelZh?: string;
  /** Further names that find it in the list of types, in any language. */
  readonly otherNames: string;
  /** The format of its key, where the key has several parts. */
  readonly keyHint?: string;
  /** Which sentence names another kind of key that it accepts: `form.keyAlso` in the console's texts. */
  readonly keyAlso?: 'any' | 'spark' | 'tencent' | 'aws';
  /** The page where its keys are made. */
  readonly keyPage?: string;
  /** How its keys begin. */
  readonly keyExample?: string;
}

/** The compiler asks for one of each type. */
const typeGuides: Readonly<Record<ChannelTypeId, TypeGuide>> = {
  // OpenAI
  1: { otherNames: 'gpt chatgpt codex', keyPage: 'https://platform.openai.com/api-keys', keyExample: 'sk-…' },
  // Midjourney Proxy
  2: { labelZh: '绘图', otherNames: 'mj drawing 绘画' },
  // Azure OpenAI
  3: { labelZh: '微软', otherNames: 'microsoft foundry', keyPage: 'https://ai.azure.com' },
  // Ollama
  4: { labelZh: '本地模型', otherNames: 'local llama', keyAlso: 'any' },
  // Midjourney Proxy Plus
  5: { labelZh: '绘图', otherNames: 'mj drawing 绘画' },
  // Custom
  8: { labelZh: '自定义', otherNames: 'other own' },
  // PaLM2
  11: { labelZh: '谷歌', otherNames: 'google bard', keyPage: 'https://aistudio.google.com/apikey' },
  // Anthropic Claude
  14: {
    otherNames: 'sonnet opus haiku 克劳德',
    keyPage: 'https://platform.claude.com/settings/keys',
    keyExample: 'sk-ant-…',
  },
  // Baidu
  15: {
    labelZh: '百度文心',
    otherNames: 'ernie wenxin yiyan wenxinyiyan qianfan 千帆 文心一言',
    keyHint: 'APIKey|SecretKey',
  },
  // Zhipu
  16: {
    labelZh: '智谱',
    otherNames: 'glm chatglm bigmodel z.ai zai 清言',
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  // Alibaba
  17: {
    labelZh: '阿里百炼 · 通义千问',
    otherNames: 'qwen tongyi dashscope bailian aliyun wanx 阿里云',
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    keyExample: 'sk-…',
  },
  // iFlytek
  18: {
    labelZh: '讯飞星火',
    otherNames: 'xunfei spark sparkdesk xinghuo 科大讯飞',
    keyHint: 'APPID|APISecret|APIKey',
    keyAlso: 'spark',
    keyPage: 'https://console.xfyun.cn/services',
  },
  // 360
  19: { labelZh: '360 智脑', otherNames: 'zhinao qihoo 奇虎', keyPage: 'https://ai.360.com/platform/keys' },
  // OpenRouter
  20: { otherNames: 'open router', keyPage: 'https://openrouter.ai/settings/keys', keyExample: 'sk-or-v1-…' },
  // AI Proxy knowledge base
  21: { labelZh: '知识库', otherNames: 'aiproxy zhishiku' },
  // FastGPT knowledge base
  22: { labelZh: '知识库', otherNames: 'zhishiku', keyHint: 'APIKey-AppId', keyExample: 'fastgpt-…' },
  // Tencent
  23: {
    labelZh: '腾讯混元',
    otherNames: 'hunyuan tokenhub tencentcloud 腾讯云',
    keyHint: 'AppId|SecretId|SecretKey',
    keyAlso: 'tencent',
  },
  // Gemini
  24: {
    labelZh: '谷歌',
    otherNames: 'google ai studio gemma imagen',
    keyPage: 'https://aistudio.google.com/apikey',
    keyExample: 'AIza…',
  },
  // Moonshot
  25: {
    labelZh: '月之暗面',
    otherNames: 'kimi yuezhianmian',
    keyPage: 'https://platform.moonshot.cn/console/api-keys',
    keyExample: 'sk-…',
  },
  // Zhipu v4
  26: {
    labelZh: '智谱',
    otherNames: 'glm chatglm bigmodel z.ai zai 清言',
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  // Perplexity
  27: { otherNames: 'sonar pplx', keyPage: 'https://www.perplexity.ai/account/api', keyExample: 'pplx-…' },
  // 01.AI
  31: {
    labelZh: '零一万物',
    otherNames: 'yi 01ai lingyiwanwu lingyi',
    keyPage: 'https://platform.lingyiwanwu.com/apikeys',
  },
  // AWS Claude
  33: {
    labelZh: '亚马逊',
    otherNames: 'bedrock amazon nova titan',
    keyHint: 'Ak|Sk|Region',
    keyAlso: 'aws',
    keyPage: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
  },
  // Cohere
  34: { otherNames: 'command rerank embed', keyPage: 'https://dashboard.cohere.com/api-keys' },
  // MiniMax
  35: {
    labelZh: '稀宇科技',
    otherNames: 'hailuo abab 海螺',
    keyPage: 'https://platform.minimaxi.com/user-center/basic-information/interface-key',
  },
  // Suno
  36: { labelZh: '音乐', otherNames: 'music song 歌曲' },
  // Dify
  37: { otherNames: 'agent workflow 工作流', keyExample: 'app-…' },
  // Jina
  38: { otherNames: 'rerank embedding 向量', keyPage: 'https://jina.ai/api-dashboard', keyExample: 'jina_…' },
  // Cloudflare
  39: { otherNames: 'workers ai', keyPage: 'https://dash.cloudflare.com/profile/api-tokens' },
  // SiliconCloud
  40: {
    labelZh: '硅基流动',
    otherNames: 'siliconflow guijiliudong',
    keyPage: 'https://cloud.siliconflow.cn/account/ak',
    keyExample: 'sk-…',
  },
  // Vertex AI
  41: {
    labelZh: '谷歌云',
    otherNames: 'google cloud gcp gemini',
    keyHint: 'service account JSON',
    keyPage: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
  },
  // Mistral
  42: { otherNames: 'mixtral codestral le chat', keyPage: 'https://console.mistral.ai/api-keys' },
  // DeepSeek
  43: {
    labelZh: '深度求索',
    otherNames: 'shenduqiusuo',
    keyPage: 'https://platform.deepseek.com/api_keys',
    keyExample: 'sk-…',
  },
  // Embedding model
  44: { labelZh: '向量模型', otherNames: 'm3e moka mokaai' },
  // Volcengine
  45: {
    labelZh: '火山方舟 · 豆包',
    otherNames: 'doubao ark bytedance volc seed huoshan 火山引擎 字节跳动',
    keyPage: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
  },
  // Baidu v2
  46: {
    labelZh: '百度千帆',
    otherNames: 'ernie wenxin qianfan 文心一言',
    keyPage: 'https://console.bce.baidu.com/iam/#/iam/apikey/list',
    keyExample: 'bce-v3/…',
  },
  // Xinference
  47: { labelZh: '本地模型', otherNames: 'xorbits local' },
  // xAI
  48: { otherNames: 'grok x.ai', keyPage: 'https://console.x.ai', keyExample: 'xai-…' },
  // Coze
  49: {
    labelZh: '扣子',
    otherNames: 'kouzi bot',
    keyPage: 'https://www.coze.cn/open/oauth/pats',
    keyExample: 'pat_…',
  },
  // Replicate
  56: { otherNames: 'flux llama', keyPage: 'https://replicate.com/account/api-tokens', keyExample: 'r8_…' },
  // Groq
  100: { otherNames: 'lpu llama', keyPage: 'https://console.groq.com/keys', keyExample: 'gsk_…' },
  // Together AI
  101: { otherNames: 'together.ai', keyPage: 'https://api.together.ai/settings/api-keys' },
  // Fireworks AI
  102: {
    otherNames: 'llama',
    keyPage: 'https://app.fireworks.ai/settings/users/api-keys',
    keyExample: 'fw_…',
  },
  // Cerebras
  103: { otherNames: 'llama wafer', keyPage: 'https://cloud.cerebras.ai', keyExample: 'csk-…' },
  // NVIDIA
  104: {
    labelZh: '英伟达',
    otherNames: 'nim',
    keyPage: 'https://build.nvidia.com/settings/api-keys',
    keyExample: 'nvapi-…',
  },
  // Hugging Face
  105: { otherNames: 'hf router', keyPage: 'https://huggingface.co/settings/tokens', keyExample: 'hf_…' },
  // GitHub Models
  106: {
    otherNames: 'microsoft',
    keyPage: 'https://github.com/settings/personal-access-tokens',
    keyExample: 'github_pat_…',
  },
  // Vercel AI Gateway
  107: { otherNames: 'v0', keyPage: 'https://vercel.com/ai-gateway', keyExample: 'vck_…' },
  // Tollgate / New API
  108: {
    labelZh: '同类网关',
    otherNames: 'newapi oneapi one-api one-hub relay gateway 中转',
    keyExample: 'sk-…',
  },
};

const byNumber: Readonly<Partial<Record<number, TypeGuide>>> = typeGuides;

/** The guide of a type number, or undefined if the type does not exist. */
export const typeGuide = (id: number): TypeGuide | undefined => byNumber[id];
