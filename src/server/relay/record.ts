import { logType } from '#contract/codes.ts';
import type { Usage } from '#core/chat/usage.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { type Price, priceSteps } from '#core/quota/price.ts';
import { known, type Running } from './running.ts';

interface Outcome {
  readonly usage: Usage;
  readonly quotaUnits: number;
  readonly durationMs: number;
}

/** The row of a call that was charged. */
export const consumeLog = (running: Running, outcome: Outcome): CallLog =>
  row(running, logType.consume, outcome, content(known(running.price, 'hold')), {
    ...priceFields(running, outcome.usage),
    ...callFields(running),
  });

/** The row of a call that failed and cost nothing. */
export const errorLog = (running: Running, durationMs: number): CallLog => {
  const { failure, channel } = running;
  const upstream = failure?.upstream;
  return row(
    running,
    logType.error,
    { usage: noUsage, quotaUnits: 0, durationMs },
    failure?.message ?? 'no answer',
    {
      error_type: upstream?.type ?? failure?.code ?? 'internal',
      error_code: upstream?.code ?? failure?.reason ?? failure?.code ?? 'internal',
      status_code: upstream?.status ?? failure?.status ?? 0,
      ...(channel !== undefined && {
        channel_id: channel.id,
        channel_name: channel.name,
        channel_type: channel.type,
      }),
      ...callFields(running),
    },
  );
};

const row = (
  running: Running,
  type: number,
  outcome: Outcome,
  text: string,
  other: Record<string, unknown>,
): CallLog => {
  const { user, token } = known(running.caller, 'authenticate');
  const { facts } = known(running.asked, 'read');
  return {
    requestId: running.call.requestId,
    createdAtMs: running.createdAtMs,
    type,
    userId: user.id,
    username: user.username,
    tokenId: token?.id ?? 0,
    tokenName: token?.name ?? `playground-${running.group}`,
    channelId: running.channel?.id ?? 0,
    group: running.group,
    model: facts.model,
    usage: outcome.usage,
    quotaUnits: outcome.quotaUnits,
    useTimeMs: Math.round(outcome.durationMs),
    isStream: facts.stream,
    ip: running.call.ip,
    content: text,
    other: JSON.stringify(other),
  };
};

const content = ({ factors }: Price): string =>
  factors.modelPrice >= 0
    ? `model price ${String(factors.modelPrice)}, group ratio ${String(factors.groupRatio)}`
    : `model ratio ${String(factors.modelRatio)}, completion ratio ${String(factors.completionRatio)}, ` +
      `group ratio ${String(factors.groupRatio)}`;

/** How the price came about: the factors, the buckets, and each bucket's share, exact. */
const priceFields = (running: Running, usage: Usage): Record<string, unknown> => {
  const price = known(running.price, 'hold');
  const { factors } = price;
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  return {
    model_ratio: factors.modelRatio,
    completion_ratio: factors.completionRatio,
    model_price: factors.modelPrice,
    group_ratio: factors.groupRatio,
    user_group_ratio: factors.userGroupRatio,
    cache_tokens: usage.cacheReadTokens,
    cache_ratio: factors.cacheRatio,
    ...(written > 0 && {
      cache_creation_tokens: written,
      cache_creation_ratio: factors.createCacheRatio,
      cache_creation_tokens_5m: usage.cacheWrite5mTokens,
      cache_creation_tokens_1h: usage.cacheWrite1hTokens,
    }),
    ...(usage.imageInputTokens > 0 && {
      image: true,
      image_ratio: factors.imageRatio,
      image_input: usage.imageInputTokens,
    }),
    ...((usage.audioInputTokens > 0 || usage.audioOutputTokens > 0) && {
      audio: true,
      audio_input: usage.audioInputTokens,
      audio_output: usage.audioOutputTokens,
      text_input: usage.inputTokens,
      text_output: usage.outputTokens,
      audio_ratio: factors.audioRatio,
      audio_completion_ratio: factors.audioCompletionRatio,
    }),
    price_version: running.routing.priceVersion,
    price_source: factors.source,
    price_steps: priceSteps(price, usage),
    hold_units: running.heldUnits,
    usage,
  };
};

/** Where the call went and how it ended. What is under `admin_info` is never shown to the caller's own user. */
const callFields = (running: Running): Record<string, unknown> => {
  const { decision, attempts, meter, failure } = running;
  const { facts } = known(running.asked, 'read');
  const isMapped = running.upstreamModel !== '' && running.upstreamModel !== facts.model;
  return {
    frt: running.firstByteMs === undefined ? -1000 : Math.round(running.firstByteMs),
    request_path: running.call.path,
    ...(isMapped && { is_model_mapped: true, upstream_model_name: running.upstreamModel }),
    ...(facts.stream && {
      stream_status: { status: meter.finished ? 'complete' : 'broken', end_reason: failure?.code ?? 'done' },
    }),
    admin_info: {
      use_channel: attempts.map((attempt) => String(attempt.channelId)),
      attempts: attempts.map((attempt) => ({
        channel: attempt.channelId,
        status: attempt.status,
        ms: Math.round(attempt.durationMs),
        ...(attempt.error !== '' && { error: attempt.error }),
      })),
      ...(decision !== undefined && {
        decision: {
          group: decision.group,
          ...(decision.coolingTaken && { cooling_taken: true }),
          left_out: decision.leftOut.map(({ channelId, reason }) => [channelId, reason]),
        },
      }),
      local_count_tokens: meter.reported === undefined,
    },
  };
};
