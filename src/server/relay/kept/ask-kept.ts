import type { ConversationOperation, KeptOperation } from '../calls.ts';
import { sendAuthorized } from '#core/delivery.ts';
import type { Channel } from '#core/channel/channel.ts';
import { limitsOfModel, patienceFor } from '#core/channel/health/patience.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { RelayDeps } from '../ports.ts';
import type { Upstream, UpstreamCall } from '../../dialects/upstream.ts';
import { upstreamModel } from '../request/choose-format.ts';

/** A request about a kept response or conversation, for the channel that keeps it. */
export interface KeptQuestion {
  readonly operation: KeptOperation | ConversationOperation;
  /** The id of the response or conversation; empty to create one. */
  readonly responseId: string;
  readonly itemId?: string;
  /** The caller's name of the model. */
  readonly model: string;
  readonly query?: string;
  readonly headers?: UpstreamCall['callerHeaders'];
  /** JSON, if the operation has a body. */
  readonly body?: Buffer;
}

export type AskDeps = Pick<RelayDeps, 'upstreamOf' | 'sender' | 'clock' | 'routing'>;

/** A channel that keeps responses, and its kind of upstream. */
export interface Keeper {
  readonly channel: Channel;
  readonly upstream: Upstream;
}

interface Endpoint {
  readonly method: OutboundRequest['method'];
  readonly root: 'responses' | 'conversations';
  readonly suffix: '' | '/input_items' | '/cancel' | '/items';
}

/** Paths and methods. Source: platform.openai.com/docs/api-reference, responses and conversations. */
const ENDPOINTS = {
  read: { method: 'GET', root: 'responses', suffix: '' },
  delete: { method: 'DELETE', root: 'responses', suffix: '' },
  'input-items': { method: 'GET', root: 'responses', suffix: '/input_items' },
  cancel: { method: 'POST', root: 'responses', suffix: '/cancel' },
  create: { method: 'POST', root: 'conversations', suffix: '' },
  'read-conversation': { method: 'GET', root: 'conversations', suffix: '' },
  change: { method: 'POST', root: 'conversations', suffix: '' },
  'delete-conversation': { method: 'DELETE', root: 'conversations', suffix: '' },
  items: { method: 'GET', root: 'conversations', suffix: '/items' },
  'add-items': { method: 'POST', root: 'conversations', suffix: '/items' },
  'read-item': { method: 'GET', root: 'conversations', suffix: '/items' },
  'delete-item': { method: 'DELETE', root: 'conversations', suffix: '/items' },
} as const satisfies Record<KeptOperation | ConversationOperation, Endpoint>;

/** Query parameters that are forwarded. Others are dropped, because one could hold the caller's key. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'include',
  'include[]',
  'stream',
  'starting_after',
  'include_obfuscation',
  'limit',
  'order',
  'after',
  'before',
]);

/**
 * Sends the request to the channel that keeps the response. Throws what the sender throws; every status is returned.
 */
export const askKept = async (
  deps: AskDeps,
  { channel, upstream }: Keeper,
  question: KeptQuestion,
  signal: AbortSignal,
): Promise<OutboundReply> => {
  const request = requestOf(deps, channel, upstream, question);
  return sendAuthorized(deps, upstream, channel, request, signal);
};

const requestOf = (
  deps: AskDeps,
  channel: Channel,
  upstream: Upstream,
  { operation, responseId, itemId, model, query = '', headers, body }: KeptQuestion,
): OutboundRequest => {
  const address = upstream.address(channel, {
    operation: 'chat',
    model: upstreamModel(channel, model),
    stream: false,
    dialect: openaiResponses.name,
    options: deps.routing().options,
    ...(headers !== undefined && { callerHeaders: headers }),
  });
  const { method, root, suffix } = ENDPOINTS[operation];
  const url = new URL(address.url);
  const below = [responseId === '' ? [] : [responseId], suffix === '' ? [] : [suffix.slice(1)], itemId ?? []];
  const names = [root, ...below.flat()].map(encodeURIComponent);
  url.pathname = url.pathname.replace(/\/responses$/, '') + `/${names.join('/')}`;
  for (const [name, value] of new URLSearchParams(query))
    if (PARAMETERS.has(name)) url.searchParams.append(name, value);
  return {
    method,
    url: url.href,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...address.headers },
    ...(body !== undefined && { body }),
    ...timeoutsOf(deps, channel, model, url.searchParams.get('stream') === 'true'),
  };
};

const timeoutsOf = (
  { routing }: Pick<AskDeps, 'routing'>,
  { setting }: Channel,
  model: string,
  stream: boolean,
): Pick<OutboundRequest, 'headMs' | 'idleMs' | 'wholeMs'> => {
  const ofModel = limitsOfModel(routing().options['upstream_setting.model_timeouts'], model);
  const { headMs, idleMs, wholeMs } = patienceFor(setting.limits, ofModel, {
    stream: true,
    canRepeat: true,
  });
  return { headMs, idleMs, wholeMs: stream ? Infinity : wholeMs };
};
