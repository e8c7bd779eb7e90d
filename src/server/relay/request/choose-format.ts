import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { mapModel } from '#contract/channel/model-mapping.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import { asEgress, type UpstreamFormat } from './format.ts';
import type { FormatGaps } from './format-gaps.ts';
import type { Upstream } from '../../dialects/upstream.ts';
import type { RelayCall } from '../calls.ts';
import { plainRefusal } from './plain-refusal.ts';
import type { CallerRequest } from './request.ts';
import type { Translations } from './translations.ts';

/** What a request is written from: a call, or in a worker thread the part of the call that was sent there. */
export interface Source {
  readonly call: Pick<RelayCall, 'operation' | 'headers'>;
  readonly wire: Wire | Dialect;
  readonly routing: { readonly options: OptionValues };
  readonly request: CallerRequest;
  readonly translations: Translations;
  readonly omitsTools: boolean;
  /** The most output tokens that can be paid for; unknown until there is a hold. */
  readonly outputLimit?: number | undefined;
  readonly stripsTerms: boolean;
  readonly live: { readonly isUnsigned: boolean };
}

/**
 * The upstream's name of the model on this channel. Older channels have it in their parameter override, which wins. Throws if
 * the operator's mapping is circular.
 */
export const upstreamModel = (channel: Channel, model: string): string => {
  const set = channel.paramOverride['model'];
  if (typeof set === 'string') return set;
  const result = mapModel(channel.modelMapping, model);
  if ('model' in result) return result.model;
  throw new AppError('internal', 'the model mapping of this channel goes in a circle', {
    reason: 'model_mapped_error',
  });
};

/** Whether the caller's own body is sent, as long as nothing in it changes; otherwise it is converted. */
export const isRepeated = (source: Source, channel: Channel, format: UpstreamFormat): boolean => {
  const { call, wire, live, request } = source;
  if (format.name !== wire.name) return false;
  if (call.operation !== 'chat') return true;
  if (live.isUnsigned) return false;
  // In other formats the operator's system prompt goes elsewhere, which only their writer knows.
  if (channel.setting.systemPrompt !== undefined && wire.name !== 'openai-chat') return false;
  return !request.hasForeignSignatures;
};

/**
 * Whether a chat's body goes out unchanged except for the model name, as the operator may choose for a channel or for
 * all. An upstream of another format still gets it converted.
 */
export const isPassedThrough = (source: Source, channel: Channel, format: UpstreamFormat): boolean => {
  const { call, wire, live, request, routing } = source;
  const isWanted =
    channel.setting.passesBody === true || routing.options['global.pass_through_request_enabled'];
  if (!isWanted || call.operation !== 'chat' || format.name !== wire.name) return false;
  // A signature from an upstream of another format carries our mark, so the body is not the caller's own.
  return !live.isUnsigned && !request.hasForeignSignatures;
};

/** The request in the upstream's format, or why that format cannot express it. */
export const translated = (
  { request, translations, omitsTools, outputLimit, live }: Omit<Source, 'routing'>,
  channel: Channel,
  format: UpstreamFormat,
): Fields | AppError =>
  translations.in(format, {
    model: upstreamModel(channel, request.facts.model),
    systemPrompt: channel.setting.systemPrompt ?? '',
    isUnsigned: live.isUnsigned,
    omitsTools,
    outputLimit,
  });

/** Why this format cannot express the request for this channel; undefined if it can. */
const whyNotIn = (source: Source, channel: Channel, format: UpstreamFormat): AppError | undefined => {
  const { request, omitsTools, stripsTerms, live } = source;
  const { isUnsigned } = live;
  if (request.far !== undefined)
    return request.far.refusal({
      model: request.facts.model,
      channel,
      format: format.name,
      isUnsigned,
      omitsTools,
      stripsTerms,
    });
  const written = translated(source, channel, format);
  return written instanceof AppError ? written : undefined;
};

/** What choosing a format needs to know beside the request. */
export interface FormatDeps {
  readonly gaps: FormatGaps;
}

/**
 * Chooses the upstream's format: the caller's own if the upstream supports it; else the format in which the model can
 * do more, if it can express the request; else the first of the channel type.
 * @param startedMs when the call began: known gaps expire
 */
export const formatFor = (
  { gaps }: FormatDeps,
  source: Source & { readonly startedMs: number },
  upstream: Upstream,
  channel: Channel,
): UpstreamFormat => {
  const { call, wire, startedMs, request } = source;
  if (call.operation !== 'chat') return wire;
  const model = upstreamModel(channel, request.facts.model);
  const ofModel = upstream.dialectFor?.(model, channel);
  if (ofModel !== undefined) return ofModel.name === wire.name ? wire : ofModel;
  const better = upstream.betterFor?.(model, wire.name);
  const isBetter = better !== undefined && !gaps.has(channel, better.name, startedMs, model);
  if (isBetter && whyNotIn(source, channel, asEgress(better)) === undefined) return better;
  const own = upstream.dialect;
  if (own.name === wire.name) return wire;
  const isNative = upstream.natives?.some(({ name }) => name === wire.name) === true;
  return isNative && !gaps.has(channel, wire.name, startedMs, model) ? wire : own;
};

/** Why the caller's request cannot be sent to this channel; undefined if it can. */
export const refusalOf = (
  deps: FormatDeps,
  source: Source & { readonly startedMs: number },
  upstream: Upstream,
  channel: Channel,
): AppError | undefined => {
  const { call, request, routing, wire } = source;
  if (call.operation !== 'chat') {
    if (upstream.offers[call.operation]?.write === undefined) return undefined;
    const model = upstreamModel(channel, request.facts.model);
    const { stream } = request.facts;
    const asked = { operation: call.operation, model, stream, dialect: wire.name, options: routing.options };
    return plainRefusal(request, upstream, channel, asked);
  }
  const format = formatFor(deps, source, upstream, channel);
  return isRepeated(source, channel, format) ? undefined : whyNotIn(source, channel, format);
};
