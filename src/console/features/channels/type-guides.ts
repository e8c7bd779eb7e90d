/** What helps to find a kind of upstream and to get its key. Names are those people know it by, in any language. */
interface TypeGuide {
  /** What it is called in Chinese, where that is another name. */
  readonly zh?: string;
  readonly names: string;
  /** Where its keys are made. */
  readonly keyPage?: string;
  /** How its keys begin. */
  readonly keyLike?: string;
}

export const typeGuides: Readonly<Record<number, TypeGuide>> = {
  1: { names: 'gpt chatgpt codex', keyPage: 'https://platform.openai.com/api-keys', keyLike: 'sk-…' },
  2: { zh: '绘图', names: 'mj drawing 绘画' },
  3: { zh: '微软', names: 'microsoft foundry', keyPage: 'https://ai.azure.com' },
  4: { zh: '本地模型', names: 'local llama' },
  5: { zh: '绘图', names: 'mj drawing 绘画' },
  8: { zh: '自定义', names: 'other own' },
  11: { zh: '谷歌', names: 'google bard', keyPage: 'https://aistudio.google.com/apikey' },
  14: {
    names: 'sonnet opus haiku 克劳德',
    keyPage: 'https://platform.claude.com/settings/keys',
    keyLike: 'sk-ant-…',
  },
  15: { zh: '百度文心', names: 'ernie wenxin yiyan wenxinyiyan qianfan 千帆 文心一言' },
  16: {
    zh: '智谱',
    names: 'glm chatglm bigmodel z.ai zai 清言',
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  17: {
    zh: '阿里百炼 · 通义千问',
    names: 'qwen tongyi dashscope bailian aliyun wanx 阿里云',
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    keyLike: 'sk-…',
  },
  18: {
    zh: '讯飞星火',
    names: 'xunfei spark sparkdesk xinghuo 科大讯飞',
    keyPage: 'https://console.xfyun.cn/services',
  },
  19: { zh: '360 智脑', names: 'zhinao qihoo 奇虎', keyPage: 'https://ai.360.com/platform/keys' },
  20: { names: 'open router', keyPage: 'https://openrouter.ai/settings/keys', keyLike: 'sk-or-v1-…' },
  21: { zh: '知识库', names: 'aiproxy zhishiku' },
  22: { zh: '知识库', names: 'zhishiku', keyLike: 'fastgpt-…' },
  23: { zh: '腾讯混元', names: 'hunyuan tokenhub tencentcloud 腾讯云' },
  24: {
    zh: '谷歌',
    names: 'google ai studio gemma imagen',
    keyPage: 'https://aistudio.google.com/apikey',
    keyLike: 'AIza…',
  },
  25: {
    zh: '月之暗面',
    names: 'kimi yuezhianmian',
    keyPage: 'https://platform.moonshot.cn/console/api-keys',
    keyLike: 'sk-…',
  },
  26: {
    zh: '智谱',
    names: 'glm chatglm bigmodel z.ai zai 清言',
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  27: { names: 'sonar pplx', keyPage: 'https://www.perplexity.ai/account/api', keyLike: 'pplx-…' },
  31: {
    zh: '零一万物',
    names: 'yi 01ai lingyiwanwu lingyi',
    keyPage: 'https://platform.lingyiwanwu.com/apikeys',
  },
  33: {
    zh: '亚马逊',
    names: 'bedrock amazon nova titan',
    keyPage: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
  },
  34: { names: 'command rerank embed', keyPage: 'https://dashboard.cohere.com/api-keys' },
  35: {
    zh: '稀宇科技',
    names: 'hailuo abab 海螺',
    keyPage: 'https://platform.minimaxi.com/user-center/basic-information/interface-key',
  },
  36: { zh: '音乐', names: 'music song 歌曲' },
  37: { names: 'agent workflow 工作流', keyLike: 'app-…' },
  38: { names: 'rerank embedding 向量', keyPage: 'https://jina.ai/api-dashboard', keyLike: 'jina_…' },
  39: { names: 'workers ai', keyPage: 'https://dash.cloudflare.com/profile/api-tokens' },
  40: {
    zh: '硅基流动',
    names: 'siliconflow guijiliudong',
    keyPage: 'https://cloud.siliconflow.cn/account/ak',
    keyLike: 'sk-…',
  },
  41: {
    zh: '谷歌云',
    names: 'google cloud gcp gemini',
    keyPage: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
  },
  42: { names: 'mixtral codestral le chat', keyPage: 'https://console.mistral.ai/api-keys' },
  43: {
    zh: '深度求索',
    names: 'shenduqiusuo',
    keyPage: 'https://platform.deepseek.com/api_keys',
    keyLike: 'sk-…',
  },
  44: { zh: '向量模型', names: 'm3e moka mokaai' },
  45: {
    zh: '火山方舟 · 豆包',
    names: 'doubao ark bytedance volc seed huoshan 火山引擎 字节跳动',
    keyPage: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
  },
  46: {
    zh: '百度千帆',
    names: 'ernie wenxin qianfan 文心一言',
    keyPage: 'https://console.bce.baidu.com/iam/#/iam/apikey/list',
    keyLike: 'bce-v3/…',
  },
  47: { zh: '本地模型', names: 'xorbits local' },
  48: { names: 'grok x.ai', keyPage: 'https://console.x.ai', keyLike: 'xai-…' },
  49: { zh: '扣子', names: 'kouzi bot', keyPage: 'https://www.coze.cn/open/oauth/pats', keyLike: 'pat_…' },
  56: { names: 'flux llama', keyPage: 'https://replicate.com/account/api-tokens', keyLike: 'r8_…' },
  100: { names: 'lpu llama', keyPage: 'https://console.groq.com/keys', keyLike: 'gsk_…' },
  101: { names: 'together.ai', keyPage: 'https://api.together.ai/settings/api-keys' },
  102: { names: 'llama', keyPage: 'https://app.fireworks.ai/settings/users/api-keys', keyLike: 'fw_…' },
  103: { names: 'llama wafer', keyPage: 'https://cloud.cerebras.ai', keyLike: 'csk-…' },
  104: {
    zh: '英伟达',
    names: 'nim',
    keyPage: 'https://build.nvidia.com/settings/api-keys',
    keyLike: 'nvapi-…',
  },
  105: { names: 'hf router', keyPage: 'https://huggingface.co/settings/tokens', keyLike: 'hf_…' },
  106: {
    names: 'microsoft',
    keyPage: 'https://github.com/settings/personal-access-tokens',
    keyLike: 'github_pat_…',
  },
  107: { names: 'v0', keyPage: 'https://vercel.com/ai-gateway', keyLike: 'vck_…' },
  108: { zh: '同类网关', names: 'newapi oneapi one-api one-hub relay gateway 中转', keyLike: 'sk-…' },
};
