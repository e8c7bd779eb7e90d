import { logType } from '#contract/codes.ts';
import { PLAYGROUND } from '#contract/programs.ts';
import { withoutOptionalTools } from '#core/chat/leave-out-tools.ts';
import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import type { AllowanceUse } from '#core/cost/allowance-use.ts';
import type { CallLog } from '#core/log/log.ts';
import { bucketsAsText } from '#core/quota/price-steps.ts';
import { type Service, termNames } from '#core/quota/served-terms.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';
import { adminFields } from './admin-fields.ts';
import { priceFieldsText, priceText } from './price-fields.ts';
import { serviceOf } from './price/service-of-call.ts';
import { isMarkedAsLoss, soldNano } from './cost/sold-below-cost.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { pricedOf } from '#core/price-book/priced-call.ts';
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
  /** The part of that cost that today's free allowance may cover. */
  readonly free?: AllowanceUse | undefined;
  /** The quota units that prompt caches saved. */
  readonly savedUnits?: number;
}

const tellAdmins = (fields: Fields, more: Fields): void => {
  fields['admin_info'] = { ...fieldsOf(fields['admin_info']), ...more };
};

/** The log row of a charged call. */
export const consumeLog = (held: Held, outcome: Outcome): CallLog => {
  const { price, routing, live, group } = held;
  const { usage } = outcome;
  const heldUnits = live.rolling?.heldUnits ?? live.grownUnits ?? held.heldUnits;
  const service = serviceOf(live);
  const { priceVersion } = routing;
  const priceFields = priceFieldsText({ price, priceVersion, heldUnits, service }, usage);
  const fields: Fields = {};
  addReport(fields, live.meter.reported, usage);
  if (live.cutBefore !== undefined) fields['limited_by'] = 'quota';
  if (held.outputLimit !== undefined) fields['max_tokens_lowered_to'] = held.outputLimit;
  if (outcome.savedUnits) fields['cache_saved_units'] = outcome.savedUnits;
  addCallFields(fields, held);
  const isLoss = isMarkedAsLoss(routing, group, outcome);
  if (isLoss) tellAdmins(fields, { below_cost: true });
  const asText = bucketsAsText(price, usage);
  if (asText.length > 0) tellAdmins(fields, { sold_as_text: asText });
  const other = `{${priceFields},${JSON.stringify(fields).slice(1)}`;
  return {
    ...row(held, { type: logType.consume, outcome, text: priceText(price), other }),
    priced: pricedBy(held, usage, service),
    // `soldNano` lets the ledger remove the mark `below_cost`: only the ledger knows how much of the day's free
    // allowance is left.
    free: outcome.free && { ...outcome.free, soldNano: isLoss ? soldNano(routing, outcome) : undefined },
  };
};

const pricedBy = ({ price, caller, request }: Held, usage: Usage, service: Service): string =>
  pricedOf(price, {
    usage,
    userGroup: caller.user.group,
    times: request.facts.callFactor ?? 1,
    service,
  });

/** The log row of a call that is still running. */
export const openLog = (admitted: Admitted): CallLog =>
  row(admitted, {
    type: logType.consume,
    outcome: { usage: noUsage, quotaUnits: 0, durationMs: 0 },
    text: '',
    other: JSON.stringify(addCallFields({}, admitted)),
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
  const other = JSON.stringify(addCallFields(fields, admitted));
  return row(admitted, { type: logType.error, outcome, text, other });
};

/** What the rows of a call differ in. */
interface RowOf {
  readonly type: number;
  readonly outcome: Outcome;
  readonly text: string;
  /** More about the call, as JSON. */
  readonly other: string;
}

const row = (admitted: Admitted, { type, outcome, text, other }: RowOf): CallLog => {
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
    other,
    costNano: outcome.costNano,
    session: admitted.session?.id,
    savedUnits: outcome.savedUnits,
  };
};

/** Adds the upstream's own usage report, if the charge is based on our count instead. */
export const addReport = (fields: Fields, reported: Usage | undefined, charged: Usage): void => {
  if (reported === undefined || reported.estimated || !charged.estimated) return;
  fields['reported_usage'] = {
    prompt_tokens: promptTokens(reported),
    completion_tokens: completionTokens(reported),
  };
};

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
