import { AwsV4Signer } from 'aws4fetch';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { type AuthorizeTools, type OutboundRequest, signedBody } from '#core/outbound/outbound.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest, readModelName } from '../../dialects/anthropic-messages/request/fill-request.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { claudeHeaders } from '../shared/models/claude-headers.ts';
import { claudeSettings } from '../shared/models/claude-settings.ts';
import { provider } from '../shared/description/provider.ts';
import { claude, named } from '../shared/description/model-lists.ts';
import { readBedrockEmbeddings, writeBedrockEmbeddings } from './bedrock-embeddings.ts';
import { readBedrockRerank, writeBedrockRerank } from './bedrock-rerank.ts';
import { converse } from './converse.ts';
import { readBedrockFrames } from './event-stream.ts';
import { bedrockModelId, isClaudeAtBedrock, withProfile } from './model-id.ts';
import { withoutEnd } from '#contract/without-end.ts';

const VERSION = 'bedrock-2023-05-31';
const REGION = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;

/** The parts of a channel's key: a pair that signs requests, or an API key that is sent; and the region. */
type Credentials =
  | {
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly region: string;
      /** For temporary keys. */
      readonly sessionToken?: string;
    }
  | { readonly apiKey: string; readonly region: string };

/**
 * Reads `Ak|Sk|Region`, with an optional session token as fourth part, or `ApiKey|Region`. The region may be in the
 * channel's `other` instead. Throws `upstream_failed` for anything else; the operator sees its message.
 */
const readKey = (channel: Channel): Credentials => {
  const parts = channel.key
    .reveal()
    .split('|')
    .map((part) => part.trim());
  // The region follows the secret, or an API key.
  const place = parts.findIndex((part, at) => (at === 1 || at === 2) && REGION.test(part));
  const region = place === -1 ? channel.other.trim() : (parts[place] ?? '');
  const secrets = place === -1 ? parts : parts.toSpliced(place, 1);
  const [first = '', second = '', third = ''] = secrets;
  if (REGION.test(region) && secrets.every((part) => part !== '')) {
    if (secrets.length === 1) return { apiKey: first, region };
    const pair = { accessKeyId: first, secretAccessKey: second, region };
    if (secrets.length === 2 && place !== 1) return pair;
    if (secrets.length === 3 && place !== 1) return { ...pair, sessionToken: third };
  }
  const message =
    'the key of this channel is not Ak|Sk|Region, Ak|Sk|Region|SessionToken or ApiKey|Region, nor one of them with the region in other';
  throw new AppError('upstream_failed', message, { upstream: { status: 0, message } });
};

const urlOf = (channel: Channel, call: UpstreamCall): string => {
  const { region } = readKey(channel);
  const host = (name: string): string =>
    channel.baseUrl === '' ? `https://${name}.${region}.amazonaws.com` : withoutEnd(channel.baseUrl, '/');
  if (call.operation === 'models') return `${host('bedrock')}/foundation-models`;
  const { model } = readModelName(call.model, claudeSettings(call));
  const id = encodeURIComponent(bedrockModelId(model, region));
  return `${host('bedrock-runtime')}/model/${id}/${methodOf(call)}`;
};

const methodOf = ({ operation, model, stream }: UpstreamCall): string => {
  if (operation === 'embeddings' || operation === 'rerank') return 'invoke';
  if (isClaudeAtBedrock(model)) return stream ? 'invoke-with-response-stream' : 'invoke';
  return stream ? 'converse-stream' : 'converse';
};

/** `model` and `stream` are in the path; beta features are in the body. */
const writeChat = (body: Fields, call: UpstreamCall): Fields => {
  if (!isClaudeAtBedrock(call.model)) return body;
  const { model: _, stream: _stream, ...rest } = fillRequest(body, call.model, claudeSettings(call));
  const betas = claudeHeaders(call)['anthropic-beta'];
  return {
    anthropic_version: VERSION,
    ...rest,
    ...(betas !== undefined && { anthropic_beta: betas.split(',') }),
  };
};

const withHeaders = (
  request: OutboundRequest,
  headers: Readonly<Record<string, string>>,
): OutboundRequest => ({ ...request, headers: { ...request.headers, ...headers } });

