import { disableReason } from '#core/channel/health.ts';
import { isWorthAnother } from '#core/channel/retry.ts';
import { selectChannel } from '#core/channel/select.ts';
import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { ConnectSocket, MessageSocket } from '#core/message-socket.ts';
import { nobodyTakes } from '../nobody-takes.ts';
import type { ChannelHealth } from '../channel-health.ts';
import type { RealtimeCall, RelayDeps } from '../ports.ts';
import { known, type Running } from '../running.ts';
import { withoutSecrets } from '../without-secrets.ts';
import { upstreamModel } from '../upstream-model.ts';

export type OpenDeps = Pick<RelayDeps, 'upstreamOf' | 'clock' | 'random' | 'metrics' | 'channels'> & {
  readonly health: ChannelHealth;
  readonly connect: ConnectSocket;
};

/** Headers of HTTP that mean nothing, or the wrong thing, when a WebSocket is opened. */
const UNSENT = new Set(['content-type', 'accept']);

/** Tries channels until one opens. Throws the last failure when none is left or none is worth it. */
export const openUpstream = async (
  deps: OpenDeps,
  call: RealtimeCall,
  running: Running,
): Promise<MessageSocket> => {
  const tried = new Set<number>();
  const { RetryTimes } = running.routing.options;
  for (;;) {
    const channel = choose(deps, running, tried);
    tried.add(channel.id);
    running.channel = channel;
    running.upstreamModel = upstreamModel(channel, call.model);
    deps.health.chosen(channel.id, deps.clock.monotonic());
    deps.channels.seen(channel.id, running.group, call.headers['user-agent']);
    const startedMs = deps.clock.monotonic();
    try {
      const socket = await connect(deps, call, running, channel);
      deps.health.succeeded(channel.id, deps.clock.monotonic());
      running.attempts.push(attempt(deps, channel, startedMs, 101, ''));
      return socket;
    } catch (thrown) {
      const error = withoutSecrets(asAppError(thrown), running.secrets);
      failed(deps, running, channel, error, startedMs);
      const isOver =
        call.signal.aborted || tried.size > RetryTimes || running.caller?.channelId !== undefined;
      // Nothing is asked before it is open.
      const terms = { canRepeat: true, statusCodeMapping: channel.statusCodeMapping };
      if (isOver || !isWorthAnother(error, terms)) throw error;
    }
  }
};

const choose = (deps: OpenDeps, running: Running, tried: ReadonlySet<number>): Channel => {
  const isAble = ({ type }: Channel): boolean =>
    deps.upstreamOf(type)?.operations.includes('realtime') === true;
  const { model } = known(running.asked, 'read').facts;
  const pinned = running.caller?.channelId;
  if (pinned !== undefined) {
    const channel = running.routing.channels.get(pinned);
    if (channel?.status === channelStatus.enabled && isAble(channel)) return channel;
    throw new AppError('invalid_request', 'this channel does not offer this call');
  }
  const nowMs = deps.clock.monotonic();
  const decision = selectChannel(running.routing, {
    model,
    groups: [running.group],
    tried,
    isCooling: (channelId) => deps.health.isCooling(channelId, nowMs),
    isAble,
    // A conversation begins with nothing said.
    inputTokens: 0,
    dice: deps.random.unit(),
  });
  running.decision = decision;
  if (decision.channel === undefined) throw running.failure ?? nobodyTakes(running, decision);
  return decision.channel;
};

const connect = (
  deps: OpenDeps,
  call: RealtimeCall,
  running: Running,
  channel: Channel,
): Promise<MessageSocket> => {
  const upstream = known(deps.upstreamOf(channel.type), 'select');
  const address = upstream.address(channel, {
    operation: 'realtime',
    model: running.upstreamModel,
    stream: true,
    options: running.routing.options,
    callerHeaders: call.headers,
  });
  const beta = call.headers['openai-beta'];
  const headers = Object.fromEntries(Object.entries(address.headers).filter(([name]) => !UNSENT.has(name)));
  const { proxy } = channel.setting;
  return deps.connect(
    {
      url: address.url,
      headers: typeof beta === 'string' ? { ...headers, 'openai-beta': beta } : headers,
      ...(proxy !== undefined && { proxy }),
    },
    call.signal,
  );
};

const failed = (
  deps: OpenDeps,
  running: Running,
  channel: Channel,
  error: AppError,
  startedMs: number,
): void => {
  const status = error.upstream?.status ?? 0;
  running.failure = error;
  running.attempts.push(attempt(deps, channel, startedMs, status, error.message));
  deps.metrics.attemptFailed(channel.id, channel.type, status);
  deps.health.failed(channel.id, error, startedMs, deps.clock.monotonic());
  const reason = channel.autoDisable ? disableReason(error, running.routing.options) : undefined;
  if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
};

const attempt = (
  { clock }: OpenDeps,
  channel: Channel,
  startedMs: number,
  status: number,
  error: string,
) => ({
  channelId: channel.id,
  status,
  durationMs: clock.monotonic() - startedMs,
  error,
});
