import { anthropic } from './anthropic/anthropic.ts';
import { azure } from './azure/azure.ts';
import { custom } from './custom/custom.ts';
import { gemini } from './gemini/gemini.ts';
import {
  ai360,
  alibaba,
  baiduV2,
  deepseek,
  embeddingModel,
  jina,
  lingyiwanwu,
  minimax,
  moonshot,
  ollama,
  siliconcloud,
  volcengine,
  zhipu,
} from './look-alikes.ts';
import { mistral } from './mistral/mistral.ts';
import { openai } from './openai/openai.ts';
import type { Provider } from './provider.ts';

/** The channel types calls are relayed to. A type named here without a provider below does not compile. */
export type RelayedType =
  | 1
  | 3
  | 4
  | 8
  | 14
  | 17
  | 19
  | 24
  | 25
  | 26
  | 31
  | 35
  | 38
  | 40
  | 42
  | 43
  | 44
  | 45
  | 46;

const providers: Readonly<Record<RelayedType, Provider>> = {
  1: openai,
  3: azure,
  4: ollama,
  8: custom,
  14: anthropic,
  17: alibaba,
  19: ai360,
  24: gemini,
  25: moonshot,
  26: zhipu,
  31: lingyiwanwu,
  35: minimax,
  38: jina,
  40: siliconcloud,
  42: mistral,
  43: deepseek,
  44: embeddingModel,
  45: volcengine,
  46: baiduV2,
};

const byType: ReadonlyMap<number, Provider> = new Map(
  Object.entries(providers).map(([type, provider]) => [Number(type), provider]),
);

/** The provider of a channel type; undefined where calls are not relayed to that kind. */
export const providerOf = (type: number): Provider | undefined => byType.get(type);

export const relayedTypes: readonly number[] = [...byType.keys()];
