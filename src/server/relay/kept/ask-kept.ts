import { sendAuthorized } from '#core/delivery.ts';
import type { Channel } from '#core/channel/channel.ts';
import { patienceFor } from '#core/channel/patience.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { RelayDeps, Upstream, UpstreamCall } from '../ports.ts';
import { upstreamModel } from '../upstream-model.ts';

/** What is done with a response that an upstream keeps. */
export type KeptOperation = 'read' | 'delete' | 'input-items' | 'cancel';

/** What is done with a conversation, or with one of its items. */
export type ConversationOperation =
  | 'create'
  | 'read-conversation'
  | 'change'
  | 'delete-conversation'
  | 'items'
  | 'add-items'
  | 'read-item'
  | 'delete-item';

/** One question about a kept response or conversation, for the channel that has it. */
export interface KeptQuestion {
  readonly operation: KeptOperation | ConversationOperation;
  /** Of the response or conversation; empty for one that is yet to be made. */
  readonly responseId: string;
  readonly itemId?: string;
  /** The caller's name of the model. */
  readonly model: string;
  readonly query?: string;
  readonly headers?: UpstreamCall['callerHeaders'];
  /** JSON, where the operation brings something. */
  readonly body?: Buffer;
}

export type AskDeps = Pick<RelayDeps, 'upstreamOf' | 'sender' | 'clock' | 'routing'>;

/** A channel, and the kind of upstream it is. */
export interface Keeper {
  readonly channel: Channel;
  readonly upstream: Upstream;
}

interface Way {
  readonly method: OutboundRequest['method'];
  readonly root: 'responses' | 'conversations';
  readonly suffix: '' | '/input_items' | '/cancel' | '/items';
}

/** How each is asked for: platform.openai.com/docs/api-reference/responses and below /conversations. */
const WAYS = {
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
} as const satisfies Record<KeptOperation | ConversationOperation, Way>;

/** What a caller may add in the query; a key is not for the upstream. */
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

/** Asks the channel that keeps a response. Throws what the sender throws; any status comes back as it is. */
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
  const { method, root, suffix } = WAYS[operation];
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
    ...timesOf(channel, url.searchParams.get('stream') === 'true'),
  };
};

const timesOf = (
  { setting }: Channel,
  stream: boolean,
): Pick<OutboundRequest, 'headMs' | 'idleMs' | 'wholeMs'> => {
  const { headMs, idleMs, wholeMs } = patienceFor(setting.limits, undefined, {
    stream: true,
    canRepeat: true,
  });
  return { headMs, idleMs, wholeMs: stream ? Infinity : wholeMs };
};
