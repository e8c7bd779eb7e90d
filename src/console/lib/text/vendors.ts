/** The maker of a model, by the model's name. */
export interface Vendor {
  readonly name: string;
  /** The maker's icon; undefined for the generic one. */
  readonly type: number;
}

const rules: readonly (readonly [RegExp, Vendor])[] = [
  [
    /^(gpt|chatgpt|o\d|dall-e|text-embedding|text-moderation|omni-|whisper|tts|davinci|babbage|sora|codex)/,
    { name: 'OpenAI', type: 1 },
  ],
  [/claude/, { name: 'Anthropic', type: 14 }],
  [/^(gemini|gemma|imagen|veo|palm|learnlm)/, { name: 'Google', type: 24 }],
  [/deepseek/, { name: 'DeepSeek', type: 43 }],
  [/^(qwen|qwq|qvq|wanx|tongyi)/, { name: 'Qwen', type: 17 }],
  [/^(glm|chatglm|cogview|cogvideo|zhipu)/, { name: 'Zhipu', type: 16 }],
  [/^(moonshot|kimi)/, { name: 'Moonshot', type: 25 }],
  [/^(ernie|bloomz)/, { name: 'Baidu', type: 15 }],
  [/^(doubao|seedream|seed)/, { name: 'Volcengine', type: 45 }],
  [/^(hunyuan)/, { name: 'Tencent', type: 23 }],
  [/^(spark|4\.0ultra|generalv)/, { name: 'iFlytek', type: 18 }],
  [/^(mistral|mixtral|codestral|ministral|pixtral|magistral|open-mi)/, { name: 'Mistral', type: 42 }],
  [/^(command|c4ai|rerank-|embed-)/, { name: 'Cohere', type: 34 }],
  [/^(abab|minimax)/, { name: 'MiniMax', type: 35 }],
  [/^(yi-)/, { name: '01.AI', type: 31 }],
  [/^(grok)/, { name: 'xAI', type: 48 }],
  [/^(jina|bge)/, { name: 'Jina', type: 38 }],
  [/^(suno|chirp)/, { name: 'Suno', type: 36 }],
  [/^(mj_|midjourney|swap_face)/, { name: 'Midjourney', type: 2 }],
  [/^(llama|codellama)/, { name: 'Meta', type: 4 }],
  [/^(sonar|pplx)/, { name: 'Perplexity', type: 27 }],
];

const other: Vendor = { name: '', type: 8 };

/** The maker of a model; a name after a slash counts (`openai/gpt-4o`). An empty name is "other". */
export const vendorOf = (model: string): Vendor => {
  const bare = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return rules.find(([pattern]) => pattern.test(bare))?.[1] ?? other;
};
