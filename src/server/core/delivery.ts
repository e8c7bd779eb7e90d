import type { Channel } from './channel/channel.ts';
import type { Clock } from './clock.ts';
import { asAppError, asUnsent } from './error.ts';
import type { ConnectSocket } from './message-socket.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest, Sender } from './outbound.ts';
import { connectThrough, through } from './outbound-proxy.ts';

/** What a kind of upstream may do beside being sent a request and answering it. */
export interface Delivery {
  /**
   * The finished request with what proves who sends it, where that is more than a header from the key: a token fetched
   * for it, or a signature over the bytes. Comes last. Throws `upstream_failed` where no proof is to be had.
   */
  authorize?(
    request: OutboundRequest,
    channel: Channel,
    tools: AuthorizeTools,
  ): OutboundRequest | Promise<OutboundRequest>;
  /** The answer to the finished request, where getting it is more than sending that. Throws only `AppError`s. */
  deliver?(request: OutboundRequest, channel: Channel, tools: AuthorizeTools): Promise<OutboundReply>;
}

export interface DeliveryDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly connectSocket?: ConnectSocket;
  readonly clock: Clock;
}

const toolsFor = (
  { sender, clock, connectSocket }: DeliveryDeps,
  { setting: { proxy } }: Channel,
  signal: AbortSignal,
): AuthorizeTools => {
  const via = through(sender, proxy);
  const connect = connectThrough(connectSocket, proxy);
  return {
    send: via.send.bind(via),
    nowMs: clock.now(),
    signal,
    ...(connect !== undefined && { connect }),
  };
};

/** Sends a request by way of its channel's proxy, with what its kind of upstream wants beside the key. */
export const sendAuthorized = (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> =>
  kind.authorize === undefined
    ? through(deps.sender, channel.setting.proxy).send(request, signal)
    : withTools(deps, { authorize: kind.authorize.bind(kind) }, channel, request, signal);

/** The same, and gets the answer in the way that kind wants. A list of models (`GET`) is one call, whatever answers are. */
export const deliver = (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> =>
  kind.deliver === undefined || request.method === 'GET'
    ? sendAuthorized(deps, kind, channel, request, signal)
    : withTools(deps, kind, channel, request, signal);

const withTools = async (
  deps: DeliveryDeps,
  kind: Delivery,
  channel: Channel,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> => {
  const tools = toolsFor(deps, channel, signal);
  const finished = await authorized(kind, channel, request, tools);
  return kind.deliver === undefined ? tools.send(finished, signal) : kind.deliver(finished, channel, tools);
};

/** A proof that is not to be had: the request itself has not gone out. */
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
