import { ai360 } from './ai360/ai360.ts';
import { aiproxy } from './aiproxy/aiproxy.ts';
import { alibaba } from './alibaba/alibaba.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { azure } from './azure/azure.ts';
import { baiduV2 } from './baidu-v2/baidu-v2.ts';
import { baidu } from './baidu/baidu.ts';
import { bedrock } from './bedrock/bedrock.ts';
import { cerebras } from './cerebras/cerebras.ts';
import { cloudflare } from './cloudflare/cloudflare.ts';
import { cohere } from './cohere/cohere.ts';
import { coze } from './coze/coze.ts';
import { custom } from './custom/custom.ts';
import { deepinfra } from './deepinfra/deepinfra.ts';
import { deepseek } from './deepseek/deepseek.ts';
import { dify } from './dify/dify.ts';
import { embeddingModel } from './embedding-model/embedding-model.ts';
import { fastgpt } from './fastgpt/fastgpt.ts';
import { fireworks } from './fireworks/fireworks.ts';
import { gateway } from './gateway/gateway.ts';
import { gemini } from './gemini/gemini.ts';
import { githubModels } from './github-models/github-models.ts';
import { groq } from './groq/groq.ts';
import { huggingface } from './huggingface/huggingface.ts';
import { jina } from './jina/jina.ts';
import { lingyiwanwu } from './lingyiwanwu/lingyiwanwu.ts';
import { minimax } from './minimax/minimax.ts';
import { mistral } from './mistral/mistral.ts';
import { moonshot } from './moonshot/moonshot.ts';
import { nvidia } from './nvidia/nvidia.ts';
import { ollama } from './ollama/ollama.ts';
import { openai } from './openai/openai.ts';
import { openrouter } from './openrouter/openrouter.ts';
import { perplexity } from './perplexity/perplexity.ts';
import { replicate } from './replicate/replicate.ts';
import { sambanova } from './sambanova/sambanova.ts';
import { siliconcloud } from './siliconcloud/siliconcloud.ts';
import { tencent } from './tencent/tencent.ts';
import { together } from './together/together.ts';
import { vercelGateway } from './vercel-gateway/vercel-gateway.ts';
import { vertex } from './vertex/vertex.ts';
import { volcengine } from './volcengine/volcengine.ts';
import { xai } from './xai/xai.ts';
import { xinference } from './xinference/xinference.ts';
import { xunfei } from './xunfei/xunfei.ts';
import { zhipu } from './zhipu/zhipu.ts';
import type { Provider } from './shared/description/provider.ts';

/** All providers. */
export const providers: readonly Provider[] = [
  ai360,
  aiproxy,
  alibaba,
  anthropic,
  azure,
  baiduV2,
  baidu,
  bedrock,
  cerebras,
  cloudflare,
  cohere,
  coze,
  custom,
  deepinfra,
  deepseek,
  dify,
  embeddingModel,
  fastgpt,
  fireworks,
  gateway,
  gemini,
  githubModels,
  groq,
  huggingface,
  jina,
  lingyiwanwu,
  minimax,
  mistral,
  moonshot,
  nvidia,
  ollama,
  openai,
  openrouter,
  perplexity,
  replicate,
  sambanova,
  siliconcloud,
  tencent,
  together,
  vercelGateway,
  vertex,
  volcengine,
  xai,
  xinference,
  xunfei,
  zhipu,
];

const byType: ReadonlyMap<number, Provider> = new Map(
  providers.flatMap((provider) => provider.types.map((type) => [type, provider])),
);

/** The provider of a channel type; undefined for types whose calls are tasks. */
export const providerOf = (type: number): Provider | undefined => byType.get(type);

export const relayedTypes: readonly number[] = [...byType.keys()].sort((a, b) => a - b);
