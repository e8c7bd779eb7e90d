import { isVertexRegion, vertexRegions } from '#contract/channel/vertex-regions.ts';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest, readModelName } from '../../dialects/anthropic-messages/request/fill-request.ts';
import type { Egress } from '../../dialects/dialect.ts';
import { gemini } from '../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { GOOGLE_KEY } from '../shared/description/error-patterns.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { claudeHeaders } from '../shared/models/claude-headers.ts';
import { claudeSettings } from '../shared/models/claude-settings.ts';
import { adjustForModel } from '../shared/models/gemini-adjust.ts';
import { readSuffix } from '../shared/models/gemini-suffix.ts';
import { mistralChat } from '../shared/models/mistral-fields.ts';
import { withoutTopK } from '../shared/chat/openai-chat-with.ts';
import { provider } from '../shared/description/provider.ts';
import { chatThinking, mistralThinking } from '../shared/chat/thinking.ts';
import { claude, named } from '../shared/description/model-lists.ts';
import { accessToken, forgetAccessToken, readServiceAccount } from './access-token.ts';
import {
  embedAtVertex,
  embedsContent,
  readVertexEmbeddings,
  writeVertexEmbeddings,
} from './vertex-embeddings.ts';
import { claudeId, kindOf, listedName, mistralName, openName, type VertexKind } from './vertex-models.ts';
import { withoutEnd } from '#contract/without-end.ts';

const CLAUDE_VERSION = 'vertex-2023-10-16';
const DEFAULT_REGION = 'global';
const failed = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message } });

const regionOf = (channel: Channel, model: string): string => {
  const regions = vertexRegions(channel.other);
  const region = regions.get(model) ?? regions.get('default') ?? '';
  if (isVertexRegion(region)) return region;
  throw failed(`the region of this channel for ${model} is not a region`);
};

/** The host of a region; `us` and `eu` span several regions (cloud.google.com/vertex-ai, locations). */
const hostOf = (region: string): string => {
  if (region === 'global') return 'https://aiplatform.googleapis.com';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
};

/** The model's name without a thinking suffix. */
const nameOf = (call: UpstreamCall): string =>
  kindOf(call.model) === 'anthropic'
    ? readModelName(call.model, claudeSettings(call)).model
    : (readSuffix(call.model, call.options)?.model ?? call.model);

const urlOf = (channel: Channel, call: UpstreamCall): string => {
  const account = readServiceAccount(channel.key.reveal());
  const name = nameOf(call);
  const region = regionOf(channel, name);
  // Any other key is an API key of the express mode, which has neither projects nor regions.
  const home = hostOf(account === undefined ? DEFAULT_REGION : region);
  const base =
    channel.baseUrl === '' ? home : withoutEnd(channel.baseUrl, '/').replace(/\/v1(?:beta1)?$/, '');
  if (call.operation === 'models') return `${base}/v1beta1/publishers/*/models?pageSize=1000`;
  const kind = kindOf(name);
  if (account === undefined && kind !== 'google')
    throw failed(
      `${name} needs a service account: a key of the express mode reaches Google's own models only`,
    );
  const project =
    account === undefined ? '' : `/projects/${encodeURIComponent(account.project_id)}/locations/${region}`;
  if (call.operation === 'embeddings') {
    const method = embedsContent(name) ? 'embedContent' : 'predict';
    return `${base}/v1${project}/publishers/google/models/${pathPart(name)}:${method}`;
  }
  if (kind === 'open') return `${base}/v1${project}/endpoints/openapi/chat/completions`;
  return `${base}/v1${project}/publishers/${kind}/models/${methodOf(kind, name, call.stream)}`;
};

