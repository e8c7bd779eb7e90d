/** The formats of calls, with the names people know them by. */
export const callerFormats = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  gemini: 'Gemini',
} as const;

/** Further formats of upstreams. */
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

/** A format's display name; an unknown one keeps the server's name. */
export const formatName = (name: string): string =>
  (callerFormats as Readonly<Record<string, string>>)[name] ?? upstreamFormats[name] ?? name;
