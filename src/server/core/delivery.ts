import type { Channel } from './channel/channel.ts';
import type { Clock } from './clock.ts';
import { keyVerdict } from './channel/keys/key-verdict.ts';
import { AppError, asAppError, asUnsent } from './error.ts';
import { abortSignalOf, type GiveUpSignal } from './outbound/give-up.ts';
import type { ConnectSocket } from './outbound/message-socket.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest, Sender } from './outbound/outbound.ts';
import { connectThrough, through } from './outbound/through-proxy.ts';

/** Steps that a kind of upstream needs besides sending a request and reading the response. */
export interface Delivery {
  /**
   * Adds credentials to the finished request when a header with the key is not enough: a fetched token, or a signature
   * over the bytes. Runs last. Throws `upstream_failed` if it cannot get them.
   */
  authorize?(
    request: OutboundRequest,
    channel: Channel,
    tools: AuthorizeTools,
  ): OutboundRequest | Promise<OutboundRequest>;
  /** Forgets a token that was fetched for the key, because it was refused. Returns whether another may be accepted. */
  forgetToken?(channel: Channel, nowMs: number): boolean;
  /** Gets the response when sending the request is not enough. Throws only `AppError`s. */
  deliver?(request: OutboundRequest, channel: Channel, tools: AuthorizeTools): Promise<OutboundReply>;
}

/**
 * Whether an error refuses a token that was fetched for the channel's key, and another may be accepted: a token may be withdrawn
 * while its key is good.
 */
export const refusesToken = (
  kind: Pick<Delivery, 'forgetToken'>,
  channel: Channel,
  error: unknown,
  nowMs: number,
): boolean => {
  if (kind.forgetToken === undefined || !(error instanceof AppError)) return false;
  return keyVerdict(error) === 'revoked' && kind.forgetToken(channel, nowMs);
};

/** What sending through a channel needs. */
export interface DeliveryDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly connectSocket?: ConnectSocket | undefined;
  readonly clock: Clock;
  readonly readWhole?: AuthorizeTools['readWhole'] | undefined;
  readonly noteWork?: AuthorizeTools['noteWork'] | undefined;
}

const toolsFor = (
  { sender, clock, connectSocket, readWhole, noteWork }: DeliveryDeps,
  { setting: { proxy } }: Channel,
  signal: AbortSignal,
): AuthorizeTools => {
  const via = through(sender, proxy);
  const connect = connectThrough(connectSocket, proxy);
  return {
    send: via.send.bind(via),
    nowMs: clock.now(),
    signal,
    ...(readWhole !== undefined && { readWhole }),
    ...(noteWork !== undefined && { noteWork }),
    ...(connect !== undefined && { connect }),
  };
};

/** Sends a request through the channel's proxy, with the credentials its kind of upstream needs. */
export const sendAuthorized = (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: GiveUpSignal,
): Promise<OutboundReply> =>
  kind.authorize === undefined
    ? through(deps.sender, channel.setting.proxy).send(request, signal)
    : withTools(deps, { authorize: kind.authorize.bind(kind) }, channel, request, signal);

/**
 * Like `sendAuthorized`, but also gets the response the way that kind needs. A model list (`GET`) is always one plain
 * call.
 */
export const deliver = (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: GiveUpSignal,
): Promise<OutboundReply> =>
  kind.deliver === undefined || request.method === 'GET'
    ? sendAuthorized(deps, kind, channel, request, signal)
    : withTools(deps, kind, channel, request, signal);

const withTools = async (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: GiveUpSignal,
): Promise<OutboundReply> => {
  const tools = toolsFor(deps, channel, abortSignalOf(signal));
  const finished = await authorized(kind, channel, request, tools);
  return kind.deliver === undefined ? tools.send(finished, signal) : kind.deliver(finished, channel, tools);
};

/** If credentials cannot be obtained, the request was never sent. */
const authorized = async (
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  tools: AuthorizeTools,
): Promise<OutboundRequest> => {
  try {
    return (await kind.authorize?.(request, channel, tools)) ?? request;
  } catch (thrown) {
    throw asUnsent(asAppError(thrown));
  }
};
