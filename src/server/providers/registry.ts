import type { RelayedTypeId } from '#contract/channel-types.ts';
import { withAccountWords } from './account-words.ts';
import { alibaba } from './alibaba/alibaba.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { aiproxyLibrary } from './aiproxy/aiproxy.ts';
import { azure } from './azure/azure.ts';
import { baidu } from './baidu/baidu.ts';
import { cohere } from './cohere/cohere.ts';
import { coze } from './coze/coze.ts';
import { bedrock } from './bedrock/bedrock.ts';
import { custom } from './custom/custom.ts';
import { dify } from './dify/dify.ts';
import { gemini } from './gemini/gemini.ts';
import {
  cerebras,
  cloudflare,
  fastgpt,
  fireworks,
  gateway,
  githubModels,
  groq,
  huggingface,
  together,
  vercelGateway,
} from './hosts.ts';
import {
  ai360,
  baiduV2,
  deepseek,
  embeddingModel,
  jina,
  lingyiwanwu,
  moonshot,
  ollama,
  siliconcloud,
  xinference,
  zhipu,
} from './look-alikes.ts';
import { minimax } from './minimax/minimax.ts';
import { mistral } from './mistral/mistral.ts';
import { nvidia } from './nvidia/nvidia.ts';
import { openai } from './openai/openai.ts';
import { openrouter } from './openrouter/openrouter.ts';
import { perplexity } from './perplexity/perplexity.ts';
import type { Provider } from './provider.ts';
import { replicate } from './replicate/replicate.ts';
import { tencent } from './tencent/tencent.ts';
import { vertex } from './vertex/vertex.ts';
import { volcengine } from './volcengine/volcengine.ts';
import { xai } from './xai/xai.ts';
import { xunfei } from './xunfei/xunfei.ts';

/** The channel types calls are relayed to. */
const providers: Readonly<Record<RelayedTypeId, Provider>> = {
  1: openai,
  3: azure,
  4: ollama,
  8: custom,
  // PaLM's own interface is gone; its keys and address serve the models that followed.
  11: gemini,
  14: anthropic,
  15: baidu,
  // The third version of Zhipu's interface is gone too; its keys open the fourth.
  16: zhipu,
  17: alibaba,
  18: xunfei,
  19: ai360,
  20: openrouter,
  21: aiproxyLibrary,
  22: fastgpt,
  23: tencent,
  24: gemini,
  25: moonshot,
  26: zhipu,
  27: perplexity,
  31: lingyiwanwu,
  33: bedrock,
  34: cohere,
  35: minimax,
  37: dify,
  38: jina,
  39: cloudflare,
  40: siliconcloud,
  41: vertex,
  42: mistral,
  43: deepseek,
  44: embeddingModel,
  45: volcengine,
  46: baiduV2,
  47: xinference,
  48: xai,
  49: coze,
  56: replicate,
  100: groq,
  101: together,
  102: fireworks,
  103: cerebras,
  104: nvidia,
  105: huggingface,
  106: githubModels,
  107: vercelGateway,
  108: gateway,
};

const byType: ReadonlyMap<number, Provider> = new Map(
  Object.entries(providers).map(([type, provider]) => [
    Number(type),
    withAccountWords(Number(type), provider),
  ]),
);

/** The provider of a channel type; undefined where calls are not relayed to that kind. */
export const providerOf = (type: number): Provider | undefined => byType.get(type);

export const relayedTypes: readonly number[] = [...byType.keys()];
