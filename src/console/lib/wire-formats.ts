/** The formats a call can be made in, and what each is called by those who know it. */
export const callerFormats = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  gemini: 'Gemini',
} as const;

/** What else upstreams speak. */
const upstreamFormats: Readonly<Record<string, string>> = {
  'aiproxy-library': 'AI Proxy',
  'bedrock-converse': 'Bedrock Converse',
  baidu: 'Baidu ERNIE',
  cohere: 'Cohere Chat',
  coze: 'Coze',
  dify: 'Dify',
  'openai-completions': 'OpenAI Completions',
  'openai-responses-compact': 'OpenAI Responses, compact',
  replicate: 'Replicate',
  tencent: 'Tencent Hunyuan',
  xunfei: 'iFlytek Spark',
};

/** A format's name for people; one that is not known here goes by the name the server gives it. */
export const formatName = (name: string): string =>
  (callerFormats as Readonly<Record<string, string>>)[name] ?? upstreamFormats[name] ?? name;
