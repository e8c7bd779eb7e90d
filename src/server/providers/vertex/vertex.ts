import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest, readModelName } from '../../dialects/anthropic-messages/fill-request.ts';
import type { Egress } from '../../dialects/dialect.ts';
import { gemini } from '../../dialects/gemini/gemini.ts';
import { fieldsOf, listOf, textOf } from '../../dialects/openai/fields.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { adjustForLookAlikes } from '../adjust-chat.ts';
import { claudeHeaders } from '../claude-headers.ts';
import { claudeSettings } from '../claude-settings.ts';
import { adjustForModel } from '../gemini-adjust.ts';
import { readSuffix } from '../gemini-suffix.ts';
import { mistralFields } from '../mistral-fields.ts';
import { contentHeaders, withoutTopK } from '../openai-layout.ts';
import type { Addressed, Provider } from '../provider.ts';
import { chatThinking, mistralThinking } from '../thinking.ts';
import { accessToken, readServiceAccount } from './access-token.ts';
import { readPrediction, writePrediction } from './vertex-embeddings.ts';
import { claudeId, kindOf, listedName, mistralName, openName, type VertexKind } from './vertex-models.ts';

const CLAUDE_VERSION = 'vertex-2023-10-16';
const DEFAULT_REGION = 'global';
const REGION = /^[a-z]{2,20}(?:-[a-z]+\d{1,2})?$/;

const told = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message } });

/** One text for all models, or JSON with one for each: `{"default": "us-central1", "claude-sonnet-4-5": "us-east5"}`. */
const regionOf = (channel: Channel, model: string): string => {
  const text = channel.other.trim();
  if (text === '') return DEFAULT_REGION;
  const regions = text.startsWith('{') ? parse(text) : { default: text };
  const region = textOf(regions[model]) ?? textOf(regions['default']) ?? '';
  if (REGION.test(region)) return region;
  throw told(`the region of this channel for ${model} is not a region`);
};

const parse = (text: string) => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
};

/** Where a region is; `us` and `eu` span several (cloud.google.com/vertex-ai, locations). */
const hostOf = (region: string): string => {
  if (region === 'global') return 'https://aiplatform.googleapis.com';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
};

/** The upstream's own name: without what its end asks for. */
const nameOf = (call: Addressed): string =>
  kindOf(call.model) === 'anthropic'
    ? readModelName(call.model, claudeSettings(call)).model
    : (readSuffix(call.model, call.options)?.model ?? call.model);

const urlOf = (channel: Channel, call: Addressed): string => {
  const account = readServiceAccount(channel.key.reveal());
  const name = nameOf(call);
  const region = regionOf(channel, name);
  // A key that is no service account is one of the express mode, which knows neither projects nor regions.
  const home = hostOf(account === undefined ? DEFAULT_REGION : region);
  const base =
    channel.baseUrl === '' ? home : channel.baseUrl.replace(/\/+$/, '').replace(/\/v1(?:beta1)?$/, '');
  if (call.operation === 'models') return `${base}/v1beta1/publishers/*/models?pageSize=1000`;
  const kind = kindOf(name);
  if (account === undefined && kind !== 'google')
    throw told(`${name} needs a service account: a key of the express mode reaches Google's own models only`);
  const project =
    account === undefined ? '' : `/projects/${encodeURIComponent(account.project_id)}/locations/${region}`;
  if (call.operation === 'embeddings')
    return `${base}/v1${project}/publishers/google/models/${pathPart(name)}:predict`;
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

/**
 * Google Cloud: Gemini in its own format, Claude in the Messages format, Mistral's in its own, which is OpenAI's, and
 * open models, `maker/model`, in OpenAI's (cloud.google.com/vertex-ai, Model as a Service); all under a service account.
 */
export const vertex: Provider = {
  dialect: gemini,
  dialectFor: (model) => FORMATS[kindOf(model)],
  operations: ['chat', 'embeddings', 'models'],
  address: (channel, call) => {
    const betas = kindOf(call.model) === 'anthropic' ? claudeHeaders(call) : {};
    const key = channel.key.reveal().trim();
    const isAccount = key.startsWith('{');
    return {
      url: urlOf(channel, call),
      headers: { ...contentHeaders(call), ...betas, ...(!isAccount && { 'x-goog-api-key': key }) },
    };
  },
  hasOwnEnvelope: true,
  adjust: (body, call) => {
    if (call.operation === 'embeddings') return writePrediction(body);
    if (call.operation !== 'chat') return body;
    switch (kindOf(call.model)) {
      case 'google':
        return adjustForModel(body, call);
      case 'mistralai':
        return { ...mistralFields(body, call), model: mistralName(call.model).inBody };
      case 'open':
        return { ...adjustForLookAlikes(body, call), model: openName(call.model) };
      case 'anthropic': {
        const { model: _, ...rest } = fillRequest(body, call.model, claudeSettings(call));
        return { anthropic_version: CLAUDE_VERSION, ...rest };
      }
    }
  },
  readReply: (body, call, asked) => (call.operation === 'embeddings' ? readPrediction(body, asked) : body),
  readModels: (body) => listOf(fieldsOf(body)['publisherModels']).flatMap(listedName),
  authorize: async (request, channel, tools) => {
    const account = readServiceAccount(channel.key.reveal());
    if (account === undefined) return request;
    const token = await accessToken(account, tools);
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
  },
};