const proven = async (
  request: OutboundRequest,
  channel: Channel,
  { nowMs }: AuthorizeTools,
): Promise<OutboundRequest> => {
  const credentials = readKey(channel);
  if ('apiKey' in credentials) return withHeaders(request, { authorization: `Bearer ${credentials.apiKey}` });
  const { method, url } = request;
  const body = signedBody(request);
  const signer = new AwsV4Signer({
    ...credentials,
    service: 'bedrock',
    method,
    url,
    headers: { ...request.headers },
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    ...(request.body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const signed = await signer.sign();
  return withHeaders(request, Object.fromEntries(signed.headers));
};

/**
 * Amazon Bedrock: Claude in the Messages format, every other model in the Converse format. Requests are signed or have an
 * API key; streams use AWS's own framing.
 */
export const bedrock = provider({
  types: [33],
  key: { authorize: proven },
  dialect: anthropicMessages,
  dialectFor: (model) => (isClaudeAtBedrock(model) ? anthropicMessages : converse),
  url: urlOf,
  headers: (_, call) => ({
    accept: call.stream ? 'application/vnd.amazon.eventstream' : 'application/json',
  }),
  hasOwnEnvelope: true,
  offers: {
    chat: { write: writeChat },
    embeddings: {
      write: (body, call) => writeBedrockEmbeddings(body, call.model),
      read: (body, _, asked) => readBedrockEmbeddings(body, asked),
    },
    rerank: {
      write: (body, call) => writeBedrockRerank(body, call.model),
      read: (body, _, asked) => readBedrockRerank(body, asked),
    },
    models: {},
  },
  frames: readBedrockFrames,
  // docs.aws.amazon.com, common errors: all have the status 403; a header names the error.
  errorPatterns: { key: /^\[403\].*(?:security token|signature we calculated|api key)/i },
  readModels: (body) =>
    listOf(fieldsOf(body)['modelSummaries']).flatMap((model) => callableName(fieldsOf(model))),
  // docs.aws.amazon.com/bedrock, model cards: Claude and Nova by their short names, others by their ids
  models: [
    ...claude,
    ...named(`nova-2-lite nova-premier nova-pro nova-lite nova-micro
      global.openai.gpt-6-astra global.openai.gpt-5.6-sol global.openai.gpt-5.6-terra global.openai.gpt-5.6-luna
      openai.gpt-oss-120b-1:0 openai.gpt-oss-20b-1:0 global.zai.glm-5.3 global.moonshotai.kimi-k3
      deepseek.v3.2 deepseek.v3-v1:0 minimax.minimax-m2.5 qwen.qwen3-coder-480b-a35b-v1:0 qwen.qwen3-vl-235b-a22b
      qwen.qwen3-32b-v1:0 mistral.mistral-large-3-675b-instruct mistral.magistral-small-2509
      mistral.ministral-3-14b-instruct mistral.devstral-2-123b nvidia.nemotron-super-3-120b
      google.gemma-3-27b-it
      amazon.titan-embed-text-v2:0 cohere.embed-v4:0 cohere.embed-multilingual-v3 amazon.rerank-v1:0 cohere.rerank-v3-5:0`),
  ],
});

/**
 * The name to call a listed model by: its id if it is offered on demand, else the inference profile around the region
 * in its ARN. Leaves out image and video models, and models at the end of their life.
 */
const callableName = (model: Fields): string[] => {
  const id = textOf(model['modelId']);
  const outputs = model['outputModalities'];
  const status = textOf(fieldsOf(model['modelLifecycle'])['status']) ?? 'ACTIVE';
  if (id === undefined || status !== 'ACTIVE') return [];
  if (Array.isArray(outputs) && !outputs.includes('TEXT') && !outputs.includes('EMBEDDING')) return [];
  const ways = model['inferenceTypesSupported'];
  if (!Array.isArray(ways) || ways.includes('ON_DEMAND')) return [id];
  const region = textOf(model['modelArn'])?.split(':')[3] ?? '';
  return ways.includes('INFERENCE_PROFILE') && region !== '' ? [withProfile(id, region)] : [];
};
