import { logType } from '#contract/codes.ts';
import { PLAYGROUND } from '#contract/programs.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import { withoutOptionalTools } from '#core/chat/leave-out-tools.ts';
import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import type { AllowanceUse } from '#core/cost/allowance.ts';
import type { CallLog } from '#core/log/log.ts';
import { bucketsAsText, receiptOfAll } from '#core/quota/price-steps.ts';
import { portionsOf } from '#core/quota/price-variants.ts';
import { type Service, termNames, unpricedTerms } from '#core/quota/served-terms.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';
import { adminFields } from './admin-fields.ts';
import { serviceOf } from './price/service-of-call.ts';
import { isMarkedAsLoss, soldNano } from './cost/sold-below-cost.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { priceBuckets } from '#core/quota/price-factors.ts';
import type { Price } from '#core/quota/price.ts';
import { pricedOf } from '#core/price-book/priced-call.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';
import { programOf } from '#core/program.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { Admitted, Held } from '../stages.ts';

type Fields = Record<string, unknown>;

interface Outcome {
  readonly usage: Usage;
  readonly quotaUnits: number;
  readonly durationMs: number;
  /** The cost to the operator, in billionths of a US dollar. */
  readonly costNano?: number | undefined;
  /** What of that may be free today. */
  readonly free?: AllowanceUse | undefined;
  /** The quota units that prompt caches saved. */
  readonly savedUnits?: number;
}

/** What a charge is computed from. */
export interface Priced {
  readonly price: Price;
  readonly priceVersion: number;
  readonly heldUnits: number;
  readonly service: Service;
}

const tellAdmins = (fields: Fields, more: Fields): void => {
  fields['admin_info'] = { ...fieldsOf(fields['admin_info']), ...more };
};

/** The log row of a charged call. */
export const consumeLog = (held: Held, outcome: Outcome): CallLog => {
  const { price, routing, live, group } = held;
  const heldUnits = live.rolling?.heldUnits ?? live.grownUnits ?? held.heldUnits;
  const fields = priceFields(
    { price, priceVersion: routing.priceVersion, heldUnits, service: serviceOf(live) },
    outcome.usage,
  );
  addReport(fields, live.meter.reported, outcome.usage);
  if (live.cutBefore !== undefined) fields['limited_by'] = 'quota';
  if (held.outputLimit !== undefined) fields['max_tokens_lowered_to'] = held.outputLimit;
  if (outcome.savedUnits) fields['cache_saved_units'] = outcome.savedUnits;
  addCallFields(fields, held);
  const isLoss = isMarkedAsLoss(routing, group, outcome);
  if (isLoss) tellAdmins(fields, { below_cost: true });
  const asText = bucketsAsText(price, outcome.usage);
  if (asText.length > 0) tellAdmins(fields, { sold_as_text: asText });
  return {
    ...row(held, { type: logType.consume, outcome, text: priceText(price), fields }),
    priced: pricedBy(held, outcome.usage),
    // The ledger, which knows what is left of the day's allowance, takes the mark back.
    free: outcome.free && { ...outcome.free, soldNano: isLoss ? soldNano(routing, outcome) : undefined },
  };
};

const pricedBy = ({ price, caller, request, live }: Held, usage: Usage): string =>
  pricedOf(price, {
    usage,
    userGroup: caller.user.group,
    times: request.facts.callFactor ?? 1,
    service: serviceOf(live),
  });

/** The log row of a call that is still running. */
export const openLog = (admitted: Admitted): CallLog =>
  row(admitted, {
    type: logType.consume,
    outcome: { usage: noUsage, quotaUnits: 0, durationMs: 0 },
    text: '',
    fields: addCallFields({}, admitted),
  });

/** The log row of a call that failed and cost nothing. */
export const errorLog = (admitted: Admitted, durationMs: number, more: Fields = {}): CallLog => {
  const { failure, destination } = admitted.live;
  const upstream = failure?.upstream;
  const fields: Fields = {
    error_type: upstream?.type ?? failure?.code ?? 'internal',
    error_code: upstream?.code ?? failure?.reason ?? failure?.code ?? 'internal',
    status_code: upstream?.status ?? failure?.status ?? 0,
    ...more,
  };
  if (destination !== undefined) {
    const { id, name, type } = destination.channel;
    Object.assign(fields, { channel_id: id, channel_name: name, channel_type: type });
  }
  const outcome = { usage: noUsage, quotaUnits: 0, durationMs };
  const text = failure?.message ?? 'no answer';
  return row(admitted, { type: logType.error, outcome, text, fields: addCallFields(fields, admitted) });
};

/** What the rows of a call differ in. */
interface RowOf {
  readonly type: number;
  readonly outcome: Outcome;
  readonly text: string;
  readonly fields: Fields;
}

const row = (admitted: Admitted, { type, outcome, text, fields }: RowOf): CallLog => {
  const { caller, request, call, createdAtMs, group, live } = admitted;
  const { user, token } = caller;
  const { facts } = request;
  return {
    requestId: call.requestId,
    createdAtMs,
    type,
    userId: user.id,
    username: user.username,
    tokenId: token?.id ?? 0,
    tokenName: token?.name ?? `playground-${group}`,
    channelId: live.destination?.channel.id ?? 0,
    keyId: live.destination?.channel.keyId,
    group,
    model: facts.model,
    program: token === undefined ? PLAYGROUND : programOf(call.headers['user-agent']),
    usage: outcome.usage,
    quotaUnits: outcome.quotaUnits,
    useTimeMs: Math.round(outcome.durationMs),
    isStream: facts.stream,
    ip: ownChoices(user).recordsIp ? call.ip : '',
    content: text,
    other: JSON.stringify(fields),
    costNano: outcome.costNano,
    session: admitted.session?.id,
    savedUnits: outcome.savedUnits,
  };
};

