import type { Channel } from '#core/channel/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Clock } from '#core/clock.ts';
import type { AppError } from '#core/error.ts';
import type { ConnectSocket } from '#core/message-socket.ts';
import type { AuthorizeTools, OutboundRequest, OutboundReply, Sender } from '#core/outbound.ts';
import { connectThrough, through } from '#core/outbound-proxy.ts';

/** A call an admin makes to see what an upstream says. */
export interface Addressed {
  readonly operation: 'chat' | 'embeddings' | 'models';
  readonly model: string;
  readonly stream: boolean;
}

/** What is needed of a format to try it. */
export interface ProbedFormat {
  writeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  readError(status: number, body: unknown): AppError;
  parseWhole?(bytes: Buffer): unknown;
  tapWhole(body: unknown): { readonly usage?: Usage; readonly error?: AppError };
}

/** What is needed of a provider here; every `Provider` is one. */
export interface ProbedUpstream {
  readonly operations: readonly string[];
  readonly dialect: ProbedFormat;
  dialectFor?(model: string, channel: Channel): ProbedFormat | undefined;
  address(
    channel: Channel,
    call: Addressed,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  adjust?(
    body: Readonly<Record<string, unknown>>,
    call: Addressed,
    channel: Channel,
  ): Readonly<Record<string, unknown>>;
  authorize?(
    request: OutboundRequest,
    channel: Channel,
    tools: AuthorizeTools,
  ): OutboundRequest | Promise<OutboundRequest>;
  deliver?(request: OutboundRequest, channel: Channel, tools: AuthorizeTools): Promise<OutboundReply>;
  readModels?(body: unknown): string[];
  readError?(status: number, body: unknown): AppError;
}

export interface SendDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly connectSocket?: ConnectSocket;
  readonly clock: Clock;
}

/** Sends a request with what its kind of upstream wants beside the key, in the way that kind wants it. */
export const sendAs = async (
  { sender, clock, connectSocket }: SendDeps,
  upstream: ProbedUpstream,
  channel: Channel,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> => {
  const { proxy } = channel.setting;
  const via = through(sender, proxy);
  const send = via.send.bind(via);
  const connect = connectThrough(connectSocket, proxy);
  const tools = { send, nowMs: clock.now(), signal, ...(connect !== undefined && { connect }) };
  const finished = (await upstream.authorize?.(request, channel, tools)) ?? request;
  // A list of models is one call, whatever answers are.
  return upstream.deliver === undefined || request.method === 'GET'
    ? send(finished, signal)
    : upstream.deliver(finished, channel, tools);
};
