/**
 * What a kind of upstream serves, where the price catalogue has no list of it or one that is out of date.
 * Each list was written from the maker's own page of models in November 2026; a channel that can be asked
 * for its list gives a newer one.
 */
const listOf = (names: string): readonly string[] => names.trim().split(/\s+/);

const gpt = listOf(`
  gpt-6.1-sol gpt-6.1-terra gpt-6-astra gpt-6-luna gpt-6-sol gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra
  gpt-5.5 gpt-5.5-pro gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.3-codex gpt-5.2 gpt-5.2-pro gpt-5.1
  gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-4.1 gpt-4.1-mini gpt-4o gpt-4o-mini o3 o3-pro
  gpt-image-2.6-sunburst gpt-image-2.6-flare gpt-image-2 gpt-audio gpt-audio-mini gpt-realtime-2 gpt-realtime-mini
  gpt-transcribe gpt-4o-transcribe gpt-4o-mini-transcribe gpt-4o-mini-tts tts-1 tts-1-hd whisper-1
  text-embedding-3-large text-embedding-3-small text-embedding-ada-002 omni-moderation-latest
`);

const glm = listOf(`
  glm-5.3 glm-5.3-flash glm-5.2 glm-5.1 glm-5 glm-5-turbo glm-5v-turbo glm-4.7 glm-4.7-flashx glm-4.7-flash
  glm-4.6 glm-4.6v glm-4.5-air glm-4.5-airx glm-4-long glm-4-flashx-250414 glm-4-flash-250414
  glm-image cogview-4-250304 embedding-3 rerank glm-tts glm-asr-2512
`);

const claude = listOf(`
  claude-fable-5-2 claude-fable-5-1 claude-fable-5 claude-opus-5-5 claude-opus-5 claude-sonnet-5-5 claude-sonnet-5
  claude-haiku-5-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5 claude-sonnet-4-6 claude-sonnet-4-5
  claude-haiku-4-5
`);

const gemini = listOf(`
  gemini-4-argon gemini-4-carbon gemini-4-hydrogen gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash
  gemini-3.5-flash-lite gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3-flash-preview gemini-2.5-flash-lite
  gemini-nano-banana-2.1 gemini-3-pro-image gemini-3.1-flash-image gemini-embedding-2 gemini-embedding-001
  gemma-4-31b-it gemma-4-26b-a4b-it
`);

const openModels = listOf(`
  deepseek-ai/DeepSeek-V4-Pro-0813 deepseek-ai/DeepSeek-V4-Flash-0731 moonshotai/Kimi-K3 moonshotai/Kimi-K2.6
  zai-org/GLM-5.3 zai-org/GLM-5.3-Flash zai-org/GLM-5.2 Qwen/Qwen3.5-397B-A17B google/gemma-4-31B-it
  openai/gpt-oss-120b openai/gpt-oss-20b meta-llama/Llama-3.3-70B-Instruct
`);

