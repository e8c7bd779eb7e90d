import type { Channel } from '#core/channel/channel.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { through } from '#core/outbound-proxy.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { RelayDeps, Upstream, UpstreamCall } from '../ports.ts';
import { upstreamModel } from '../upstream-model.ts';

/** What is done with a response that an upstream keeps. */
export type KeptOperation = 'read' | 'delete' | 'input-items' | 'cancel';

/** One question about a kept response, for the channel that has it. */
export interface KeptQuestion {
  readonly operation: KeptOperation;
  readonly responseId: string;
  /** The caller's name of the model. */
  readonly model: string;
  readonly query?: string;
  readonly headers?: UpstreamCall['callerHeaders'];
}

export type AskDeps = Pick<RelayDeps, 'upstreamOf' | 'sender' | 'clock' | 'routing'>;

/** A channel, and the kind of upstream it is. */
export interface Keeper {
  readonly channel: Channel;
  readonly upstream: Upstream;
}

const FIRST_BYTE_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 300_000;

/** How each is asked for: platform.openai.com/docs/api-reference/responses. */
const METHODS = {
  read: { method: 'GET', suffix: '' },
  delete: { method: 'DELETE', suffix: '' },
  'input-items': { method: 'GET', suffix: '/input_items' },
  cancel: { method: 'POST', suffix: '/cancel' },
} as const satisfies Record<KeptOperation, { method: OutboundRequest['method']; suffix: string }>;

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
  const sender = through(deps.sender, channel.setting.proxy);
  const send = sender.send.bind(sender);
  const tools = { send, nowMs: deps.clock.now(), signal };
  const authorized = upstream.authorize?.(request, channel, tools) ?? request;
  return send(await authorized, signal);
};

const requestOf = (
  deps: AskDeps,
  channel: Channel,
  upstream: Upstream,
  { operation, responseId, model, query = '', headers }: KeptQuestion,
): OutboundRequest => {
  const address = upstream.address(channel, {
    operation: 'chat',
    model: upstreamModel(channel, model),
    stream: false,
    dialect: openaiResponses.name,
    options: deps.routing().options,
    ...(headers !== undefined && { callerHeaders: headers }),
  });
  const { method, suffix } = METHODS[operation];
  const url = new URL(address.url);
  url.pathname += `/${encodeURIComponent(responseId)}${suffix}`;
  for (const [name, value] of new URLSearchParams(query))
    if (PARAMETERS.has(name)) url.searchParams.append(name, value);
  return {
    method,
    url: url.href,
    headers: address.headers,
    firstByteTimeoutMs: channel.setting.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS,
    idleTimeoutMs: channel.setting.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  };
};
