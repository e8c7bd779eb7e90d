import type { IncomingHttpHeaders } from 'node:http';
import type { Channel } from '#core/channel/channel.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { readAll, refuseStatus, WHOLE_BODY_MAX_BYTES } from '../answer.ts';
import type { Authenticate } from '../authenticate.ts';
import { mask } from '../mask.ts';
import { countCall } from '../model-rate.ts';
import type { RelayDeps, Reply, Upstream, UpstreamCall } from '../ports.ts';
import { upstreamModel } from '../upstream-model.ts';
import { keptChannel } from './find-kept.ts';
import type { KeptResponses } from './kept-responses.ts';
import { repeatEvents } from './repeat-events.ts';

/** What is done with a response that an upstream keeps. */
export type KeptOperation = 'read' | 'delete' | 'input-items' | 'cancel';

/** One call about a kept response. It is never charged: what the response cost was charged when it was made. */
export interface KeptCall {
  readonly operation: KeptOperation;
  readonly responseId: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  readonly reply: Reply;
}

type KeptDeps = Pick<RelayDeps, 'upstreamOf' | 'sender' | 'clock' | 'routing' | 'log' | 'modelRates'> & {
  readonly authenticate: Authenticate;
  readonly kept: KeptResponses;
};

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

/** The calls about kept responses, and the end of all that are running. */
export const createKeptCalls = (deps: KeptDeps) => {
  const running = new Set<AbortController>();

  const run = async (call: KeptCall, signal: AbortSignal): Promise<void> => {
    const { user, token } = await deps.authenticate(call);
    await countCall(deps, deps.routing().options, { user, token });
    const found = await deps.kept.find(user.id, call.responseId, deps.clock.now());
    if (found === undefined) throw notFound(call);
    const open = keptChannel(deps, deps.routing().channels.get(found.channelId));
    if (open === undefined) throw notFound(call, ': the channel that keeps it no longer serves it');
    const { channel, upstream } = open;
    const secret = Buffer.from(channel.key.reveal());
    const sent = await deps.sender.send(
      await authorized(deps, requestOf(deps, call, found, channel, upstream), channel, upstream, signal),
      signal,
    );
    await refuseStatus(sent, openaiResponses, upstream, secret);
    if (call.operation === 'delete') await deps.kept.forget(found);
    await repeated(call.reply, sent, secret);
  };

  const serve = async (call: KeptCall): Promise<void> => {
    const abort = new AbortController();
    running.add(abort);
    call.reply.onGone = () => abort.abort();
    try {
      await run(call, abort.signal);
    } catch (thrown) {
      refuse(deps, call, asAppError(thrown));
    }
    running.delete(abort);
  };

  return {
    serve,
    stop(): void {
      for (const abort of running) abort.abort();
    },
  };
};

const notFound = ({ responseId }: KeptCall, why = ''): AppError =>
  new AppError('not_found', `Response with id '${responseId.slice(0, 200)}' not found${why}.`, {
    reason: 'response_not_found',
  });

const requestOf = (
  deps: KeptDeps,
  { operation, responseId, query, headers }: KeptCall,
  found: KeptResponse,
  channel: Channel,
  upstream: Upstream,
): OutboundRequest => {
  const upstreamCall: UpstreamCall = {
    operation: 'chat',
    model: upstreamModel(channel, found.model),
    stream: false,
    dialect: openaiResponses.name,
    options: deps.routing().options,
    callerHeaders: headers,
  };
  const address = upstream.address(channel, upstreamCall);
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

const authorized = (
  { sender, clock }: KeptDeps,
  request: OutboundRequest,
  channel: Channel,
  upstream: Upstream,
  signal: AbortSignal,
): OutboundRequest | Promise<OutboundRequest> =>
  upstream.authorize?.(request, channel, { send: sender.send.bind(sender), nowMs: clock.now(), signal }) ??
  request;

/** The upstream's own answer, whole or as events, but for our key in it. */
const repeated = async (
  reply: Reply,
  { status, headers, body }: OutboundReply,
  secret: Buffer,
): Promise<void> => {
  if (/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
    await repeatEvents(reply, body, secret);
    return;
  }
  const bytes = await readAll(body, WHOLE_BODY_MAX_BYTES);
  if (bytes === undefined) throw new AppError('upstream_failed', 'the reply is too long');
  reply.start(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  reply.end(mask(bytes, secret));
};

const refuse = ({ log }: KeptDeps, { reply, requestId }: KeptCall, error: AppError): void => {
  if (error.code === 'internal')
    log.error('a call about a kept response failed inside', { requestId, cause: String(error.cause) });
  if (reply.gone) return;
  if (reply.started) {
    reply.end(openaiResponses.writeStreamError(error, requestId));
    return;
  }
  const { status, body } = openaiResponses.writeError(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.start(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  });
  reply.end(bytes);
};