/** By channel type. */
export const ownModels: Readonly<Record<number, readonly string[]>> = {
  // developers.openai.com/api/docs/models and /deprecations
  1: gpt,
  // learn.microsoft.com: a deployment is named by its owner, as a rule after the model it holds
  3: gpt,
  // ai.google.dev/gemini-api/docs: models, deprecations (the others of 2.5 end on 1 December 2026)
  11: gemini,
  // platform.claude.com/docs/en/models/overview; model deprecations
  14: claude,
  // ollama.com/search
  4: listOf(`gpt-oss:20b gpt-oss:120b qwen3 qwen3.5 qwen3-coder gemma3 gemma4 llama3.3 deepseek-r1 mistral-small3.2
    nomic-embed-text embeddinggemma qwen3-embedding`),
  // cloud.baidu.com/doc/WENXINWORKSHOP
  15: listOf(`ERNIE-4.0-8K ERNIE-4.0-Turbo-8K ERNIE-3.5-8K ERNIE-Speed-8K ERNIE-Speed-128K ERNIE-Lite-8K
    ERNIE-Tiny-8K ERNIE-Character-8K Embedding-V1 bge-large-zh bge-large-en tao-8k`),
  // docs.bigmodel.cn/cn/guide/start/model-overview
  16: glm,
  26: glm,
  // help.aliyun.com/zh/model-studio/models
  17: listOf(`qwen3.8-max qwen3.8-flash qwen3.7-max qwen3.7-plus qwen3.7-flash qwen3.6-plus qwen3.6-flash qwen3.5-plus
    qwen3.5-flash qwen3-max qwen-max qwen-plus qwen-flash qwen-turbo qwen3-coder-plus qwen3-coder-flash
    qwen3-vl-plus qwen-vl-max qwen-vl-plus qwen-vl-ocr qwen3-omni-flash qwq-plus qwen-mt-plus
    deepseek-v4-pro deepseek-v4.1-flash glm-5.2 glm-5.1 kimi-k3 kimi-k2.6
    text-embedding-v4 text-embedding-v3 qwen3-rerank gte-rerank-v2
    qwen-image-3.0-pro qwen-image-3.0 qwen-image-2.0-pro qwen-image-2.0 wan2.7-image`),
  // www.xfyun.cn/doc/spark: Web.html, X1http.html, Spark-X2.5.html
  18: listOf('spark-x2.5 spark-x 4.0Ultra max-32k generalv3.5 pro-128k generalv3 lite'),
  // ai.360.com/platform/docs
  19: listOf('360zhinao2-o1 360gpt2-o1 360gpt2-pro 360gpt-pro 360gpt-turbo'),
  // openrouter.ai/models: what is newest of each maker; a channel's own list has several hundred
  20: listOf(`openai/gpt-6.1-sol openai/gpt-6.1-terra openai/gpt-6-astra openai/gpt-6-sol openai/gpt-6-luna
    openai/gpt-5.6-sol openai/gpt-5.6-terra openai/gpt-5.6-luna openai/gpt-5.5 openai/gpt-5.4 openai/gpt-5.4-mini
    openai/gpt-5.3-codex openai/gpt-oss-120b openai/gpt-oss-20b
    anthropic/claude-fable-5.2 anthropic/claude-fable-5.1 anthropic/claude-opus-5.5 anthropic/claude-opus-5
    anthropic/claude-sonnet-5.5 anthropic/claude-sonnet-5 anthropic/claude-haiku-5.5 anthropic/claude-haiku-4.5
    google/gemini-4-argon google/gemini-3.8-flash google/gemini-3.7-flash google/gemini-3.5-flash
    google/gemini-3.1-pro-preview google/gemini-3.1-flash-lite google/gemma-4-31b-it google/gemma-4-26b-a4b-it
    x-ai/grok-4.7 x-ai/grok-4.5 x-ai/grok-4.3 x-ai/grok-4.20 x-ai/grok-build-0.1
    deepseek/deepseek-v4-pro deepseek/deepseek-v4-flash deepseek/deepseek-v3.2
    moonshotai/kimi-k3 moonshotai/kimi-k2.7-code moonshotai/kimi-k2.6
    z-ai/glm-5.3 z-ai/glm-5.3-flash z-ai/glm-5.2 z-ai/glm-5v-turbo
    qwen/qwen3.8-max qwen/qwen3.8-flash qwen/qwen3.8-27b qwen/qwen3.7-max qwen/qwen3.7-plus qwen/qwen3.6-27b
    qwen/qwen3-coder-next minimax/minimax-m3 minimax/minimax-m2.7
    mistralai/mistral-large-2512 mistralai/mistral-medium-3-5 mistralai/mistral-small-2603 mistralai/devstral-2512
    nvidia/nemotron-3-ultra-550b-a55b nvidia/nemotron-3-super-120b-a12b amazon/nova-2-lite-v1 cohere/command-a
    openai/text-embedding-3-small google/gemini-embedding-001`),
  // cloud.tencent.com/document/product/1823/130078; the hunyuan names are those of a signed key (1729/104753)
  23: listOf(`hy4-preview hy3 hunyuan-2.0-thinking-20251109 hunyuan-2.0-instruct-20251111 hunyuan-role-latest
    deepseek-v4-pro deepseek-v4-flash deepseek-v3.2 glm-5.3 glm-5.2 kimi-k3 kimi-k2.6 minimax-m3 minimax-m2.7
    hunyuan-turbos-latest hunyuan-t1-latest hunyuan-lite hunyuan-embedding`),
  24: gemini,
  // docs.perplexity.ai/docs/agent-api: models and presets; the sonar names are those of the chat that ended
  27: listOf(`perplexity/sonar fast low medium high xhigh
    sonar sonar-pro sonar-reasoning sonar-reasoning-pro sonar-deep-research`),
  // platform.lingyiwanwu.com/docs
  31: listOf('yi-lightning yi-vision-v2'),
  // docs.aws.amazon.com/bedrock: model cards; Claude and Nova by the names the channel knows them by, others by their ids
  33: [
    ...claude,
    ...listOf(`nova-2-lite nova-premier nova-pro nova-lite nova-micro
      global.openai.gpt-6-astra global.openai.gpt-5.6-sol global.openai.gpt-5.6-terra global.openai.gpt-5.6-luna
      openai.gpt-oss-120b-1:0 openai.gpt-oss-20b-1:0 global.zai.glm-5.3 global.moonshotai.kimi-k3
      deepseek.v3.2 deepseek.v3-v1:0 minimax.minimax-m2.5 qwen.qwen3-coder-480b-a35b-v1:0 qwen.qwen3-vl-235b-a22b
      qwen.qwen3-32b-v1:0 mistral.mistral-large-3-675b-instruct mistral.magistral-small-2509
      mistral.ministral-3-14b-instruct mistral.devstral-2-123b nvidia.nemotron-super-3-120b
      google.gemma-3-27b-it
      amazon.titan-embed-text-v2:0 cohere.embed-v4:0 cohere.embed-multilingual-v3 amazon.rerank-v1:0 cohere.rerank-v3-5:0`),
  ],
  // docs.cohere.com/docs/models
  34: listOf(`command-a-plus-05-2026 command-a-03-2025 command-a-reasoning-08-2025 command-a-vision-07-2025
    command-a-translate-08-2025 command-r7b-12-2024 command-r-plus-08-2024 command-r-08-2024
    embed-v4.0 embed-multilingual-v3.0 embed-english-v3.0 rerank-v4.0-pro rerank-v4.0-fast rerank-v3.5`),
  // platform.minimaxi.com/docs/guides/models-intro
  35: listOf(`MiniMax-M3 MiniMax-M2.7 MiniMax-M2.7-highspeed MiniMax-M2.5 MiniMax-M2.5-highspeed MiniMax-M2.1
    MiniMax-M2.1-highspeed MiniMax-M2 M2-her MiniMax-H3-Image MiniMax-H3-Image-Highspeed speech-2.8-hd
    speech-2.8-turbo speech-2.6-hd speech-2.6-turbo`),
  // jina.ai/models
  38: listOf(`jina-embeddings-v5-text-small jina-embeddings-v5-text-nano jina-embeddings-v5-omni-small
    jina-embeddings-v5-omni-nano jina-embeddings-v4 jina-embeddings-v3 jina-code-embeddings-1.5b
    jina-code-embeddings-0.5b jina-clip-v2 jina-reranker-v3 jina-reranker-m0 jina-reranker-v2-base-multilingual`),
  // developers.cloudflare.com/workers-ai/models
  39: listOf(`@cf/openai/gpt-oss-120b @cf/openai/gpt-oss-20b @cf/moonshotai/kimi-k2.6 @cf/zai-org/glm-5.3
    @cf/zai-org/glm-5.3-flash @cf/zai-org/glm-4.7-flash @cf/deepseek-ai/deepseek-v4-pro-0813
    @cf/deepseek-ai/deepseek-v4-flash-0731 @cf/nvidia/nemotron-3-120b-a12b @cf/qwen/qwen3.8-27b
    @cf/qwen/qwen3-30b-a3b-fp8 @cf/google/gemma-4-26b-a4b-it @cf/meta/llama-4-scout-17b-16e-instruct
    @cf/baai/bge-m3 @cf/baai/bge-large-en-v1.5 @cf/qwen/qwen3-embedding-0.6b @cf/google/embeddinggemma-300m`),
  // docs.siliconflow.cn and cloud.siliconflow.cn/models
  40: listOf(`deepseek-ai/DeepSeek-V4-Pro deepseek-ai/DeepSeek-V4-Flash Pro/deepseek-ai/DeepSeek-V3.2
    deepseek-ai/DeepSeek-R1 zai-org/GLM-5.2 Pro/zai-org/GLM-5.1 Pro/moonshotai/Kimi-K2.6 Pro/MiniMaxAI/MiniMax-M2.5
    Qwen/Qwen3.6-35B-A3B Qwen/Qwen3.5-397B-A17B Qwen/Qwen3.5-122B-A10B Qwen/Qwen3.5-27B Qwen/Qwen3.5-9B
    Qwen/Qwen3-32B Qwen/Qwen3-8B stepfun-ai/Step-3.5-Flash
    BAAI/bge-m3 BAAI/bge-reranker-v2-m3 Qwen/Qwen3-Embedding-8B Qwen/Qwen3-Reranker-8B
    Kwai-Kolors/Kolors Qwen/Qwen-Image FunAudioLLM/CosyVoice2-0.5B FunAudioLLM/SenseVoiceSmall`),
  // docs.cloud.google.com/gemini-enterprise-agent-platform/models: model versions, partner models, open models
  41: [
    ...listOf(`gemini-4-argon gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash gemini-3.5-flash-lite
      gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3-flash-preview gemini-3-pro-image gemini-3.1-flash-image
      gemini-embedding-001 text-embedding-005 text-multilingual-embedding-002`),
    ...claude,
    ...listOf(`mistral-medium-3 mistral-small-2503 codestral-2 xai/grok-4.6 xai/grok-4.3 xai/grok-4.20-reasoning
      deepseek-ai/deepseek-v3.2-maas deepseek-ai/deepseek-v3.1-maas zai-org/glm-5.2-maas zai-org/glm-5-maas
      zai-org/glm-4.7-maas moonshotai/kimi-k2-thinking-maas minimaxai/minimax-m2-maas openai/gpt-oss-120b-maas
      openai/gpt-oss-20b-maas qwen/qwen3-coder-480b-a35b-instruct-maas qwen/qwen3-next-80b-a3b-instruct-maas
      meta/llama-4-maverick-17b-128e-instruct-maas meta/llama-4-scout-17b-16e-instruct-maas
      meta/llama-3.3-70b-instruct-maas google/gemma-4-26b-a4b-it-maas`),
  ],
  // docs.mistral.ai/models
  42: listOf(`mistral-large-latest mistral-large-2512 mistral-medium-latest mistral-medium-3-5 mistral-small-latest
    mistral-small-2603 magistral-medium-latest magistral-small-latest devstral-latest devstral-2512 codestral-latest
    codestral-2508 ministral-14b-2512 ministral-8b-2512 ministral-3b-2512 voxtral-small-latest voxtral-mini-latest
    voxtral-mini-2602 voxtral-mini-tts-3-0 voxtral-mini-tts-2603 mistral-embed codestral-embed mistral-moderation-latest`),
  // api-docs.deepseek.com: the v4 names are still taken and answered by deepseek-flash
  43: listOf('deepseek-flash deepseek-v4-pro deepseek-v4-flash'),
  44: listOf('m3e-base m3e-large m3e-small'),
  // www.volcengine.com/docs/82379/1330310
  45: listOf(`doubao-seed-2-0-pro-260215 doubao-seed-2-0-lite-260215 doubao-seed-2-0-mini-260215
    doubao-seed-2-0-code-preview-260215 doubao-seed-1-8-251228 doubao-seed-1-6-251015 doubao-seed-1-6-flash-250828
    doubao-seed-1-6-vision-250815 deepseek-v4-pro-ga-260813 deepseek-v4-flash-ga-260731 deepseek-v3-2-251201
    glm-4-7-251222 kimi-k2-5-260127 doubao-embedding-vision-250615 doubao-seedream-4-5-251128`),
  // cloud.baidu.com/doc/qianfan
  46: listOf(`ernie-5.1 ernie-5.0 ernie-5.0-thinking-preview ernie-x1.1 ernie-4.5-turbo-128k ernie-4.5-turbo-32k
    ernie-4.5-turbo-vl deepseek-v3.2 embedding-v1 bge-large-zh tao-8k qwen3-embedding-8b bce-reranker-base`),
  // docs.x.ai/developers/models, less those that left on 15 May 2026
  48: listOf(
    'grok-4.7 grok-4.6 grok-4.5 grok-4.3 grok-4.20 grok-4.20-non-reasoning grok-build-0.1 grok-imagine-image',
  ),
  // replicate.com/collections: models kept ready by their makers
  56: listOf(`openai/gpt-5 openai/gpt-5-mini openai/gpt-4o anthropic/claude-4.5-sonnet google/gemini-3-pro
    meta/llama-4-maverick-instruct meta/meta-llama-3-70b-instruct deepseek-ai/deepseek-v3.1
    black-forest-labs/flux-1.1-pro black-forest-labs/flux-schnell google/nano-banana`),
  // console.groq.com/docs/models
  100: listOf(`openai/gpt-oss-120b openai/gpt-oss-20b openai/gpt-oss-safeguard-20b qwen/qwen3.6-27b
    groq/compound groq/compound-mini whisper-large-v3 whisper-large-v3-turbo canopylabs/orpheus-v1-english`),
  // docs.together.ai/docs/serverless-models
  101: listOf(`deepseek-ai/DeepSeek-V4-Pro-0813 deepseek-ai/DeepSeek-V4.1-Flash moonshotai/Kimi-K3
    moonshotai/Kimi-K2.7-Code zai-org/GLM-5.3 zai-org/GLM-5.2 Qwen/Qwen3.7-Max Qwen/Qwen3.6-Plus
    Qwen/Qwen3.5-397B-A17B Qwen/Qwen3-Coder-Next-FP8 MiniMaxAI/MiniMax-M2.5 google/gemma-4-31B-it
    nvidia/nemotron-3-ultra-550b-a55b meta-llama/Llama-3.3-70B-Instruct-Turbo openai/gpt-oss-120b openai/gpt-oss-20b`),
  // inference-docs.cerebras.ai/models
  103: listOf('gpt-oss-120b gemma-4-31b zai-glm-4.7'),
  // build.nvidia.com/models
  104: listOf(`nvidia/nemotron-3-ultra-550b-a55b nvidia/nemotron-3-super-120b-a12b nvidia/nemotron-3-nano-30b-a3b
    openai/gpt-oss-120b openai/gpt-oss-20b meta/llama-3.3-70b-instruct qwen/qwen3.5-397b-a17b moonshotai/kimi-k2.6
    nvidia/nv-embedqa-e5-v5 nvidia/llama-3.2-nv-embedqa-1b-v2 nvidia/llama-3.2-nv-rerankqa-1b-v2`),
  // huggingface.co/docs/inference-providers
  105: openModels,
  // vercel.com/ai-gateway/models
  107: listOf(`openai/gpt-6.1-sol openai/gpt-6.1-terra openai/gpt-6-astra openai/gpt-6-sol openai/gpt-6-luna
    openai/gpt-5.6-sol openai/gpt-5.5 openai/gpt-5.3-codex openai/gpt-oss-120b
    anthropic/claude-fable-5.2 anthropic/claude-opus-5.5 anthropic/claude-sonnet-5.5 anthropic/claude-haiku-5.5
    google/gemini-4-argon google/gemini-3.8-flash google/gemini-3.5-flash-lite google/gemini-3.1-pro-preview
    spacexai/grok-4.7 spacexai/grok-4.6 deepseek/deepseek-v4-pro deepseek/deepseek-v4.1-flash
    moonshotai/kimi-k3.1-pro moonshotai/kimi-k3 zai/glm-5.3 zai/glm-5.3-flash alibaba/qwen3.8-max alibaba/qwen3.8-flash
    minimax/minimax-m3 mistral/mistral-large-4 mistral/mistral-medium-3.5 amazon/nova-2-lite cohere/command-a
    openai/text-embedding-3-large openai/text-embedding-3-small google/gemini-embedding-2 cohere/embed-v4.0
    openai/gpt-image-2 minimax/minimax-h3-image cohere/rerank-v4-pro`),
};
