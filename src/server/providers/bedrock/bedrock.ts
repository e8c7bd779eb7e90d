import { AwsV4Signer } from 'aws4fetch';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { type OutboundRequest, signedBody } from '#core/outbound.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest, readModelName } from '../../dialects/anthropic-messages/fill-request.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { claudeHeaders } from '../claude-headers.ts';
import { claudeSettings } from '../claude-settings.ts';
import type { Addressed, Provider } from '../provider.ts';
import { readBedrockEmbeddings, writeBedrockEmbeddings } from './bedrock-embeddings.ts';
import { converse } from './converse.ts';
import { readBedrockFrames } from './event-stream.ts';
import { readBedrockRerank, writeBedrockRerank } from './bedrock-rerank.ts';
import { bedrockModelId, isClaudeAtBedrock, withProfile } from './model-id.ts';

const VERSION = 'bedrock-2023-05-31';
const REGION = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;

/** What a channel's key says: a pair that signs, or one key that is shown; and the region. */
type Credentials =
  | {
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly region: string;
      /** Of keys that end by themselves. */
      readonly sessionToken?: string;
    }
  | { readonly apiKey: string; readonly region: string };

/**
 * `Ak|Sk|Region`, with a session token in a fourth part where there is one, or `ApiKey|Region`; where the channel's `other`
 * names the region, the key may leave it out. Throws `upstream_failed`, whose words go to the operator, for anything else.
 */
const readKey = (channel: Channel): Credentials => {
  const parts = channel.key
    .reveal()
    .split('|')
    .map((part) => part.trim());
  // Behind the secret, or behind an API key.
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

const urlOf = (channel: Channel, call: Addressed): string => {
  const { region } = readKey(channel);
  const host = (name: string): string =>
    channel.baseUrl === '' ? `https://${name}.${region}.amazonaws.com` : channel.baseUrl.replace(/\/+$/, '');
  if (call.operation === 'models') return `${host('bedrock')}/foundation-models`;
  const { model } = readModelName(call.model, claudeSettings(call));
  const id = encodeURIComponent(bedrockModelId(model, region));
  return `${host('bedrock-runtime')}/model/${id}/${methodOf(call)}`;
};

const methodOf = ({ operation, model, stream }: Addressed): string => {
  if (operation === 'embeddings' || operation === 'rerank') return 'invoke';
  if (isClaudeAtBedrock(model)) return stream ? 'invoke-with-response-stream' : 'invoke';
  return stream ? 'converse-stream' : 'converse';
};

/**
 * Amazon Bedrock: Claude in the Messages format, every other model by Converse. Signed, or under an API key; streams come
 * in AWS's own framing.
 */
export const bedrock: Provider = {
  dialect: anthropicMessages,
  dialectFor: (model) => (isClaudeAtBedrock(model) ? anthropicMessages : converse),
  operations: ['chat', 'embeddings', 'rerank', 'models'],
  address: (channel, call) => ({
    url: urlOf(channel, call),
    headers: {
      'content-type': 'application/json',
      accept: call.stream ? 'application/vnd.amazon.eventstream' : 'application/json',
    },
  }),
  hasOwnEnvelope: true,
  // The model and whether to stream stand in the path, the features under test in the body.
  adjust: (body, call) => {
    if (call.operation === 'embeddings') return writeBedrockEmbeddings(body, call.model);
    if (call.operation === 'rerank') return writeBedrockRerank(body, call.model);
    if (call.operation !== 'chat' || !isClaudeAtBedrock(call.model)) return body;
    const { model: _, stream: _stream, ...rest } = fillRequest(body, call.model, claudeSettings(call));
    const betas = claudeHeaders(call)['anthropic-beta'];
    return {
      anthropic_version: VERSION,
      ...rest,
      ...(betas !== undefined && { anthropic_beta: betas.split(',') }),
    };
  },
  authorize: async (request, channel, { nowMs }) => {
    const credentials = readKey(channel);
    if ('apiKey' in credentials)
      return withHeaders(request, { authorization: `Bearer ${credentials.apiKey}` });
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
  },
  frames: readBedrockFrames,
  readReply: (body, call, asked) => {
    if (call.operation === 'rerank') return readBedrockRerank(body, asked);
    return call.operation === 'embeddings' ? readBedrockEmbeddings(body, asked) : body;
  },
  readModels: (body) =>
    listOf(fieldsOf(body)['modelSummaries']).flatMap((model) => callableName(fieldsOf(model))),
};

/**
 * What a model of the list is called by: its id where it can be called on demand, else that of the profile around the
 * region, which its ARN names. Those that draw or film, or are on their way out, are passed over.
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

const withHeaders = (
  request: OutboundRequest,
  headers: Readonly<Record<string, string>>,
): OutboundRequest => ({ ...request, headers: { ...request.headers, ...headers } });
