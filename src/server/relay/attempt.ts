import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { disableReason } from '#core/channel/health.ts';
import { limitsOfModel, type Patience, patienceFor } from '#core/channel/patience.ts';
import { secretsSent } from '#core/channel/channel-secrets.ts';
import { isWorthAnother } from '#core/channel/retry.ts';
import { type Decision, selectChannel, takes } from '#core/channel/select.ts';
import { AppError, asAppError } from '#core/error.ts';
import { type Answer, refuseStatus, streamAnswer, wholeAnswer } from './answer.ts';
import { type AttemptTime, inTime } from './attempt-time.ts';
import { callersReply } from './callers-reply.ts';
import { canRepeat } from './can-repeat.ts';
import type { ChannelHealth } from './channel-health.ts';
import { formatFor } from './format-for.ts';
import type { UpstreamFormat } from './format.ts';
import { gapIn } from './format-gaps.ts';
import { heardByOthers } from './heard-by-others.ts';
import { keptDecision } from './kept/find-kept.ts';
import { responseIn } from './kept/response-of.ts';
import { outgoing } from './outgoing.ts';
import { refusesSeals } from './own-seals.ts';
import type { OutboundBody, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { deliver } from '#core/delivery.ts';
import type { Frame } from '../dialects/frame.ts';
import { decided } from './far/far-asked.ts';
import { formFor } from './follow-form.ts';
import { arrayAsEvents } from '../dialects/gemini/read-json-array.ts';
import type { RelayDeps, Upstream } from './ports.ts';
import { MAX_CONVERTED_BYTES, MAX_EVENT_BYTES } from '../dialects/sse.ts';
import { bytesAnswer, isJsonReply } from './pass.ts';
import { nobodyTakes } from './nobody-takes.ts';
import { known, type Running } from './running.ts';
import { withoutSecrets } from './without-secrets.ts';
import { upstreamModel } from './upstream-model.ts';
import { refusalOf } from './refusal.ts';

type AttemptDeps = Pick<
  RelayDeps,
  'upstreamOf' | 'sender' | 'connectSocket' | 'clock' | 'random' | 'metrics' | 'channels' | 'log'
>;

/** Tries channels until one answers. Throws the last failure when there is none left to try or none is worth it. */
export const answered = async (
  deps: AttemptDeps,
  health: ChannelHealth,
  running: Running,
): Promise<Answer> => {
  const tried = new Set<number>();
  const { RetryTimes } = running.routing.options;
  for (;;) {
    const decision = await decided(running, () => choose(deps, health, running, tried));
    const { channel } = decision;
    if (channel === undefined) throw running.failure ?? nobodyTakes(running, decision);
    tried.add(channel.id);
    running.decision = decision;
    running.channel = channel;
    running.sentSecrets = undefined;
    health.chosen(channel.id, deps.clock.monotonic());
    deps.channels.seen(channel.id, running.group, running.call.headers['user-agent']);
    const startedMs = deps.clock.monotonic();
    try {
      const answer = await inTime(running, (time) => sentWithSeals(deps, running, channel, time));
      const answeredMs = deps.clock.monotonic();
      const durationMs = answeredMs - startedMs;
      running.attempts.push({ channelId: channel.id, status: 200, durationMs, error: '' });
      health.succeeded(channel.id, answeredMs);
      running.failure = undefined;
      return answer;
    } catch (thrown) {
      const error = running.stopped ?? withoutSecrets(asAppError(thrown), running.secrets);
      running.failure = error;
      remember(deps, health, running, channel, error, startedMs);
      const isFree = running.caller?.channelId === undefined && running.goesOn === undefined;
      const again = isFree && tried.size <= RetryTimes;
      const terms = { canRepeat: canRepeat(running), statusCodeMapping: channel.statusCodeMapping };
      if (!again || running.abort.signal.aborted || !isWorthAnother(error, terms)) throw error;
    }
  }
};

const choose = (
  deps: AttemptDeps,
  health: ChannelHealth,
  running: Running,
  tried: ReadonlySet<number>,
): Decision => {
  if (running.goesOn?.kept !== undefined) return keptDecision(deps, running, running.goesOn);
  const pinned = running.caller?.channelId;
  if (pinned !== undefined) return pinnedDecision(deps, running, pinned);
  const nowMs = deps.clock.monotonic();
  const { model, inputTokensEstimate } = known(running.asked, 'read').facts;
  return selectChannel(running.routing, {
    model,
    groups: [running.group],
    tried,
    isCooling: (channelId) => health.isCooling(channelId, nowMs),
    isAble: (channel) => isAble(deps, running, channel),
    inputTokens: inputTokensEstimate,
    dice: deps.random.unit(),
  });
};

/** The channel's kind of upstream offers the operation, and a chat can be said in a format it speaks. */
const isAble = (deps: AttemptDeps, running: Running, channel: Channel): boolean => {
  const upstream = deps.upstreamOf(channel.type);
  if (upstream === undefined || !upstream.operations.includes(running.call.operation)) return false;
  return refusalOf(running, channel, upstream) === undefined;
};

const pinnedDecision = (deps: AttemptDeps, running: Running, channelId: number): Decision => {
  const channel = running.routing.channels.get(channelId);
  if (channel === undefined) throw new AppError('invalid_request', 'invalid channel id');
  if (channel.status !== channelStatus.enabled) throw new AppError('forbidden', 'channel disabled');
  if (!takes(channel, known(running.asked, 'read').facts.inputTokensEstimate))
    throw new AppError('invalid_request', 'the prompt is longer than this channel takes', {
      reason: 'context_length_exceeded',
    });
  if (!isAble(deps, running, channel))
    throw new AppError('invalid_request', 'this channel does not offer this call');
  return { channel, group: running.group, coolingTaken: false, leftOut: [] };
};

/**
 * Sends it; where the upstream refuses the seals of earlier turns, which another account or another maker's upstream of
 * its format has made, once more without them: the words stay, and nothing was answered yet.
 */
const sentWithSeals = async (
  deps: AttemptDeps,
  running: Running,
  channel: Channel,
  time: AttemptTime,
): Promise<Answer> => {
  try {
    return await sentAsSpoken(deps, running, channel, time);
  } catch (thrown) {
    const isOfSeals = thrown instanceof AppError && refusesSeals(thrown);
    if (!isOfSeals || running.isUnsealed || running.call.operation !== 'chat') throw thrown;
    running.isUnsealed = true;
    const upstream = known(deps.upstreamOf(channel.type), 'select');
    if ((await decided(running, () => refusalOf(running, channel, upstream))) !== undefined) throw thrown;
    return sentAsSpoken(deps, running, channel, time);
  }
};

/**
 * Sends it in the caller's format or the model's better one; where the upstream has no such path, or not for this model,
 * in the one all of its kind speak.
 */
const sentAsSpoken = async (
  deps: AttemptDeps,
  running: Running,
  channel: Channel,
  time: AttemptTime,
): Promise<Answer> => {
  try {
    return await send(deps, running, channel, time);
  } catch (thrown) {
    const { format, gaps } = running;
    const gap = thrown instanceof AppError ? gapIn(thrown) : undefined;
    // What is not found may be the response a call goes on from.
    if (gap === undefined || running.call.operation !== 'chat' || running.goesOn !== undefined) throw thrown;
    const of = gap === 'model' ? running.upstreamModel : undefined;
    const upstream = known(deps.upstreamOf(channel.type), 'select');
    gaps.add(channel.id, format.name, running.startedMs, of);
    const other = await decided(running, () => formatFor(running, upstream, channel));
    const refusal = await decided(running, () => refusalOf(running, channel, upstream));
    if (other.name === format.name || refusal !== undefined) throw thrown;
    return send(deps, running, channel, time);
  }
};

const send = async (
  deps: AttemptDeps,
  running: Running,
  channel: Channel,
  time: AttemptTime,
): Promise<Answer> => {
  const upstream = known(deps.upstreamOf(channel.type), 'select');
  const { form, far } = known(running.asked, 'read');
  if (form !== undefined) await formFor(running, upstream, channel);
  running.upstreamModel = upstreamModel(channel, known(running.asked, 'read').facts.model);
  const format = formatFor(running, upstream, channel);
  running.format = format;
  const patience = patienceOf(running, channel);
  running.patience = patience;
  const body = await far?.bodyFor(running, channel);
  const request = time.timed(outgoing(running, channel, upstream, patience, body));
  if (known(running.asked, 'read').facts.stream) time.limit('event', patience.firstEventMs);
  else time.limit('end', patience.wholeMs);
  const noting = remembering(deps, running, channel);
  const sent = await deliver(noting, upstream, channel, request, time.signal);
  const { secrets } = running;
  await refuseStatus(sent, format, upstream, secrets);
  // What it asks for may have come while it was sent.
  const { facts, told } = known(running.asked, 'read');
  const heard = format.name === running.wire.name ? format : heardByOthers(format);
  // What is made in the background may wait for long, and is asked for by the id it has from the start.
  const begins =
    running.background !== undefined ? (frame: Frame) => responseIn(frame) !== undefined : undefined;
  const most = heard === format ? MAX_EVENT_BYTES : MAX_CONVERTED_BYTES;
  if (facts.stream) return streamAnswer(asEvents(sent, upstream, format), heard, secrets, begins, most);
  if (running.wire.answersInBytes === true && !isJsonReply(sent)) return bytesAnswer(sent);
  const call = { operation: running.call.operation, model: running.upstreamModel, stream: false };
  return wholeAnswer(callersReply(sent, upstream, call, told), heard, secrets);
};

/** What is sent may prove itself by more than the key; whatever that is, no answer may repeat it. */
const remembering = (deps: AttemptDeps, running: Running, channel: Channel): AttemptDeps => {
  const note = (request: Pick<OutboundRequest, 'url' | 'headers'>): void => {
    running.sentSecrets = secretsSent(channel, request);
  };
  const { connectSocket } = deps;
  return {
    ...deps,
    sender: {
      send(request, signal) {
        note(request);
        return deps.sender.send(request, signal);
      },
    },
    ...(connectSocket !== undefined && {
      connectSocket(request, signal) {
        note(request);
        return connectSocket(request, signal);
      },
    }),
  };
};

const patienceOf = (running: Running, { setting }: Channel): Patience => {
  const { facts } = known(running.asked, 'read');
  const ofModel = limitsOfModel(running.routing.options['upstream_setting.model_timeouts'], facts.model);
  return patienceFor(setting.limits, ofModel, { stream: facts.stream, canRepeat: canRepeat(running) });
};

/** A stream in another framing, as server-sent events. */
const asEvents = (sent: OutboundReply, upstream: Upstream, format: UpstreamFormat): OutboundReply => {
  const { body } = sent;
  const { frames } = upstream;
  if (frames !== undefined) return { ...sent, body: bodyOf(body, () => rawOf(frames(body))) };
  // Some answer Gemini's streams as one list, whatever was asked for.
  if (format.name !== 'gemini' || !isJsonReply(sent)) return sent;
  return { ...sent, body: bodyOf(body, () => arrayAsEvents(body)) };
};

const bodyOf = (body: OutboundBody, pieces: () => AsyncIterator<Buffer>): OutboundBody => ({
  [Symbol.asyncIterator]: pieces,
  discard: () => body.discard(),
});

async function* rawOf(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const { raw } of frames) yield raw;
}

const remember = (
  deps: AttemptDeps,
  health: ChannelHealth,
  running: Running,
  channel: Channel,
  error: AppError,
  startedMs: number,
): void => {
  const nowMs = deps.clock.monotonic();
  const status = error.upstream?.status ?? 0;
  const words =
    error.upstream === undefined || error.upstream.message === '' ? error.message : error.upstream.message;
  running.attempts.push({ channelId: channel.id, status, durationMs: nowMs - startedMs, error: words });
  if (error.code === 'client_closed') return;
  deps.metrics.attemptFailed(channel.id, channel.type, status);
  health.failed(channel.id, error, startedMs, nowMs);
  const { requestId } = running.call;
  if (error.code === 'internal')
    deps.log.error('an attempt failed inside', {
      requestId,
      channel: channel.id,
      cause: running.secrets.maskText(String(error.cause)),
    });
  const reason = channel.autoDisable ? disableReason(error, running.routing.options) : undefined;
  if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
};