/** The factors of a price as one line of text, for the log row of a call. */
export const priceText = ({ factors }: Price): string =>
  factors.modelPrice >= 0
    ? `model price ${String(factors.modelPrice)}, group ratio ${String(factors.groupRatio)}`
    : `model ratio ${String(factors.modelRatio)}, completion ratio ${String(factors.completionRatio)}, ` +
      `group ratio ${String(factors.groupRatio)}`;

/** The price in detail: its factors, and for each bucket the tokens and their exact share. */
export const priceFields = ({ price, priceVersion, heldUnits, service }: Priced, usage: Usage): Fields => {
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
    ...receiptOfAll(portionsOf(price, usage, service)),
    hold_units: heldUnits,
    usage: sparse(usage),
  };
  addService(fields, service, price);
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

/** Adds the tier, speed and place that were sent and served, if any of them is not the standard. */
const addService = (fields: Fields, { sent = {}, served = {} }: Service, price: Price): void => {
  if (!isSpecial(sent) && !isSpecial(served)) return;
  const unpriced = unpricedTerms(price, { sent, served });
  fields['service'] = { sent, served, ...(unpriced.length > 0 && { unpriced }) };
};

/** The buckets that are not empty. */
const sparse = (usage: Usage): Fields => {
  const fields: Fields = {};
  for (const bucket of priceBuckets) if (usage[bucket] !== 0) fields[bucket] = usage[bucket];
  if (usage.reasoningTokens !== 0) fields['reasoningTokens'] = usage.reasoningTokens;
  if (usage.toolCalls !== undefined) fields['toolCalls'] = usage.toolCalls;
  if (usage.estimated) fields['estimated'] = true;
  return fields;
};

/** Adds the upstream's own usage report, if the charge is based on our count instead. */
export const addReport = (fields: Fields, reported: Usage | undefined, charged: Usage): void => {
  if (reported === undefined || reported.estimated || !charged.estimated) return;
  fields['reported_usage'] = {
    prompt_tokens: promptTokens(reported),
    completion_tokens: completionTokens(reported),
  };
};

const addCacheWrites = (fields: Fields, { factors }: Price, usage: Usage): Fields =>
  Object.assign(fields, {
    cache_creation_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    cache_creation_ratio: factors.createCacheRatio,
    cache_creation_tokens_5m: usage.cacheWrite5mTokens,
    cache_creation_tokens_1h: usage.cacheWrite1hTokens,
  });

/** US dollars for a thousand calls of a tool the upstream ran itself. */
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

/** Where the call went and how it ended. Fields under `admin_info` are never shown to the calling user. */
const addCallFields = (fields: Fields, admitted: Admitted): Fields => {
  const { live, request, call, group, wire, session, isSideCall } = admitted;
  const { meter, failure, destination, firstByteMs, cutBefore } = live;
  const { effort, upstreamModel = '', format = wire } = destination?.sentAs ?? {};
  const { facts } = request;
  fields['frt'] = firstByteMs === undefined ? -1000 : Math.round(firstByteMs);
  fields['request_path'] = call.path;
  fields['group'] = group;
  if (effort !== undefined) fields['reasoning_effort'] = effort;
  if (facts.askedModel !== undefined) fields['asked_model'] = facts.askedModel;
  if (!isSideCall && isNotAsSent(facts.terms, destination?.sentAs?.terms))
    fields['asked_service'] = facts.terms;
  // A side call is made by another model than the answer's.
  if (!isSideCall && upstreamModel !== '' && upstreamModel !== facts.model) {
    fields['is_model_mapped'] = true;
    fields['upstream_model_name'] = upstreamModel;
  }
  // The caller's format, and the upstream's where it is another.
  if (destination !== undefined && call.operation === 'chat')
    fields['request_conversion'] = format.name === wire.name ? [wire.name] : [wire.name, format.name];
  const leftOut = leftOutTools(admitted, format.name);
  if (leftOut.length > 0) fields['left_out_tools'] = leftOut;
  if (facts.stream) {
    fields['stream_status'] = {
      status: meter.finished || cutBefore !== undefined ? 'complete' : 'broken',
      end_reason: failure?.code ?? (cutBefore === undefined ? 'done' : 'quota'),
    };
  }
  if (session !== undefined) fields['session'] = session.id;
  fields['admin_info'] = adminFields(admitted);
  return fields;
};

/** Whether a tier, speed or place was asked for and not sent: the group strips it, or the upstream's format has no word for it. */
const isNotAsSent = (asked: ServiceTerms = {}, sent: ServiceTerms = {}): boolean =>
  isSpecial(asked) && termNames.some((name) => asked[name] !== undefined && asked[name] !== sent[name]);

/** Tools left out because the upstream does not support them. */
const leftOutTools = ({ omitsTools, translations }: Admitted, format: string): readonly string[] => {
  const { chatRequest } = translations;
  return omitsTools && chatRequest !== undefined ? withoutOptionalTools(chatRequest, format).names : [];
};
