import type { Channel } from '#core/channel/channel.ts';
import { limitsOfModel, type Patience, patienceFor } from '#core/channel/health/patience.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import { loadFiles } from '../../dialects/form/form.ts';
import type { Destination, SentAs } from '../destination.ts';
import type { Admitted } from '../stages.ts';
import { formatFor, type FormatDeps, type Source, upstreamModel } from './choose-format.ts';
import type { Target } from './outgoing.ts';
import type { WriteTerms } from './request.ts';

/** Waits for the whole form if this channel cannot stream it; files are loaded if they go into JSON. */
export const formFor = async (
  admitted: Admitted,
  { upstream, channel }: Destination,
): Promise<Admitted['request']> => {
  const { call, lateForm, live } = admitted;
  const isJson = upstream.offers[call.operation]?.formAsJson === true;
  // A field after the file could repeat one that the operator overrides.
  const isOverridden =
    channel.setting.overrides !== undefined || Object.keys(channel.paramOverride).length > 0;
  if (isJson || isOverridden) await lateForm?.whole;
  const request = lateForm?.request ?? admitted.request;
  if (isJson && request.form !== undefined) live.files ??= await loadFiles(request.form);
  return request;
};

/** The format and the model that this channel gets the request in. */
export const targetOf = (
  deps: FormatDeps,
  asking: Admitted,
  { channel, upstream }: Destination,
  connected: () => void,
): Target & Pick<SentAs, 'patience'> => {
  const { call, group, live } = asking;
  const { model } = asking.request.facts;
  const { overrides } = channel.setting;
  return {
    upstreamModel: upstreamModel(channel, model),
    format: formatFor(deps, asking, upstream, channel),
    patience: patienceOf(asking, channel),
    channel,
    upstream,
    overrides: overrides && activeOverrides(overrides, { model, group, headers: call.headers }),
    files: live.files,
    connected,
    mayRepeat: asking.canRepeat,
  };
};

const patienceOf = ({ request, routing, canRepeat }: Admitted, channel: Channel): Patience => {
  const { model, stream } = request.facts;
  const ofModel = limitsOfModel(routing.options['upstream_setting.model_timeouts'], model);
  return patienceFor(channel.setting.limits, ofModel, { stream, canRepeat });
};

/** What another thread needs to write the body. */
export const termsOf = (asking: Admitted, { channel, format, overrides }: Target): WriteTerms => {
  const { live, omitsTools, stripsTerms, request } = asking;
  // Only a call with a hold has one.
  const { outputLimit }: Source = asking;
  return {
    model: request.facts.model,
    channel,
    format: format.name,
    isUnsigned: live.isUnsigned,
    omitsTools,
    stripsTerms,
    outputLimit,
    ...(overrides !== undefined && { overrides }),
  };
};