const methodOf = (kind: 'google' | 'anthropic' | 'mistralai', name: string, stream: boolean): string => {
  if (kind === 'google')
    return `${pathPart(name)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
  const id = kind === 'anthropic' ? claudeId(name) : mistralName(name).inPath;
  return `${pathPart(id)}:${stream ? 'streamRawPredict' : 'rawPredict'}`;
};

const pathPart = (text: string): string => encodeURIComponent(text).replaceAll('%40', '@');

const FORMATS: Readonly<Record<VertexKind, Egress>> = {
  google: gemini,
  anthropic: anthropicMessages,
  mistralai: chatThinking(mistralThinking),
  open: withoutTopK(openaiChat),
};

const writeChat = (body: Fields, call: UpstreamCall): Fields => {
  switch (kindOf(call.model)) {
    case 'google':
      return adjustForModel(body, call);
    case 'mistralai':
      return { ...mistralChat(body, call), model: mistralName(call.model).inBody };
    case 'open':
      return { ...forLookAlikes(body), model: openName(call.model) };
    case 'anthropic': {
      const { model: _, ...rest } = fillRequest(body, call.model, claudeSettings(call));
      return { anthropic_version: CLAUDE_VERSION, ...rest };
    }
  }
};

const withAccessToken = async (
  request: OutboundRequest,
  channel: Channel,
  tools: AuthorizeTools,
): Promise<OutboundRequest> => {
  const account = readServiceAccount(channel.key.reveal());
  if (account === undefined) return request;
  const token = await accessToken(account, tools);
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
};

/**
 * Google Cloud: Gemini in its own format, Claude in the Messages format, Mistral's models and open models (`maker/model`)
 * in OpenAI's chat format (cloud.google.com/vertex-ai, Model as a Service). Keys are service accounts.
 */
export const vertex = provider({
  types: [41],
  key: {
    authorize: withAccessToken,
    forgetToken(channel, nowMs) {
      const account = readServiceAccount(channel.key.reveal());
      return account !== undefined && forgetAccessToken(account, nowMs);
    },
  },
  keyFor: (channel) =>
    channel.key.reveal().trim().startsWith('{') ? undefined : { header: 'x-goog-api-key' },
  dialect: gemini,
  dialectFor: (model) => FORMATS[kindOf(model)],
  url: urlOf,
  headers: (_, call) => (kindOf(call.model) === 'anthropic' ? claudeHeaders(call) : {}),
  hasOwnEnvelope: true,
  offers: {
    chat: { write: writeChat },
    embeddings: {
      write: (body, call) => writeVertexEmbeddings(body, call.model),
      read: (body, _, asked) => readVertexEmbeddings(body, asked),
      deliver: (request, _, tools) => embedAtVertex(request, tools),
    },
    models: {},
  },
  readModels: (body) => listOf(fieldsOf(body)['publisherModels']).flatMap(listedName),
  errorPatterns: { key: GOOGLE_KEY },
  // docs.cloud.google.com/gemini-enterprise-agent-platform/models: model versions, partner models, open models
  models: [
    ...named(`gemini-4-argon gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash gemini-3.5-flash-lite
      gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3-flash-preview gemini-3-pro-image gemini-3.1-flash-image
      gemini-embedding-001 text-embedding-005 text-multilingual-embedding-002`),
    ...claude,
    ...named(`mistral-medium-3 mistral-small-2503 codestral-2 xai/grok-4.6 xai/grok-4.3 xai/grok-4.20-reasoning
      deepseek-ai/deepseek-v3.2-maas deepseek-ai/deepseek-v3.1-maas zai-org/glm-5.2-maas zai-org/glm-5-maas
      zai-org/glm-4.7-maas moonshotai/kimi-k2-thinking-maas minimaxai/minimax-m2-maas openai/gpt-oss-120b-maas
      openai/gpt-oss-20b-maas qwen/qwen3-coder-480b-a35b-instruct-maas qwen/qwen3-next-80b-a3b-instruct-maas
      meta/llama-4-maverick-17b-128e-instruct-maas meta/llama-4-scout-17b-16e-instruct-maas
      meta/llama-3.3-70b-instruct-maas google/gemma-4-26b-a4b-it-maas`),
  ],
});
