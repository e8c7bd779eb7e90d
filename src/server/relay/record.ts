import { logType } from '#contract/codes.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import { withoutSpareTools } from '#core/chat/leave-out-tools.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { priceSteps } from '#core/quota/price-steps.ts';
import { type Price, priceBuckets } from '#core/quota/price.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import { type Attempt, known, type Running } from './running.ts';

type Fields = Record<string, unknown>;

interface Outcome {
  readonly usage: Usage;
  readonly quotaUnits: number;
  readonly durationMs: number;
}

/** What a charge was worked out with. */
export interface Priced {
  readonly price: Price;
  readonly priceVersion: number;
  readonly heldUnits: number;
}

/** The row of a call that was charged. */
export const consumeLog = (running: Running, outcome: Outcome): CallLog => {
  const price = known(running.price, 'hold');
  const { heldUnits } = running;
  const fields = priceFields({ price, priceVersion: running.routing.priceVersion, heldUnits }, outcome.usage);
  return row(running, logType.consume, outcome, priceText(price), addCallFields(fields, running));
};

/** The row of a call whose end is not known yet. */
export const openLog = (running: Running): CallLog =>
  row(
    running,
    logType.consume,
    { usage: noUsage, quotaUnits: 0, durationMs: 0 },
    '',
    addCallFields({}, running),
  );

/** The row of a call that failed and cost nothing. */
export const errorLog = (running: Running, durationMs: number, more: Fields = {}): CallLog => {
  const { failure, channel } = running;
  const upstream = failure?.upstream;
  const fields: Fields = {
    error_type: upstream?.type ?? failure?.code ?? 'internal',
    error_code: upstream?.code ?? failure?.reason ?? failure?.code ?? 'internal',
    status_code: upstream?.status ?? failure?.status ?? 0,
    ...more,
  };
  if (channel !== undefined) {
    Object.assign(fields, { channel_id: channel.id, channel_name: channel.name, channel_type: channel.type });
  }
  const outcome = { usage: noUsage, quotaUnits: 0, durationMs };
  return row(
    running,
    logType.error,
    outcome,
    failure?.message ?? 'no answer',
    addCallFields(fields, running),
  );
};

const row = (running: Running, type: number, outcome: Outcome, text: string, other: Fields): CallLog => {
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
    ip: ownChoices(user).recordsIp ? running.call.ip : '',
    content: text,
    other: JSON.stringify(other),
  };
};

export const priceText = ({ factors }: Price): string =>
  factors.modelPrice >= 0
    ? `model price ${String(factors.modelPrice)}, group ratio ${String(factors.groupRatio)}`
    : `model ratio ${String(factors.modelRatio)}, completion ratio ${String(factors.completionRatio)}, ` +
      `group ratio ${String(factors.groupRatio)}`;

/** How the price came about: the factors, the buckets, and each bucket's share, exact. */
export const priceFields = ({ price, priceVersion, heldUnits }: Priced, usage: Usage): Fields => {
  const { factors } = price;
  const fields: Fields = {
    model_ratio: factors.modelRatio,
    completion_ratio: factors.completionRatio,
    model_price: factors.modelPrice,
    group_ratio: factors.groupRatio,
    user_group_ratio: factors.userGroupRatio,
    cache_tokens: usage.cacheReadTokens,
    cache_ratio: factors.cacheRatio,
    price_version: priceVersion,
    price_source: factors.source,
    price_steps: priceSteps(price, usage),
    hold_units: heldUnits,
    usage: sparse(usage),
  };
  if (usage.cacheWrite5mTokens + usage.cacheWrite1hTokens > 0) addCacheWrites(fields, price, usage);
  if (usage.imageInputTokens > 0) {
    Object.assign(fields, {
      image: true,
      image_ratio: factors.imageRatio,
      image_input: usage.imageInputTokens,
    });
  }
  if (usage.imageOutputTokens > 0)
    Object.assign(fields, {
      image: true,
      image_output: usage.imageOutputTokens,
      image_completion_ratio: factors.imageCompletionRatio ?? factors.completionRatio,
    });
  if (usage.audioInputTokens + usage.audioOutputTokens > 0) addAudio(fields, price, usage);
  for (const [tool, calls] of priceEntries(usage.toolCalls)) addToolCalls(fields, price, tool, calls);
  return fields;
};

/** The buckets that hold something. */
const sparse = (usage: Usage): Fields => {
  const fields: Fields = {};
  for (const bucket of priceBuckets) if (usage[bucket] !== 0) fields[bucket] = usage[bucket];
  if (usage.reasoningTokens !== 0) fields['reasoningTokens'] = usage.reasoningTokens;
  if (usage.toolCalls !== undefined) fields['toolCalls'] = usage.toolCalls;
  if (usage.estimated) fields['estimated'] = true;
  return fields;
};

const addCacheWrites = (fields: Fields, { factors }: Price, usage: Usage): Fields =>
  Object.assign(fields, {
    cache_creation_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    cache_creation_ratio: factors.createCacheRatio,
    cache_creation_tokens_5m: usage.cacheWrite5mTokens,
    cache_creation_tokens_1h: usage.cacheWrite1hTokens,
  });

/** US dollars for a thousand calls of a tool that the upstream ran itself. */
const addToolCalls = (fields: Fields, { factors }: Price, tool: PaidTool, calls: number): Fields =>
  Object.assign(fields, {
    [tool]: true,
    [`${tool}_call_count`]: calls,
    [`${tool}_price`]: factors.toolPrices?.[tool] ?? 0,
  });

const addAudio = (fields: Fields, { factors }: Price, usage: Usage): Fields =>
  Object.assign(fields, {
    audio: true,
    audio_input: usage.audioInputTokens,
    audio_output: usage.audioOutputTokens,
    text_input: usage.inputTokens,
    text_output: usage.outputTokens,
    audio_ratio: factors.audioRatio,
    audio_completion_ratio: factors.audioCompletionRatio,
  });

/** Where the call went and how it ended. What is under `admin_info` is never shown to the caller's own user. */
const addCallFields = (fields: Fields, running: Running): Fields => {
  const { meter, failure, upstreamModel } = running;
  const { facts } = known(running.asked, 'read');
  fields['frt'] = running.firstByteMs === undefined ? -1000 : Math.round(running.firstByteMs);
  fields['request_path'] = running.call.path;
  fields['group'] = running.group;
  if (running.effort !== undefined) fields['reasoning_effort'] = running.effort;
  if (upstreamModel !== '' && upstreamModel !== facts.model) {
    fields['is_model_mapped'] = true;
    fields['upstream_model_name'] = upstreamModel;
  }
  // The caller's format, and the upstream's where it is another.
  if (running.channel !== undefined && running.call.operation === 'chat') {
    const { wire, format } = running;
    fields['request_conversion'] = format.name === wire.name ? [wire.name] : [wire.name, format.name];
  }
  const leftOut = leftOutTools(running);
  if (leftOut.length > 0) fields['left_out_tools'] = leftOut;
  if (facts.stream) {
    fields['stream_status'] = {
      status: meter.finished ? 'complete' : 'broken',
      end_reason: failure?.code ?? 'done',
    };
  }
  fields['admin_info'] = adminInfo(running);
  return fields;
};

/** Tools that its upstream was not told of, since it has none such. */
const leftOutTools = ({ sparesTools, chatRequest, format }: Running): readonly string[] =>
  sparesTools && chatRequest !== undefined ? withoutSpareTools(chatRequest, format.name).names : [];

const adminInfo = ({ attempts, decision, meter }: Running): Fields => {
  const info: Fields = {
    use_channel: attempts.map(({ channelId }) => String(channelId)),
    attempts: attempts.map(attemptFields),
    local_count_tokens: meter.reported === undefined,
  };
  if (decision === undefined) return info;
  const { group, coolingTaken, leftOut } = decision;
  const reasons = leftOut.map(({ channelId, reason }) => [channelId, reason]);
  info['decision'] = coolingTaken
    ? { group, cooling_taken: true, left_out: reasons }
    : { group, left_out: reasons };
  return info;
};

const attemptFields = ({ channelId, status, durationMs, error }: Attempt): Fields => {
  const fields = { channel: channelId, status, ms: Math.round(durationMs) };
  return error === '' ? fields : { ...fields, error };
};
